"""The state of the queue in one line, for the header of every page."""

from dataclasses import dataclass

from django.db.models import Count

from analysis.verdicts.text import number_text
from reports.models import Run, RunStatus


@dataclass(frozen=True)
class QueueLine:
    """How far the queue is, in runs."""

    total: int
    finished: int
    failed: int

    @property
    def busy(self) -> bool:
        """Tell whether runs are still waiting or being measured."""
        return self.finished < self.total

    @property
    def line(self) -> str:
        """Say it in a few words."""
        if self.busy:
            return f"{number_text(self.finished)} of {number_text(self.total)}"
        return "idle"


def queue_line() -> QueueLine:
    """Count the runs by status, in one query over an index."""
    counts = dict(Run.objects.order_by().values_list("status").annotate(Count("id")))
    failed = counts.get(RunStatus.FAILED, 0)
    return QueueLine(total=sum(counts.values()), finished=failed + counts.get(RunStatus.DONE, 0), failed=failed)
