"""Tell how far the history of a line is behind what it is computed from, in words for its pages."""

from dataclasses import dataclass

from analysis.verdicts.text import count_text, number_text
from reports.history.line import behind_among
from reports.history.matrix import Line
from reports.models import Run, RunStatus, VersionHistory
from reports.queue.selectors import progress_of, workers_pace


@dataclass(frozen=True)
class HistoryState:
    """How many ``versions`` a line has, how many of them ``wait``, and in words what for and what is shown."""

    versions: int
    wait: int
    sentence: str = ""


def load_state(line: Line) -> HistoryState:
    """Load the state of a line: two queries, and up to six more while anything waits."""
    late = [row.version_id for row in behind_among(line.versions)]
    if not late:
        return HistoryState(len(line.versions), 0)
    which = f"{number_text(len(late))} of {count_text(len(line.versions), 'version')}"
    if len(late) == len(line.versions):
        which = "every version" if len(late) > 1 else "this version"
    before = VersionHistory.objects.filter(version__in=line.versions, computed_at__isnull=False).exists()
    shown, again = ("Shown: the last results. ", " again") if before else ("", "")
    return HistoryState(
        len(line.versions), len(late), f"{shown}The history of {which} is to be computed{again}. {_why(late)}"
    )


def _why(version_ids: list[int]) -> str:
    """Say what it waits for."""
    open_runs = Run.objects.filter(os_version__in=version_ids, status__in=[RunStatus.PENDING, RunStatus.RUNNING])
    if open_runs.exists():
        return f"Runs are still being measured: {progress_of(version_ids).sentence}"
    return workers_pace().obstacle_sentence or "A minute or two."
