"""One page of ranking rows, with their dot strips; the values of runs are read for these rows alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from reports.dotstrip import DotStrip, dot_strip
from reports.models import Comparison, Result, Run


@dataclass(frozen=True)
class RankingRow:
    """A result as the ranking shows it."""

    result: Result
    strip: DotStrip | None
    has_videos: bool


def load_rows(comparison: Comparison, ids: Sequence[int]) -> list[RankingRow]:
    """Load results with their interaction, app and device, in the order of ``ids``: two queries."""
    found = Result.objects.select_related("interaction__app", "device").in_bulk(list(ids))
    results = [found[key] for key in ids if key in found]
    filmed = _filmed(comparison, {row.interaction_id for row in results})
    return [RankingRow(row, dot_strip(row), row.interaction_id in filmed) for row in results]


def _filmed(comparison: Comparison, interactions: set[int]) -> set[int]:
    """Return the interactions that have a screencast on both versions."""
    pair = [comparison.base_id, comparison.new_id]
    runs = Run.objects.filter(os_version__in=pair, interaction__in=interactions).exclude(file_name="")
    seen = set(runs.order_by().values_list("interaction", "os_version").distinct())
    return {key for key in interactions if all((key, version) in seen for version in pair)}
