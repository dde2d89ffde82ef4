"""How many values of a comparison are doubtful, per metric: kept with its summary, said in words in every face."""

from collections.abc import Mapping

import pandas as pd
from django.db.models import Q

from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.sentences import metric_label
from analysis.verdicts.text import count_text
from reports.comparing.results import left_out_by
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


def doubts_note(comparison: Comparison, counts: Mapping[str, Mapping[str, int]]) -> str:
    """Say the same of a comparison, or of a part of it, as it was computed."""
    return doubts_sentence(counts, left_out=left_out_by(comparison))


def doubts_sentence(counts: Mapping[str, Mapping[str, int]], *, left_out: bool = False) -> str:
    """Say how many values are doubtful, and what becomes of them; nothing where none is."""
    parts = [f"{count_text(sum(sides.values()), metric_label(key).lower())}" for key, sides in counts.items()]
    if not parts:
        return ""
    listed = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    alone = sum(sum(sides.values()) for sides in counts.values()) == 1
    verb, it = ("is", "it") if alone else ("are", "them")
    if left_out:
        return f"{listed} {verb} doubtful and left out, as the policy says, until a person settles {it}."
    they = "It counts" if alone else "They count"
    return f"{listed} {verb} doubtful. {they} as measured until a person settles {it}."
