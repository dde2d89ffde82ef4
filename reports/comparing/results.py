"""The stored results of a comparison as a table that analysis takes."""

import pandas as pd
from django.db.models import Q

from analysis.policy.policy import LEAVE_OUT, Policy
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


def by_measuring_rules(comparison: Comparison, table: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Return a result table with the statistics that a policy's rule about doubtful values gives.

    Both were computed with the results, of those that have any; two queries where the rule is another. ``table``
    is as ``result_table`` returns it.
    """
    if policy.measuring.leaves_out == left_out_by(comparison):
        return table
    rows = comparison.results.order_by("pk").filter(Q(doubtful_base__gt=0) | Q(doubtful_new__gt=0))
    said = {pk: other for pk, other in rows.values_list("pk", "otherwise") if other}
    if not said:
        return table
    places = {pk: at for at, pk in enumerate(comparison.results.order_by("pk").values_list("pk", flat=True))}
    other = pd.DataFrame(list(said.values()), index=[places[pk] for pk in said]).astype(float)
    out = table.copy()
    out.loc[other.index, other.columns] = other
    return out


def left_out_by(comparison: Comparison) -> bool:
    """Tell whether the stored results leave out what is doubtful."""
    return comparison.policy.get("measuring", {}).get("doubtful") == LEAVE_OUT


def result_table(comparison: Comparison) -> pd.DataFrame:
    """Return one row per result: app is the package, interaction its name; severity is None where there is none."""
    rows = comparison.results.order_by("pk").values_list(*PLACES.values(), *WORDS, *NUMBERS)
    table = pd.DataFrame.from_records(list(rows), columns=[*PLACES, *WORDS, *NUMBERS])
    numbers = table[list(NUMBERS)].astype(float)
    severity = table["severity"].astype(object).where(table["severity"] != "", None)
    return table.assign(severity=severity, **{name: numbers[name] for name in NUMBERS})
