"""One page of ranking rows, with their dot strips; the values of runs are read for these rows alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from reports.dotstrip import DotStrip, dot_strip
from reports.models import Comparison, Result, Run, TriageState
from reports.selectors.triage import triage_states


@dataclass(frozen=True)
class RankingRow:
    """A result as the ranking shows it."""

    result: Result
    strip: DotStrip | None
    has_videos: bool
    state: str  # of triage


def load_rows(comparison: Comparison, ids: Sequence[int]) -> list[RankingRow]:
    """Load results with their interaction, app and device, in the order of ``ids``: three queries."""
    found = Result.objects.select_related("interaction__app", "device").in_bulk(list(ids))
    results = [found[key] for key in ids if key in found]
    interactions = {row.interaction_id for row in results}
    filmed = _filmed(comparison, interactions)
    states = triage_states(base_id=comparison.base_id, new_id=comparison.new_id, interaction_ids=interactions)
    return [
        RankingRow(
            result=row,
            strip=dot_strip(row),
            has_videos=row.interaction_id in filmed,
            state=states.get(row.interaction_id, TriageState.UNTRIAGED.value),
        )
        for row in results
    ]


def _filmed(comparison: Comparison, interactions: set[int]) -> set[int]:
    """Return the interactions that have a screencast on both versions."""
    pair = [comparison.base_id, comparison.new_id]
    runs = Run.objects.filter(os_version__in=pair, interaction__in=interactions).exclude(file_name="")
    seen = set(runs.order_by().values_list("interaction", "os_version").distinct())
    return {key for key in interactions if all((key, version) in seen for version in pair)}
