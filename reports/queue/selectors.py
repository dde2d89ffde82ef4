"""How far the queue is and why it stands, if it does: in one line for every page, and in full for scripts."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median

from django.db.models import Count, Q, QuerySet, Subquery, Sum

from analysis.verdicts.text import about_text, count_text, number_text
from reports.models import OsVersion, Run, RunStatus, WorkerHeartbeat, WorkerState

_NOT_DONE = [status for status in RunStatus.values if status != RunStatus.DONE]
_LAST_RUNS = 50  # the last so many runs tell how long one takes
_START_ONE = "start one with manage.py start or manage.py worker"


@dataclass(frozen=True, slots=True)
class Pace:
    """What the workers do and how fast. ``processes`` by what their worker does, ``run_s`` the median of a run."""

    processes: dict[str, int]
    run_s: float | None

    @property
    def alive(self) -> int:
        """Return how many processes measure, or soon will."""
        return sum(self.processes.values())

    @property
    def at_work(self) -> int:
        """Return how many processes measure."""
        return self.processes.get(WorkerState.WORKING, 0)

    @property
    def per_min(self) -> float | None:
        """Return how many runs a minute they measure; None if nothing tells."""
        return 60.0 * self.at_work / self.run_s if self.at_work and self.run_s else None

    def left_s(self, runs: int) -> float | None:
        """Return the seconds until so many runs are measured; None if nothing tells."""
        return 60.0 * runs / self.per_min if runs and self.per_min else None

    @property
    def obstacle(self) -> str:
        """Say in a few words why nothing is measured; nothing while somebody is at work."""
        if self.at_work:
            return ""
        if WorkerState.COMPILING in self.processes:
            return "compiling, first start"
        return "worker is starting" if self.processes else "no worker is running"

    @property
    def obstacle_sentence(self) -> str:
        """Say the same in a sentence, with its cure."""
        if self.at_work:
            return ""
        if WorkerState.COMPILING in self.processes:
            return "The worker compiles what looks at the pictures, about half a minute, on a first start only."
        return "The worker is starting." if self.processes else f"No worker is running: {_START_ONE}."


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
class QueueLine:
    """How far runs are, all of them or those of some versions.

    ``ahead`` counts the runs to measure until the last of these is done; ``pace`` is None where nothing waits and
    nobody asked.
    """

    total: int
    finished: int
    failed: int
    ahead: int = 0
    pace: Pace | None = None

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

    @property
    def left_s(self) -> float | None:
        """Return the seconds until the last of them is measured; None if nothing tells."""
        return self.pace.left_s(self.ahead) if self.pace and self.busy else None

    @property
    def why(self) -> str:
        """Say in a few words how long it still takes, or why it does not move; nothing while idle."""
        if not (self.busy and self.pace):
            return ""
        if self.pace.obstacle:
            return self.pace.obstacle
        return "measuring" if self.left_s is None else f"{about_text(self.left_s)} left"

    @property
    def sentence(self) -> str:
        """Say it all: how far, how long still, or what stands in the way and its cure."""
        if not self.busy:
            return f"All {count_text(self.total, 'run')} are judged." if self.total else ""
        far = f"{number_text(self.finished)} of {count_text(self.total, 'run')} judged"
        if self.pace and self.pace.obstacle:
            return f"{far}. {self.pace.obstacle_sentence}"
        return f"{far}, {self.why}." if self.left_s is not None else f"{far}."


def queue_line() -> QueueLine:
    """Tell how far the queue is: one query over what is not done, three more while anything waits.

    Those that are done are counted only then: there may be millions, and every page asks.
    """
    counts = Counts(**_by_status(Run.objects.filter(status__in=_NOT_DONE)))
    if counts.waiting:
        counts = replace(counts, done=Run.objects.filter(status=RunStatus.DONE).count())
    return _line(counts, ask_pace=False)


def progress_of(version_ids: Collection[int]) -> QueueLine:
    """Tell how far the runs of some versions are, with all that is measured before them: three queries, or four."""
    runs = Run.objects.filter(os_version__in=version_ids)
    return progress_of_runs(runs, Counts(**_by_status(runs)))


def progress_of_runs(runs: QuerySet[Run], counts: Counts) -> QueueLine:
    """Tell the same of any runs that were counted: two queries, or three."""
    waits = Q(status__in=[RunStatus.PENDING, RunStatus.RUNNING])
    ahead = 0
    if counts.waiting:
        last = runs.filter(waits).order_by("-pk").values("pk")[:1]
        ahead = Run.objects.filter(waits, pk__lte=Subquery(last)).count()
    return _line(counts, ahead=ahead)


def counts_of_batches(batch_ids: Collection[int]) -> dict[int, Counts]:
    """Count the runs of batches by their status; one query. A batch without runs is there, too."""
    found: dict[int, dict[str, int]] = {pk: {} for pk in batch_ids}
    rows = Run.objects.filter(batch__in=batch_ids).order_by().values_list("batch_id", "status")
    for pk, status, count in rows.annotate(count=Count("pk")):
        found[pk][status] = count
    return {pk: Counts(**by_status) for pk, by_status in found.items()}


def _by_status(runs: QuerySet[Run]) -> dict[str, int]:
    return dict(runs.order_by().values_list("status").annotate(Count("id")))


def _line(counts: Counts, *, ahead: int | None = None, ask_pace: bool = True) -> QueueLine:
    return QueueLine(
        total=counts.total,
        finished=counts.finished,
        failed=counts.failed,
        ahead=counts.waiting if ahead is None else ahead,
        pace=workers_pace() if ask_pace or counts.waiting else None,
    )


def workers_pace() -> Pace:
    """Ask the living workers what they do, and the last runs how long one takes: two queries."""
    living = WorkerHeartbeat.objects.living().order_by().values_list("state").annotate(Sum("processes"))
    last = (
        Run.objects.filter(measured_at__isnull=False).order_by("-measured_at").values_list("measuring_s", flat=True)
    )
    seconds = [took for took in last[:_LAST_RUNS] if took is not None]
    return Pace(dict(living), median(seconds) if seconds else None)


@dataclass(frozen=True, slots=True)
class OpenVersion:
    """The runs of one OS version of which some are still on their way."""

    os_version: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class QueueState:
    """Everything that the pages and /api/queue/ tell about the queue."""

    counts: Counts
    versions: list[OpenVersion]
    failures: dict[str, int]
    pace: Pace
    last_import_at: datetime | None

    @property
    def summary(self) -> QueueLine:
        """Return the same in one line, as the header of every page shows it."""
        counts = self.counts
        return QueueLine(counts.total, counts.finished, counts.failed, ahead=counts.waiting, pace=self.pace)

    @property
    def worker_alive(self) -> bool:
        """Tell whether anybody takes a run from the queue, or soon will."""
        return bool(self.pace.processes)

    @property
    def eta_s(self) -> float | None:
        """Return the seconds until the queue is empty; None if nothing tells."""
        return self.summary.left_s


def queue_state() -> QueueState:
    """Read the state of the queue in six queries at most, whatever there is."""
    by_version = _counts_by_version()
    return QueueState(
        counts=_sum(by_version.values()),
        versions=_open_versions(by_version),
        failures=_failures(),
        pace=workers_pace(),
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


def _open_versions(by_version: dict[int, Counts]) -> list[OpenVersion]:
    names = OsVersion.objects.in_bulk([pk for pk, counts in by_version.items() if counts.waiting])
    return [OpenVersion(version.name, by_version[pk]) for pk, version in sorted(names.items())]


def _failures() -> dict[str, int]:
    failed = Run.objects.filter(status=RunStatus.FAILED).order_by()
    counted = failed.values_list("outcome").annotate(count=Count("pk")).order_by("-count", "outcome")
    return {outcome or "worker": count for outcome, count in counted}
