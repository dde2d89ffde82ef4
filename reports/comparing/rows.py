"""From changed cells to result rows: compute them, write them, and what follows from all of them together."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import pandas as pd
from django.db import connection

from analysis.policy.policy import COUNT, LEAVE_OUT, MeasuringRules, Policy
from analysis.statistics.effects import q_of_one_sided
from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.deciding import STATISTICS as MEASURED
from analysis.verdicts.deciding import decide
from analysis.verdicts.judging import judge
from analysis.verdicts.outcomes import CENSORED, OUTCOME_METRIC, decide_outcomes
from analysis.verdicts.risk import speaks_for, worst_first
from analysis.verdicts.strata import CELL, STRATUM
from analysis.verdicts.words import MORE_RUNS_NEEDED, VERDICTS
from reports.comparing.inputs import counted, runs_alike, samples_of
from reports.comparing.plan import Plan
from reports.models import Comparison, Confidence, Result

KEYS = ("app", "interaction_type", *CELL, "metric")
STATISTICS = (
    *("n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high", "p_value"),
    *("q_value", "cliffs_delta", "threshold", "verdict", "times_threshold", "runs_needed"),
)
OTHERWISE = ("n_base", "n_new", *MEASURED)  # what is judged: all else follows
DOUBTS = ("doubtful_base", "doubtful_new")
COPIED = (*STATISTICS, *STRATUM, "fingerprint")
_NAMES = ("comparison", "interaction", "device", "metric")
_VALUES = [
    field.name for field in Result._meta.concrete_fields if not field.primary_key and field.name not in _NAMES
]
_BATCH = 500


def compute_rows(comparison: Comparison, plan: Plan, cells: pd.DataFrame, policy: Policy) -> list[Result]:
    """Decide all metrics of these cells; unsaved rows, q-values of them alone."""
    if cells.empty:
        return []
    runs = runs_alike(plan.pair, cells)
    found = samples_of(plan.pair, runs)
    samples, outcomes = counted(found, policy), decide_outcomes(cells, policy)
    tables = [_decided(found, samples, policy), outcomes.reindex(columns=[*KEYS, *STATISTICS, "severity"])]
    rows = pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)
    rows = rows.merge(cells[[*CELL, *STRATUM, "fingerprint"]], on=CELL)
    rows = rows.merge(doubtful_counts(found), on=[*CELL, "metric"], how="left").fillna(dict.fromkeys(DOUBTS, 0))
    points = _points(samples, runs, rows)
    return list(_results(comparison, plan, rows, points, otherwise(found, policy)))


def otherwise(samples: pd.DataFrame, policy: Policy) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the statistics of each result with doubtful values by the other rule about these.

    Kept with the result, so that a preview of that rule computes none.
    """
    doubted = samples.merge(doubtful_counts(samples)[[*CELL, "metric"]], on=[*CELL, "metric"])
    if doubted.empty:
        return {}
    choice = COUNT if policy.measuring.leaves_out else LEAVE_OUT
    other = replace(policy, measuring=MeasuringRules(choice))
    rows = _decided(doubted, counted(doubted, other), other)
    return {
        (row["interaction"], row["device"], row["metric"]): {name: _known(row[name]) for name in OTHERWISE}
        for row in rows.to_dict("records")
    }


def _decided(found: pd.DataFrame, samples: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Decide the samples that count; a metric that was found, and of which none counts, needs more runs."""
    rows = decide(samples, policy, keys=KEYS)
    every = found[list(KEYS)].drop_duplicates().merge(rows[list(KEYS)], how="left", indicator=True)
    without = every.loc[every["_merge"] == "left_only", list(KEYS)]
    if without.empty:
        return rows
    empty = without.assign(n_base=0, n_new=0, **dict.fromkeys(MEASURED, math.nan))
    return pd.concat([table for table in (rows, judge(empty, policy)) if len(table)], ignore_index=True)


def doubtful_counts(samples: pd.DataFrame) -> pd.DataFrame:
    """Count per cell and metric the runs whose value is doubtful: interaction, device, metric, DOUBTS."""
    doubtful = samples[samples["confidence"] == Confidence.DOUBTFUL]
    counts = doubtful.groupby([*CELL, "metric", "side"]).size().unstack("side", fill_value=0)
    counts = counts.reindex(columns=[BASE, NEW], fill_value=0)
    return counts.set_axis(list(DOUBTS), axis=1).reset_index()


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
    comparison: Comparison,
    plan: Plan,
    rows: pd.DataFrame,
    points: dict[tuple[Any, ...], dict[str, Any]],
    other: dict[tuple[Any, ...], dict[str, Any]],
) -> Iterator[Result]:
    ordered = worst_first(rows)
    worst = speaks_for(ordered, CELL)
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
            points=points.get((*cell, row["metric"]), {BASE: [], NEW: []}),
            left_out=plan.left_out.get(cell, {}),
            **{name: _known(row[name]) for name in COPIED},
            **{name: int(row[name]) for name in DOUBTS},
            otherwise=other.get((*cell, row["metric"]), {}),
        )


def _known(value: Any) -> Any:
    return None if value is pd.NA or (isinstance(value, float) and math.isnan(value)) else value


def stored_fingerprints(comparison: Comparison) -> dict[tuple[int, int], str]:
    """Return the fingerprint of every stored cell."""
    rows = comparison.results.values_list("interaction_id", "device_id", "fingerprint")
    return {(interaction, device): fingerprint for interaction, device, fingerprint in rows}


def store_rows(comparison: Comparison, rows: Collection[Result], *, vanished: Collection[tuple[int, int]]) -> None:
    """Upsert ``rows``; delete what their cells, or ``vanished`` cells, had besides."""
    Result.objects.filter(pk__in=_outdated(comparison, rows, vanished)).delete()
    Result.objects.bulk_create(
        rows, batch_size=_BATCH, update_conflicts=True, unique_fields=_NAMES, update_fields=_VALUES
    )


def refresh_q_values(comparison: Comparison) -> None:
    """Compute the q-values over all rows of the comparison and write those that moved."""
    fields = ["id", "p_value", "q_value", "verdict"]
    rows = pd.DataFrame.from_records(list(comparison.results.values_list(*fields)), columns=fields)
    tested = rows[(rows["verdict"] != MORE_RUNS_NEEDED) & rows["p_value"].notna()]
    q = q_of_one_sided(tested["p_value"])
    moved = ~((tested["q_value"].astype(float) - q).abs() < 1e-9)
    updates = list(zip(q[moved.to_numpy()].tolist(), tested.loc[moved, "id"].tolist(), strict=True))
    with connection.cursor() as cursor:  # one prepared statement; a CASE over thousands of rows takes seconds
        cursor.executemany(f"UPDATE {Result._meta.db_table} SET q_value = %s WHERE id = %s", updates)


def _outdated(comparison: Comparison, rows: Collection[Result], vanished: Collection[tuple[int, int]]) -> list[int]:
    kept = {(row.interaction_id, row.device_id, row.metric) for row in rows}
    touched = {key[:2] for key in kept} | set(vanished)
    known = comparison.results.values_list("id", "interaction_id", "device_id", "metric")
    return [
        id_
        for id_, interaction, device, metric in known
        if (interaction, device) in touched and (interaction, device, metric) not in kept
    ]
