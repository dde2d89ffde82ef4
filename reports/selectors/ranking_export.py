"""Ranking rows as plain dicts, in the words that commands and API use."""

from collections.abc import Iterator

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from reports.models import Comparison, Result, TriageState
from reports.triage.selectors import newest_entries

# Column: where it comes from.
COLUMNS = {
    "app": "interaction__app__name",
    "package": "interaction__app__package",
    "category": "interaction__app__category",
    "critical": "interaction__app__critical",
    "interaction": "interaction__name",
    "interaction_type": "interaction__type",
    "device": "device__name",
    "refresh_hz": "device__refresh_hz",
    **{
        name: name
        for name in (
            *("metric", "n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high"),
            *("p_value", "q_value", "cliffs_delta", "threshold", "times_threshold", "verdict", "severity"),
            *("runs_needed", "triage_state"),
        )
    },
}
CHUNK = 1000


def export_rows(comparison: Comparison, results: QuerySet[Result]) -> Iterator[dict[str, object]]:
    """Yield a dict for each result, in the order of the QuerySet, without holding all of them."""
    newest = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
    state = newest.filter(interaction=OuterRef("interaction")).values("state")[:1]
    rows = results.annotate(triage_state=Coalesce(Subquery(state), Value(TriageState.UNTRIAGED.value)))
    for row in rows.values_list(*COLUMNS.values()).iterator(chunk_size=CHUNK):
        yield dict(zip(COLUMNS, row, strict=True))
