"""The stored results of a comparison as a table that analysis takes."""

import pandas as pd

from reports.models import Comparison

PLACES = {
    "app": "interaction__app__package",
    "app_name": "interaction__app__name",
    "category": "interaction__app__category",
    "interaction": "interaction__name",
    "interaction_type": "interaction__type",
    "device": "device__name",
}
WORDS = ("metric", "verdict", "severity")
NUMBERS = (
    *("n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high", "p_value"),
    *("q_value", "cliffs_delta", "threshold", "times_threshold", "runs_needed"),
)


def result_table(comparison: Comparison) -> pd.DataFrame:
    """Return one row per result: app is the package, interaction its name; severity is None where there is none."""
    rows = comparison.results.order_by().values_list(*PLACES.values(), *WORDS, *NUMBERS)
    table = pd.DataFrame.from_records(list(rows), columns=[*PLACES, *WORDS, *NUMBERS])
    numbers = table[list(NUMBERS)].astype(float)
    severity = table["severity"].astype(object).where(table["severity"] != "", None)
    return table.assign(severity=severity, **{name: numbers[name] for name in NUMBERS})
