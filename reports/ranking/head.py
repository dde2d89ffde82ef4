"""What stands above every view of a comparison: the verdict, notes on it, and how far it is if it is not done."""

from dataclasses import dataclass

from reports.comparing.inputs import PairIds
from reports.comparing.revisions import Revisions, revisions_of
from reports.comparing.selectors import Pair
from reports.models import Comparison, ComparisonStatus
from reports.policies.selectors import EVERYTHING, Part
from reports.queue.selectors import QueueLine, progress_of
from reports.ranking.summary import VerdictSummary, verdict_summary
from reports.triage.selectors import FixCheck, fix_checks, triage_counts

UNDER_WAY = (ComparisonStatus.PENDING, ComparisonStatus.RUNNING)


@dataclass(frozen=True)
class Progress:
    """How far a comparison is of which there is no up-to-date result.

    ``waits_for``: "result" while it is queued or computed, "runs" while runs of it are not judged, else nothing.
    """

    runs: QueueLine
    waits_for: str
    sentence: str


@dataclass(frozen=True)
class Head:
    """The head of the views of a comparison. All but ``progress`` is missing before the first computation."""

    progress: Progress | None = None
    part: Part = EVERYTHING
    summary: VerdictSummary | None = None
    revisions: Revisions | None = None
    triaged: tuple[tuple[str, int], ...] = ()
    fixes: tuple[FixCheck, ...] = ()  # of what was marked fixed in the updated version

    @property
    def notes(self) -> int:
        """Count what is worth knowing about these numbers: what is not in them, what else may move them."""
        missing = self.summary and (self.summary.gaps or self.summary.left_out)
        policy = self.summary and self.summary.newer_policy
        doubtful = self.summary and self.summary.doubtful
        return sum(map(bool, (missing, doubtful, policy, self.fixes, self.revisions and self.revisions.note)))

    @property
    def failed_fixes(self) -> int:
        """Count what was marked fixed in the updated version and regressed all the same."""
        return sum(fix.regressed for fix in self.fixes)


def load_head(pair: Pair, part: Part = EVERYTHING) -> Head:
    """Load the head of a pair of versions: six queries, and the progress' own while it is not settled.

    Every view asks here, so that none says another thing, nor has its tabs in another place.
    """
    comparison = pair.comparison
    settled = comparison and comparison.status == ComparisonStatus.DONE and not comparison.stale
    progress = None if settled else load_progress(pair)
    if comparison is None or not comparison.summary:
        return Head(progress, part)
    return Head(
        progress=progress,
        part=part,
        summary=verdict_summary(comparison, part),
        revisions=revisions_of(PairIds.of(comparison)),
        triaged=tuple(triage_counts(comparison, part)),
        fixes=tuple(fix_checks(comparison)),
    )


def load_progress(pair: Pair) -> Progress:
    """Count the runs of both versions and say what the comparison waits for, if it does."""
    runs = progress_of([pair.base.pk, pair.new.pk])
    comparison = pair.comparison
    if comparison is None:
        return Progress(runs, "", "")
    if comparison.status in UNDER_WAY:
        return Progress(runs, "result", _result_sentence(comparison, runs))
    if comparison.stale and runs.busy:
        return Progress(runs, "runs", f"{_earlier(comparison)}Runs are still being measured: {runs.sentence}")
    return Progress(runs, "", "")


def _result_sentence(comparison: Comparison, runs: QueueLine) -> str:
    again = " again" if comparison.summary else ""
    if runs.pace and runs.pace.obstacle:
        return f"{_earlier(comparison)}Waits to be computed{again}. {runs.pace.obstacle_sentence}"
    if comparison.status == ComparisonStatus.RUNNING:
        return f"{_earlier(comparison)}Being computed{again}: a few seconds."
    return f"{_earlier(comparison)}Next to be computed{again}, after what is being measured now."


def _earlier(comparison: Comparison) -> str:
    return "Shown: the last results. " if comparison.summary else ""
