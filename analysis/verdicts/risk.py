"""How badly interactions and apps got worse: from result rows to two rankings."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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
    of, apps = pd.factorize(interactions["app"], sort=True)

    def count(column: str, word: Any) -> NDArray[np.int64]:
        return np.bincount(of[(interactions[column] == word).to_numpy(dtype=bool)], minlength=len(apps))

    verdicts = {word: count("verdict", word) for word in (REGRESSION, IMPROVEMENT)}
    severities = {word: count("severity", word) for word, _ in policy.ladder}
    decided = count("decided", True)
    known = np.where(decided > 0, decided, np.nan)
    weight = sum(step * severities[word] for word, step in policy.ladder)
    severest = np.full(len(apps), None, dtype=object)
    for word, _ in policy.ladder:
        severest[severities[word] > 0] = word
    risk = 100.0 * weight / (known * max(step for _, step in policy.ladder))
    is_critical = apps.isin(list(critical))
    table = {
        "app": apps,
        "interactions": np.bincount(of, minlength=len(apps)),
        "decided": decided,
        "regressed": verdicts[REGRESSION],
        "improved": verdicts[IMPROVEMENT],
        **severities,
        "regressed_pct": 100.0 * verdicts[REGRESSION] / known,
        "risk": risk,
        "severity": severest,
        "critical": is_critical,
    }
    first = is_critical & (verdicts[REGRESSION] > 0)
    order = np.lexsort((np.arange(len(apps)), -np.where(np.isnan(risk), -1.0, risk), ~first))
    return pd.DataFrame(table).iloc[order].reset_index(drop=True)
