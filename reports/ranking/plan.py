"""What to record tonight: the runs that would let a comparison say more, as a page and as a manifest to fill in."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Max

from analysis.verdicts.words import MORE_RUNS_NEEDED
from reports.models import Comparison, Device, Interaction, Result, Run
from reports.ranking.selectors import RankingFilter, chosen_interactions

# The columns that a plan fills, and in their place those that the recorder does (docs/manifest.md).
COLUMNS = (
    *("os_version", "device", "app", "app_version", "package", "category", "interaction", "interaction_type"),
    *("scenario", "repetition", "capture", "video", "action_ms", "x", "y", "refresh_hz", "recorded_at"),
)


@dataclass(frozen=True)
class PlanRow:
    """An interaction on a device that needs ``needed`` more runs on either version to say more about ``metric``.

    ``have`` counts the runs behind its result, ``next_repetition`` the first free number; baseline, updated.
    """

    interaction: Interaction
    device: Device
    app_version: str
    capture: str
    metric: str
    needed: int
    have: tuple[int, int]
    next_repetition: tuple[int, int]
    too_few: bool  # to test at all; else the medians differ by more than the threshold and nobody can be sure

    @property
    def last_repetition(self) -> tuple[int, int]:
        """Return the last number to record on either version."""
        base, new = self.next_repetition
        return base + self.needed - 1, new + self.needed - 1


@dataclass(frozen=True)
class RecordingPlan:
    """All rows of a comparison that need more runs: first what cannot be tested at all, then by app."""

    comparison: Comparison
    rows: tuple[PlanRow, ...]

    @property
    def recordings(self) -> int:
        """Return how many screencasts that is, both versions together."""
        return 2 * sum(row.needed for row in self.rows if row.interaction.filmed)

    @property
    def too_few(self) -> int:
        """Return how many rows have too few runs to be tested."""
        return sum(row.too_few for row in self.rows)

    @property
    def unsure(self) -> int:
        """Return how many rows moved past the threshold without anybody being sure."""
        return len(self.rows) - self.too_few


def load_plan(comparison: Comparison, wanted: RankingFilter) -> RecordingPlan:
    """Load what needs more runs in the part of a comparison that the filters of apps and interactions leave.

    The metric that needs most stands for its interaction. Two queries.
    """
    results = Result.objects.filter(comparison=comparison, runs_needed__gt=0)
    chosen = chosen_interactions(wanted)
    if chosen is not None:
        results = results.filter(interaction__in=chosen)
    if wanted.device:
        results = results.filter(device=wanted.device)
    most: dict[tuple[int, int], Result] = {}
    rows = results.select_related("interaction__app", "device").defer("points", "left_out")
    for result in rows.order_by("-runs_needed", "id"):
        most.setdefault((result.interaction_id, result.device_id), result)
    taken = _last_repetitions(comparison, {interaction for interaction, _ in most})
    plan = (_plan_row(comparison, result, taken) for result in most.values())
    return RecordingPlan(comparison, tuple(sorted(plan, key=lambda row: (not row.too_few, *_by_name(row)))))


def _last_repetitions(comparison: Comparison, interactions: set[int]) -> dict[tuple[int, int, int], int]:
    """Return (interaction, device, version) → the highest repetition that any run has, whatever became of it."""
    runs = Run.objects.filter(os_version__in=[comparison.base_id, comparison.new_id], interaction__in=interactions)
    groups = runs.order_by().values_list("interaction", "device", "os_version").annotate(Max("repetition"))
    return {(interaction, device, version): last for interaction, device, version, last in groups}


def _plan_row(comparison: Comparison, result: Result, taken: dict[tuple[int, int, int], int]) -> PlanRow:
    place = (result.interaction_id, result.device_id)
    return PlanRow(
        interaction=result.interaction,
        device=result.device,
        app_version=result.app_version,
        capture=result.capture,
        metric=result.metric,
        needed=result.runs_needed or 0,
        have=(result.n_base, result.n_new),
        next_repetition=(
            taken.get((*place, comparison.base_id), 0) + 1,
            taken.get((*place, comparison.new_id), 0) + 1,
        ),
        too_few=result.verdict == MORE_RUNS_NEEDED,
    )


def _by_name(row: PlanRow) -> tuple[str, str, str]:
    return row.interaction.app.name, row.interaction.name, row.device.name


def _filmed(row: PlanRow) -> bool:
    return row.interaction.filmed


def plan_lines(plan: RecordingPlan) -> Iterator[tuple[object, ...]]:
    """Yield the header and a line for each run to record: first all of the baseline, as it is flashed once.

    What a benchmark measures is not recorded, and has none.
    """
    yield COLUMNS
    for side, version in enumerate((plan.comparison.base.name, plan.comparison.new.name)):
        for row in sorted(filter(_filmed, plan.rows), key=lambda row: (row.device.name, *_by_name(row))):
            for repetition in range(row.next_repetition[side], row.last_repetition[side] + 1):
                alike = {"app_version": row.app_version, "capture": row.capture}
                yield line_to_record(row.interaction, row.device, version, repetition, **alike)


def line_to_record(
    interaction: Interaction, device: Device, version: str, repetition: int, *, app_version: str, capture: str
) -> tuple[object, ...]:
    """Return the cells of ``COLUMNS`` for one run to record."""
    app = interaction.app
    what = (version, device.name, app.name, app_version, app.package, app.category)
    script = (interaction.name, interaction.type, interaction.scenario, repetition, capture)
    recorded = ("", "", "", "")  # video, action_ms, x, y: the recorder knows
    return *what, *script, *recorded, f"{device.refresh_hz:g}", ""
