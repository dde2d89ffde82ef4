"""How badly interactions and apps got worse: from result rows to two rankings."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.verdicts.words import IMPROVEMENT, MORE_RUNS_NEEDED, REGRESSION, VERDICTS

LAUNCH_METRIC = "launch_time_ms"  # a launch is judged by it before all else


def interaction_summary(results: pd.DataFrame, *, keys: Sequence[str] = ("app", "interaction")) -> pd.DataFrame:
    """Return one row per interaction: its verdict and severity, those of its worst row, worst first.

    ``results`` are rows of ``decide``, over all metrics and devices. Columns of the answer: ``keys``, verdict
    (regression if any row regressed, else improvement, imperceptible, no_change; more_runs_needed only if no row
    could be decided), severity, times_threshold (of the worst row), decided.
    """
    if results.empty:
        return pd.DataFrame(columns=[*keys, "verdict", "severity", "times_threshold", "decided"])
    rows = worst_first(results).drop_duplicates(list(keys))
    rows = rows.assign(decided=rows["verdict"] != MORE_RUNS_NEEDED)
    return rows[[*keys, "verdict", "severity", "times_threshold", "decided"]].reset_index(drop=True)


def worst_first(results: pd.DataFrame) -> pd.DataFrame:
    """Sort result rows in the order of ``VERDICTS``, each kind by how many θ the median moved, largest first."""
    rank = results["verdict"].map({word: place for place, word in enumerate(VERDICTS)})
    order = np.lexsort((-results["times_threshold"].fillna(-1.0).to_numpy(), rank.to_numpy()))
    return results.iloc[order]


def speaks_for(ordered: pd.DataFrame, keys: Sequence[str]) -> pd.Series:
    """Mark the row that speaks for each interaction (``keys``) in rows that are sorted ``worst_first``.

    It is the first of them; of a launch the launch time, where that is as bad: the same verdict and severity.
    """
    first = ordered.assign(severity=ordered["severity"].fillna("")).groupby(list(keys), sort=False)
    as_bad = pd.Series(True, index=ordered.index)
    for name in ("verdict", "severity"):
        as_bad &= first[name].transform("first") == ordered[name].fillna("")
    later = ordered[as_bad].sort_values("metric", key=lambda metric: metric != LAUNCH_METRIC, kind="stable")
    chosen = later.drop_duplicates(list(keys)).index
    return pd.Series(ordered.index.isin(chosen), index=ordered.index)


def app_risk(
    interactions: pd.DataFrame, policy: Policy = DEFAULT_POLICY, *, critical: Collection[str] = ()
) -> pd.DataFrame:
    """Rank apps by risk: critical apps with a regression first, then by risk.

    risk = 100 × Σ weight(severity) / (decided interactions × weight of the worst severity): 0 … 100, the share of
    interactions that regressed, each weighted by where its severity begins on the policy's ladder. An app of which
    nothing could be decided has no risk (missing) and comes last.

    Columns: app, critical, interactions, decided, regressed, improved, regressed_pct, severity (worst), risk, and
    one count per severity.
    """
    weight = dict(policy.ladder)
    frame = interactions.assign(
        regressed=interactions["verdict"] == REGRESSION,
        improved=interactions["verdict"] == IMPROVEMENT,
        weight=interactions["severity"].map(weight).fillna(0.0),
        **{word: interactions["severity"] == word for word in weight},
    )
    apps = frame.groupby("app", sort=True).agg(
        interactions=("app", "size"),
        decided=("decided", "sum"),
        regressed=("regressed", "sum"),
        improved=("improved", "sum"),
        weight=("weight", "sum"),
        worst=("weight", "max"),
        **{word: (word, "sum") for word in weight},
    )
    apps["regressed_pct"] = 100.0 * apps["regressed"] / apps["decided"].where(apps["decided"] > 0)
    apps["risk"] = 100.0 * apps["weight"] / (apps["decided"].where(apps["decided"] > 0) * max(weight.values()))
    apps["severity"] = apps["worst"].map({step: word for word, step in weight.items()})
    return _ranked(apps.reset_index(), critical)


def _ranked(apps: pd.DataFrame, critical: Collection[str]) -> pd.DataFrame:
    apps["critical"] = apps["app"].isin(list(critical))
    first = apps["critical"] & (apps["regressed"] > 0)
    order = np.lexsort((apps["app"], -apps["risk"].fillna(-1.0), ~first))
    return apps.iloc[order].drop(columns=["weight", "worst"]).reset_index(drop=True)
