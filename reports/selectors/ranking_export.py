"""Ranking rows as plain dicts, in the words that commands and API use."""

from collections.abc import Iterator

from django.db.models import QuerySet

from reports.models import Result

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
            "runs_needed",
        )
    },
}
CHUNK = 1000


def export_rows(results: QuerySet[Result]) -> Iterator[dict[str, object]]:
    """Yield a dict for each result, in the order of the QuerySet, without holding all of them."""
    for row in results.values_list(*COLUMNS.values()).iterator(chunk_size=CHUNK):
        yield dict(zip(COLUMNS, row, strict=True))
