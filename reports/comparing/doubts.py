"""How many values of a comparison are doubtful, per metric: kept with its summary, said in words in every face."""

from collections.abc import Mapping

import pandas as pd
from django.db.models import Q

from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.sentences import metric_label
from analysis.verdicts.text import count_text
from reports.models import Comparison

_FIELDS = ("doubtful_base", "doubtful_new")


def doubts_table(comparison: Comparison) -> pd.DataFrame:
    """Return the results with something doubtful: app (package), interaction_type, metric, base, new; one query."""
    rows = comparison.results.filter(Q(doubtful_base__gt=0) | Q(doubtful_new__gt=0)).order_by()
    names = ["interaction__app__package", "interaction__type", "metric", *_FIELDS]
    columns = ["app", "interaction_type", "metric", BASE, NEW]
    return pd.DataFrame.from_records(list(rows.values_list(*names)), columns=columns)


def doubts_json(table: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Return the doubtful values of a part of the table by metric: ``{metric: {"base": 1, "new": 0}}``."""
    sums = table.groupby("metric", sort=True)[[BASE, NEW]].sum()
    return {str(metric): {side: int(row[side]) for side in (BASE, NEW)} for metric, row in sums.iterrows()}


def doubts_sentence(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Say how many values are doubtful, and what becomes of them; nothing where none is."""
    parts = [f"{count_text(sum(sides.values()), metric_label(key).lower())}" for key, sides in counts.items()]
    if not parts:
        return ""
    listed = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    alone = sum(sum(sides.values()) for sides in counts.values()) == 1
    verb, it, they = ("is", "it", "It counts") if alone else ("are", "them", "They count")
    return f"{listed} {verb} doubtful. {they} until a person settles {it}."
