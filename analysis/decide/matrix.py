"""Where an update hurts: results by app category and interaction type."""

import pandas as pd

from analysis.decide.words import MORE_RUNS_NEEDED, REGRESSION

ROW, COLUMN = "category", "interaction_type"


def regression_matrix(results: pd.DataFrame, *, metric: str | None = None) -> pd.DataFrame:
    """Return one row per app category and interaction type that has results, for one metric or all together.

    ``results`` has app, category, interaction, interaction_type, metric, verdict, delta, delta_pct. The answer:
    category, interaction_type, apps, regressed_apps, interactions, decided, regressed (interactions), regressed_pct
    (of the decided; missing if none is), median_delta (of all results, in the metric's unit; missing over several
    metrics) and median_delta_pct.
    """
    rows = results if metric is None else results[results["metric"] == metric]
    marked = rows.assign(regressed=rows["verdict"] == REGRESSION, decided=rows["verdict"] != MORE_RUNS_NEEDED)
    each = marked.groupby([ROW, COLUMN, "app", "interaction"])[["regressed", "decided"]].any().reset_index()
    cells = each.groupby([ROW, COLUMN]).agg(
        apps=("app", "nunique"),
        interactions=("interaction", "size"),
        decided=("decided", "sum"),
        regressed=("regressed", "sum"),
    )
    hit = each[each["regressed"]].groupby([ROW, COLUMN])["app"].nunique()
    medians = marked.groupby([ROW, COLUMN])[["delta", "delta_pct"]].median().add_prefix("median_")
    cells["regressed_apps"] = hit.reindex(cells.index, fill_value=0)
    cells["regressed_pct"] = 100.0 * cells["regressed"] / cells["decided"].where(cells["decided"] > 0)
    cells = cells.join(medians)
    if rows["metric"].nunique() > 1:
        cells["median_delta"] = float("nan")
    return cells.reset_index()
