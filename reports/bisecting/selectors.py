"""What pages and the API show of bisections: the list, one of them, what is to be recorded for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Max, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from analysis.history.bisection import FOUND, OPEN
from analysis.verdicts.text import count_text
from reports.audit.words import capital, change_words
from reports.bisecting.faults import BisectionError, changed_since, line_between, never_came
from reports.bisecting.looking import basis_of
from reports.bisecting.services import SUBJECT
from reports.models import Action, AuditEntry, Bisection, OsVersion, Run, Subject
from reports.policies.selectors import policy_number
from reports.ranking.plan import COLUMNS, line_to_record

UNDER_WAY, ENDED = "open", "ended"
COMPUTING = "computing"  # nobody has looked yet
PATIENCE_DAYS = 1  # without anything coming in, then it is said
MOST_DONE = 200  # entries of what people did


@dataclass(frozen=True)
class Build:
    """A version of the range as a line of the page; ``median``, ``low`` and ``high`` in the metric's unit."""

    version: str
    state: str
    runs: int
    median: float | None
    low: float | None
    high: float | None
    left_out: int
    reason: str  # why it was skipped
    asked: int  # runs that are wanted of it now
    compares: str  # address of its comparison with the good one; empty where there is none


@dataclass(frozen=True)
class Done:
    """Something that somebody did."""

    words: str
    who: str
    when: datetime


@dataclass(frozen=True)
class Stand:
    """A bisection as its page and the API show it.

    ``told`` is what was computed last (reports/bisecting/reports.py), ``state`` of it or COMPUTING; ``stale``:
    runs, rules or the order have changed since. ``notes`` say what changed under it, and what never came.
    """

    row: Bisection
    told: Mapping[str, Any]
    stale: bool
    waiting: int
    notes: Sequence[str]
    builds: Sequence[Build]
    done: Sequence[Done]
    culprit: OsVersion | None  # the one version that is found to blame

    @property
    def state(self) -> str:
        """Where it stands, in a word."""
        return str(self.told.get("state", COMPUTING))

    @property
    def sentence(self) -> str:
        """Where it stands, or how it ended, in one sentence."""
        return sentence_of(self.row)

    @property
    def busy(self) -> str:
        """What happens now, or what it waits for."""
        if self.stale:
            return "Runs, rules or the order have changed: where it stands is being computed …"
        if self.waiting:
            return f"{count_text(self.waiting, 'run')} of what is asked for wait for their measurement …"
        return "It waits for runs." if self.measure else "It waits to be finished."

    @property
    def measure(self) -> Sequence[Mapping[str, Any]]:
        """What is to be recorded next; nothing of one that has ended."""
        return [] if self.row.finished_at else self.told.get("measure", [])

    @property
    def can_skip(self) -> list[str]:
        """The versions that can be left out."""
        if self.row.finished_at or self.state != OPEN:
            return []
        ends = (self.row.good.name, self.row.bad.name)
        return [build.version for build in self.builds if build.version not in ends and not build.reason]


def found_bisections(state: str = "") -> QuerySet[Bisection]:
    """Return bisections, the newest first; ``state`` keeps those UNDER_WAY or those that have ENDED."""
    rows = Bisection.objects.select_related(*SUBJECT)
    if state:
        rows = rows.filter(finished_at__isnull=state == UNDER_WAY)
    return rows.order_by("-id")


def sentence_of(row: Bisection) -> str:
    """Say in one sentence how it ended, or where it stood when somebody looked last."""
    if row.finished_at:
        answer = ", ".join(row.suspects)
        if len(row.suspects) > 1:
            return f"Ended: the first bad version is one of {answer}"
        return f"Ended: {answer} is the first bad version" if answer else "Ended without an answer"
    told = row.told
    if not told:
        return "Where it stands is being computed …"
    if told["trouble"]:
        return f"It cannot go on: {told['trouble']}"
    return str(told["lines"][0])


def named(number: int) -> Bisection:
    """Return one by its number; answers 404 for one that is not there."""
    row = Bisection.objects.select_related(*SUBJECT).filter(pk=number).first()
    if row is None:
        raise Http404(f"There is no bisection {number}.")
    return row


def load_stand(number: int) -> Stand:
    """Load one: twelve queries; answers 404 for one that is not there."""
    row = named(number)
    done = list(AuditEntry.objects.filter(kind=Subject.BISECTION, object_id=row.pk)[:MOST_DONE])
    of = {"interaction": row.interaction_id, "device": row.device_id}
    asked = {each["version"]: each["runs"] for each in row.told.get("measure", []) if not row.finished_at}
    waiting = Run.objects.filter(**of, status__in=["pending", "running"], os_version__name__in=asked)
    suspects = row.suspects or (row.told.get("suspects", []) if row.told.get("state") == FOUND else [])
    return Stand(
        row=row,
        culprit=OsVersion.objects.filter(name=suspects[0]).first() if len(suspects) == 1 else None,
        told=row.told,
        stale=not row.finished_at and row.basis != basis_of(row),
        waiting=waiting.count() if asked else 0,
        notes=notes_on(row, list(asked)),
        builds=_builds(row, asked, {str(entry.after): entry.note for entry in done if entry.field == "skipped"}),
        done=[Done(_words(entry), entry.who, entry.made_at) for entry in done],
    )


def notes_on(row: Bisection, asked: Sequence[str]) -> list[str]:
    """Say what changed under a bisection that is under way, and which of the builds asked for never came."""
    if row.finished_at:
        return []
    try:
        line = line_between(row.good, row.bad)
    except BisectionError:
        line = []  # told as its trouble
    notes = changed_since(row, line, policy_number())
    of = {"interaction": row.interaction_id, "device": row.device_id, "os_version__in": line}
    last = Run.objects.filter(**of).aggregate(last=Max("created_at"))["last"]
    days = (timezone.now() - max(last or row.started_at, row.started_at)).days
    return [*notes, never_came(asked[0], days)] if asked and days >= PATIENCE_DAYS else notes


def _builds(row: Bisection, asked: Mapping[str, int], reasons: Mapping[str, str]) -> list[Build]:
    place = [row.interaction.app.package, row.interaction.name]
    query = urlencode({"metric": row.metric})
    found = []
    for each in row.told.get("builds", []):
        name = each["version"]
        runs_on_both = name != row.good.name and each["runs"]
        address = reverse("drilldown", args=[row.good.name, name, *place]) + f"?{query}" if runs_on_both else ""
        reason = (reasons.get(name) or "no reason given") if each["state"] == "skipped" else ""
        found.append(Build(**each, reason=reason, asked=asked.get(name, 0), compares=address))
    return found


def _words(entry: AuditEntry) -> str:
    if entry.action == Action.ADDED:
        return "Started"
    words = capital(change_words(entry))
    return f"{words}: {entry.note}" if entry.note and entry.field == "skipped" else words


def lines_to_record(stand: Stand) -> Iterator[tuple[object, ...]]:
    """Yield the header of a manifest and a line for each run that is wanted, with free repetition numbers.

    One query.
    """
    yield COLUMNS
    row = stand.row
    wanted = stand.measure if row.interaction.filmed else []  # no manifest names what a benchmark measures
    of = {"interaction": row.interaction_id, "device": row.device_id}
    runs = Run.objects.filter(**of, os_version__name__in=[each["version"] for each in wanted]).order_by()
    taken = dict(runs.values_list("os_version__name").annotate(Max("repetition")))
    alike = {name: stand.told[name] for name in ("app_version", "capture")} if wanted else {}
    for each in wanted:
        first = taken.get(each["version"], 0) + 1
        for repetition in range(first, first + each["runs"]):
            yield line_to_record(row.interaction, row.device, each["version"], repetition, **alike)
