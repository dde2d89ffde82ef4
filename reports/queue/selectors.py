"""How far the queue is: in one line for the header of every page, and in full with time left and workers."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Sum
from django.utils import timezone

from analysis.verdicts.text import number_text
from reports.models import OsVersion, Run, RunStatus, WorkerHeartbeat

_RATE_RUNS = 50  # the last so many runs tell the rate …
_RATE_WINDOW = timedelta(minutes=10)  # … if they are that recent


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


@dataclass(frozen=True, slots=True)
class Counts:
    """Runs by status."""

    pending: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        """Return how many runs there are."""
        return self.pending + self.running + self.done + self.failed

    @property
    def finished(self) -> int:
        """Return how many were judged, whatever came out."""
        return self.done + self.failed

    @property
    def waiting(self) -> int:
        """Return how many are still on their way."""
        return self.pending + self.running


@dataclass(frozen=True, slots=True)
class Batch:
    """The runs of one OS version of which some are still on their way."""

    os_version: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class QueueState:
    """Everything that the pages and /api/queue/ tell about the queue."""

    counts: Counts
    batches: list[Batch]
    failures: dict[str, int]
    rate_per_min: float | None
    workers: int
    last_import_at: datetime | None

    @property
    def summary(self) -> QueueLine:
        """Return the same in one line, as the header of every page shows it."""
        return QueueLine(self.counts.total, self.counts.done + self.counts.failed, self.counts.failed)

    @property
    def worker_alive(self) -> bool:
        """Tell whether anybody would take a run from the queue."""
        return self.workers > 0

    @property
    def eta_s(self) -> float | None:
        """Return the seconds until the queue is empty at the present rate; None if nothing tells."""
        if not (self.counts.waiting and self.rate_per_min and self.worker_alive):
            return None
        return 60.0 * self.counts.waiting / self.rate_per_min


def queue_state() -> QueueState:
    """Read the state of the queue in six queries at most, whatever there is."""
    by_version = _counts_by_version()
    return QueueState(
        counts=_sum(by_version.values()),
        batches=_open_batches(by_version),
        failures=_failures(),
        rate_per_min=_rate_per_min(),
        workers=WorkerHeartbeat.objects.living().aggregate(total=Sum("processes"))["total"] or 0,
        last_import_at=Run.objects.order_by("-pk").values_list("created_at", flat=True).first(),
    )


def _counts_by_version() -> dict[int, Counts]:
    found: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Run.objects.order_by().values_list("os_version_id", "status").annotate(count=Count("pk"))
    for version_id, status, count in rows:
        found[version_id][status] = count
    return {version_id: Counts(**by_status) for version_id, by_status in found.items()}


def _sum(parts: Iterable[Counts]) -> Counts:
    parts = list(parts)
    return Counts(**{name: sum(getattr(part, name) for part in parts) for name in RunStatus.values})


def _open_batches(by_version: dict[int, Counts]) -> list[Batch]:
    names = OsVersion.objects.in_bulk([pk for pk, counts in by_version.items() if counts.waiting])
    return [Batch(version.name, by_version[pk]) for pk, version in sorted(names.items())]


def _failures() -> dict[str, int]:
    failed = Run.objects.filter(status=RunStatus.FAILED).order_by()
    counted = failed.values_list("outcome").annotate(count=Count("pk")).order_by("-count", "outcome")
    return {outcome or "worker": count for outcome, count in counted}


def _rate_per_min() -> float | None:
    """Return how many runs a minute were finished lately; None where fewer than two tell."""
    recent = Run.objects.filter(measured_at__gte=timezone.now() - _RATE_WINDOW).order_by("-measured_at")
    times = [time for time in recent.values_list("measured_at", flat=True)[:_RATE_RUNS] if time]
    span_s = (times[0] - times[-1]).total_seconds() if times else 0.0
    return 60.0 * (len(times) - 1) / span_s if span_s else None
