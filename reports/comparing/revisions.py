"""By which revisions of the measuring code the runs of a comparison were measured: a difference of its own kind.

A run keeps the revision that judged it. Where the runs of a comparison carry several, or one that the running code
has left behind, its numbers may differ for that reason alone; pages and the command say so in the same words, and
the pages offer to measure those runs again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, QuerySet

from analysis import revision
from analysis.verdicts.text import count_text, number_text
from reports.comparing.inputs import PairIds
from reports.models import Run, RunStatus
from reports.models.files import GONE, film_is
from reports.models.runs import NOT_MEASURED

CODE = "the measuring code"


@dataclass(frozen=True)
class Revisions:
    """How many judged runs each revision measured, and how many failed under it; excluded runs do not count.

    ``pair`` and ``interaction`` (None: all of them) say whose runs they are.
    """

    pair: PairIds
    interaction: int | None
    running: int
    measured: dict[int, int]
    failed: dict[int, int]
    gone: int = 0  # of those that another revision measured: no screencast is left to measure again
    unfilmed: int = 0  # further runs behind the numbers, which no code of ours measured

    @property
    def total(self) -> int:
        """The filmed runs behind the numbers."""
        return sum(self.measured.values())

    @property
    def behind(self) -> int:
        """All runs behind the numbers, those of benchmarks among them."""
        return self.total + self.unfilmed

    @property
    def old(self) -> int:
        """Those of them that another revision than the running one measured."""
        return self.total - self.measured.get(self.running, 0)

    @property
    def old_failures(self) -> int:
        """The runs that failed under another revision: this one may be able to measure them."""
        return sum(self.failed.values()) - self.failed.get(self.running, 0)

    @property
    def again(self) -> int:
        """How many runs there are to measure again."""
        return self.old + self.old_failures - self.gone

    @property
    def button(self) -> str:
        """What the button says that does it."""
        return f"Measure {count_text(self.again, 'run')} again"

    @property
    def note(self) -> str:
        """Say it in plain words; nothing where every run was judged by the running code."""
        parts = [self._measured_words() if self.old else "", self._failed_words() if self.old_failures else ""]
        parts.append(self._gone_words() if self.gone else "")
        return " ".join(part for part in parts if part)

    def as_json(self) -> dict[str, Any]:
        """Return the same for scripts; revisions are keys, so they are text."""
        return {
            "running": self.running,
            "measured": {str(key): count for key, count in sorted(self.measured.items())},
            "failed": {str(key): count for key, count in sorted(self.failed.items())},
            "measured_by_another": self.old,
            "note": self.note,
        }

    def _measured_words(self) -> str:
        runs = f"{count_text(self.total, 'run')}{' of this interaction' if self.interaction else ''}"
        every = self.old == self.total > 1
        share = f"All {runs}" if every else f"{number_text(self.old)} of {runs}"
        verb = "was" if self.old == 1 else "were"
        differ = "their numbers may differ for that reason alone"
        if len(self.measured) == 1:  # both sides alike: nothing is wrong with the comparison
            differ = "they compare alike, but may give other numbers when they are measured again"
        return f"{share} {verb} measured by {self._which(self.measured)} revision of {CODE}: {differ}."

    def _failed_words(self) -> str:
        if self.old:
            return f"{number_text(self.old_failures)} more failed under such a revision."
        runs, which = count_text(self.old_failures, "run"), self._which(self.failed)
        return f"{runs} failed under {which} revision of {CODE} and may be measurable now."

    def _gone_words(self) -> str:
        verb, their = ("is", "its recording is") if self.gone == 1 else ("are", "their recordings are")
        return f"{number_text(self.gone)} of them {verb} left as measured: {their} dropped, lost or damaged."

    def _which(self, counts: dict[int, int]) -> str:
        return "another" if max(counts) > self.running else "an earlier"


def revisions_of(pair: PairIds, interaction: int | None = None) -> Revisions:
    """Count the judged runs of two versions, or of one interaction on them, by revision: two queries at most."""
    # All runs of a pair are many: counted in the order of their index, none is sorted. Those of an interaction are
    # few, and an order of that kind would lead a database away from the index that finds them.
    kinds = ["status", "revision"] if interaction else ["os_version", "status", "revision"]
    counts = _judged(pair, interaction).values_list(*kinds).annotate(runs=Count("*"))
    found: dict[str, Counter[int]] = {RunStatus.DONE: Counter(), RunStatus.FAILED: Counter()}
    for *_, status, number, runs in counts:
        found[status][number] += runs
    measured, failed = dict(found[RunStatus.DONE]), dict(found[RunStatus.FAILED])
    unfilmed = measured.pop(NOT_MEASURED, 0)
    counted = Revisions(pair, interaction, revision.REVISION, measured, failed, unfilmed=unfilmed)
    if not counted.again:
        return counted
    return replace(counted, gone=_of_another(pair, interaction).filter(film_is(*GONE)).count())


def runs_to_measure_again(pair: PairIds, interaction: int | None = None) -> list[int]:
    """Return the ids of the judged runs that another revision than the running one measured, or failed on."""
    return list(_of_another(pair, interaction).filter(~film_is(*GONE)).values_list("pk", flat=True))


def _of_another(pair: PairIds, interaction: int | None) -> QuerySet[Run]:
    return _judged(pair, interaction).exclude(revision__in=[revision.REVISION, NOT_MEASURED])


def revision_words(run: Run) -> str:
    """Name the revision that a run was measured with, and the running one where it is another."""
    if not run.revision:
        return f"a revision of {CODE} from before they were numbered; the running one is {revision.REVISION}"
    later = "" if run.revision == revision.REVISION else f"; the running one is {revision.REVISION}"
    return f"revision {run.revision} of {CODE}{later}"


def _judged(pair: PairIds, interaction: int | None) -> QuerySet[Run]:
    # Said by what it is not: SQLite would take the index of the queue for it, and read every row of both versions.
    runs = pair.runs().filter(excluded=False).exclude(status__in=[RunStatus.PENDING, RunStatus.RUNNING])
    return runs.filter(interaction_id=interaction) if interaction else runs
