"""Read what people decided."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery

from analysis.verdicts.words import MORE_RUNS_NEEDED, REGRESSION
from reports.models import (
    OPEN_STATES,
    App,
    Comparison,
    Interaction,
    Issue,
    IssueState,
    IssueStatus,
    OsVersion,
    Result,
    Run,
    TriageEntry,
    TriageState,
)
from reports.policies.selectors import EVERYTHING, Part


def triage_history(*, base_id: int, new_id: int, interaction_id: int) -> list[TriageEntry]:
    """Return the decisions about one interaction, newest first, in one query."""
    rows = TriageEntry.objects.filter(base=base_id, new=new_id, interaction=interaction_id)
    return list(rows.select_related("made_by"))


def newest_entries(
    *, base_id: int, new_id: int, interaction_ids: Collection[int] | None = None
) -> QuerySet[TriageEntry]:
    """Return the newest decision of each interaction of a pair of versions (or of some of them), in one query."""
    rows = TriageEntry.objects.filter(base=base_id, new=new_id)
    if interaction_ids is not None:
        rows = rows.filter(interaction__in=interaction_ids)
    newest = rows.order_by().values("interaction").annotate(newest=Max("id")).values("newest")
    return TriageEntry.objects.filter(pk__in=newest)


def issue_links(*, base_id: int, new_id: int, interaction_ids: Collection[int]) -> dict[int, str]:
    """Return interaction id → address of the first issue that was made of it and is still there; one query."""
    made = Issue.objects.filter(base=base_id, new=new_id, interaction__in=interaction_ids, status=IssueStatus.MADE)
    there = made.exclude(state=IssueState.GONE).exclude(url="").order_by("-pk")
    return dict(there.values_list("interaction", "url"))


class OpenFinding(NamedTuple):
    """The newest decision about a finding that is still open, and when somebody first decided about it."""

    entry: TriageEntry
    since: datetime


def open_findings(app: App | None = None) -> list[OpenFinding]:
    """Return every finding that is still open, or those of an app, the oldest first; one query."""
    same = {name: OuterRef(name) for name in ("base", "new", "interaction")}
    others = TriageEntry.objects.filter(**same)
    newest = TriageEntry.objects.filter(~Exists(others.filter(pk__gt=OuterRef("pk"))), state__in=OPEN_STATES)
    if app is not None:
        newest = newest.filter(interaction__app=app)
    dated = newest.annotate(since=Subquery(others.order_by("pk").values("made_at")[:1]))
    rows: Any = dated.select_related("base", "new", "interaction__app").order_by("since", "pk")
    return [OpenFinding(row, row.since) for row in rows]


class Decided(NamedTuple):
    """The newest decision about an interaction: its state and its id, who has it, and whether it is overdue."""

    state: str
    entry: int
    assignee: str = ""
    overdue: bool = False


def triage_states(*, base_id: int, new_id: int, interaction_ids: Collection[int]) -> dict[int, Decided]:
    """Return interaction id → newest decision of those that anybody decided about; all others are untriaged."""
    found = newest_entries(base_id=base_id, new_id=new_id, interaction_ids=interaction_ids)
    return {row.interaction_id: Decided(row.state, row.pk, row.assignee, row.is_overdue) for row in found}


def state_of(history: list[TriageEntry]) -> str:
    """Return the state that a history ends in."""
    return history[0].state if history else TriageState.UNTRIAGED


def triage_counts(comparison: Comparison, part: Part = EVERYTHING) -> list[tuple[str, int]]:
    """Return (state, regressed interactions in it) of a part, untriaged first, empty ones left out.

    One query, and one more for a part that is not everything.
    """
    within = {f"interaction__{key}": value for key, value in part.interaction_filter().items()}
    worse = Result.objects.filter(comparison=comparison, worst=True, verdict=REGRESSION, **within).values(
        "interaction"
    )
    regressed = worse.distinct().count() if within else comparison.summary["regressed"]
    entries = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
    rows = entries.filter(interaction__in=worse).exclude(state=TriageState.UNTRIAGED).order_by()
    found = dict(rows.values_list("state").annotate(Count("id")))
    counts = {TriageState.UNTRIAGED.value: regressed - sum(found.values()), **found}
    return [(state, counts[state]) for state in TriageState.values if counts.get(state, 0) > 0]


@dataclass(frozen=True)
class FixCheck:
    """A finding that was marked fixed in the updated version of a comparison, and what that comparison says."""

    interaction: Interaction
    entry: TriageEntry
    regressed: bool
    judged: bool

    @property
    def word(self) -> str:
        """``confirmed``, ``still regressed`` or ``not yet known``."""
        if self.regressed:
            return "still regressed"
        return "confirmed" if self.judged else "not yet known"


def fix_checks(comparison: Comparison, *, interaction_id: int | None = None) -> list[FixCheck]:
    """Check what was marked fixed in the version that has come in; what still regresses first. One query."""
    later = TriageEntry.objects.filter(
        base=OuterRef("base"), new=OuterRef("new"), interaction=OuterRef("interaction"), pk__gt=OuterRef("pk")
    )
    results = Result.objects.filter(comparison=comparison, interaction=OuterRef("interaction"))
    entries = TriageEntry.objects.filter(~Exists(later), state=TriageState.FIXED, fixed_in=comparison.new.name)
    if interaction_id is not None:
        entries = entries.filter(interaction=interaction_id)
    rows = entries.select_related("interaction__app", "base", "new", "made_by").annotate(
        regressed=Exists(results.filter(verdict=REGRESSION)),
        judged=Exists(results.exclude(verdict=MORE_RUNS_NEEDED)),
    )
    newest = {row.interaction_id: row for row in rows.order_by("pk")}
    checks = [FixCheck(row.interaction, row, row.regressed, row.judged) for row in newest.values()]
    return sorted(checks, key=lambda check: (not check.regressed, check.judged, str(check.interaction)))


def excludable_runs(*, interaction: Interaction, version: OsVersion, device_id: int | None) -> QuerySet[Run]:
    """Return the runs of an interaction on a version that take part in comparisons, by repetition."""
    runs = Run.objects.usable().filter(interaction=interaction, os_version=version)
    if device_id:
        runs = runs.filter(device=device_id)
    return runs.select_related("device").order_by("device", "repetition", "pk")
