"""The runs of one interaction on one side of a comparison, and which of them is shown first."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch

from reports.media.files import Film, film_of, with_file_state
from reports.models import Correction, Interaction, OsVersion, Result, Run, RunStatus

CENSORED = {
    "no_response": "nothing changed after the action",
    "never_settles": "the screen never came to rest",
}
LABELS = {"base": "Baseline", "new": "Updated"}
WORDS = {"censored": "no answer", "left_out": "left out", "waiting": "in the queue"}


@dataclass(frozen=True)
class RunRow:
    """One run as the page lists it. ``state``: used, censored, excluded, left_out, failed or waiting."""

    run: Run
    state: str
    reason: str
    values: dict[str, float]
    corrected: bool

    @property
    def id(self) -> int:
        """The run's primary key."""
        return self.run.pk

    @property
    def state_words(self) -> str:
        """The state as a person reads it."""
        return WORDS.get(self.state, self.state)

    @property
    def film(self) -> Film:
        """What became of the screencast."""
        return film_of(self.run)

    @property
    def number(self) -> int:
        """The repetition, as the manifest numbers it."""
        return self.run.repetition


@dataclass(frozen=True)
class Side:
    """One of the two versions: its runs in order of repetition, and the chosen one (None: no run at all)."""

    key: str
    version: OsVersion
    runs: tuple[RunRow, ...]
    chosen: RunRow | None

    @property
    def label(self) -> str:
        """How pages call this side."""
        return LABELS[self.key]


def load_runs(interaction: Interaction, version_ids: Iterable[int]) -> list[Run]:
    """Load all runs of the interaction on these versions with their measurements and corrections: three queries."""
    runs = with_file_state(Run.objects.filter(interaction=interaction, os_version__in=list(version_ids)))
    in_force = Prefetch("corrections", Correction.objects.filter(withdrawn_at=None))
    rows = runs.select_related("device").prefetch_related("measurements", in_force)
    return list(rows.order_by("repetition", "id"))


def build_side(
    key: str, version: OsVersion, runs: list[Run], results: Iterable[Result], wanted: int | None
) -> Side:
    """Describe one side; ``wanted`` is the run asked for, else the one nearest the median is chosen."""
    used = {run_id for result in results for run_id, _ in result.points.get(key, [])}
    rows = tuple(_row(run, used) for run in runs if run.os_version_id == version.pk)
    by_id = {row.id: row for row in rows}
    chosen = by_id.get(wanted or 0) or by_id.get(typical_run(key, results) or 0)
    return Side(key, version, rows, chosen or _first(rows))


def typical_run(key: str, results: Iterable[Result]) -> int | None:
    """Return the id of the run nearest its side's median on the worst metric (the first result that has one)."""
    for result in results:
        median = result.median_base if key == "base" else result.median_new
        points = result.points.get(key) or []
        if median is not None and points:
            return min(points, key=lambda point: (abs(point[1] - median), point[0]))[0]
    return None


def _first(rows: tuple[RunRow, ...]) -> RunRow | None:
    order = {"used": 0, "left_out": 1, "censored": 2, "excluded": 3, "failed": 4, "waiting": 5}
    return min(rows, key=lambda row: order[row.state], default=None)


def _row(run: Run, used: set[int]) -> RunRow:
    values = {measurement.metric: measurement.value for measurement in run.measurements.all()}
    return RunRow(run, *_state(run, used), values, bool(run.corrections.all()))


def _state(run: Run, used: set[int]) -> tuple[str, str]:
    if run.excluded:
        return "excluded", run.excluded_reason
    if run.status == RunStatus.FAILED:
        return "failed", run.error
    if run.status != RunStatus.DONE:
        return "waiting", "not measured yet"
    if run.outcome in CENSORED:
        return "censored", CENSORED[run.outcome]
    if used and run.pk not in used:
        return "left_out", "differs in device, capture or app version from the runs compared"
    return "used", ""
