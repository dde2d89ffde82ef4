"""From changed cells to result rows."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from analysis.metrics import METRICS
from analysis.policy.policy import Policy
from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.deciding import decide
from analysis.verdicts.outcomes import CENSORED, OUTCOME_METRIC, decide_outcomes
from analysis.verdicts.risk import worst_first
from analysis.verdicts.strata import CELL, STRATUM
from analysis.verdicts.words import VERDICTS
from reports.models import Comparison, Result
from reports.selectors.comparison_inputs import run_values, usable_runs
from reports.services.comparison_plan import Plan

KEYS = ("app", "interaction_type", *CELL, "metric")
STATISTICS = (
    *("n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high", "p_value"),
    *("q_value", "cliffs_delta", "threshold", "verdict", "times_threshold", "runs_needed"),
)
COPIED = (*STATISTICS, *STRATUM, "fingerprint")


def compute_rows(comparison: Comparison, plan: Plan, cells: pd.DataFrame, policy: Policy) -> list[Result]:
    """Decide all metrics of these cells; unsaved rows, q-values of them alone."""
    if cells.empty:
        return []
    runs = _runs_alike(plan, cells)
    samples = _samples(plan, runs, cells)
    outcomes = decide_outcomes(cells, policy)
    tables = [decide(samples, policy, keys=KEYS), outcomes.reindex(columns=[*KEYS, *STATISTICS, "severity"])]
    rows = pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)
    rows = rows.merge(cells[[*CELL, *STRATUM, "fingerprint"]], on=CELL)
    points = _points(samples, runs, rows)
    return list(_results(comparison, plan, rows, points))


def _runs_alike(plan: Plan, cells: pd.DataFrame) -> pd.DataFrame:
    runs = usable_runs(plan.pair, cells["interaction"].unique().tolist())
    facts = cells[[*CELL, *STRATUM, "app", "interaction_type"]]
    return runs.merge(facts, on=CELL + STRATUM)


def _samples(plan: Plan, runs: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Return one row per run and metric, only metrics that apply to the interaction's type."""
    values = run_values(plan.pair, cells["interaction"].unique().tolist())
    samples = runs.merge(values, on="run")
    return samples[_applies(samples)]


def _applies(samples: pd.DataFrame) -> pd.Series:
    fits = pd.Series(False, index=samples.index)
    for key, metric in METRICS.items():
        fits |= (samples["metric"] == key) & samples["interaction_type"].isin(metric.types)
    return fits


def _points(samples: pd.DataFrame, runs: pd.DataFrame, rows: pd.DataFrame) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return for each result the runs behind it: {"base": [[run, value], …], "new": …}; for outcomes 0 or 100 %."""
    odd = rows.loc[rows["metric"] == OUTCOME_METRIC, CELL]
    answers = runs.merge(odd, on=CELL).assign(metric=OUTCOME_METRIC)
    answers["value"] = 100.0 * answers["outcome"].isin(CENSORED)
    columns = [*CELL, "metric", "side", "run", "value"]
    everything = pd.concat([samples[columns], answers[columns]]).sort_values("run")
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for *key, side, run, value in zip(*(everything[name].tolist() for name in columns), strict=True):
        found.setdefault(tuple(key), {BASE: [], NEW: []})[side].append([run, value])
    return found


def _results(
    comparison: Comparison, plan: Plan, rows: pd.DataFrame, points: dict[tuple[Any, ...], dict[str, Any]]
) -> Iterator[Result]:
    ordered = worst_first(rows)
    worst = ~ordered.duplicated(CELL)
    for is_worst, row in zip(worst, ordered.to_dict("records"), strict=True):
        cell = (row["interaction"], row["device"])
        yield Result(
            comparison=comparison,
            interaction_id=row["interaction"],
            device_id=row["device"],
            metric=row["metric"],
            severity=row["severity"] or "",
            place=VERDICTS.index(row["verdict"]),
            worst=is_worst,
            points=points[(*cell, row["metric"])],
            left_out=plan.left_out.get(cell, {}),
            **{name: _known(row[name]) for name in COPIED},
        )


def _known(value: Any) -> Any:
    return None if value is pd.NA or (isinstance(value, float) and math.isnan(value)) else value
