"""Judge compared rows: threshold, verdict, severity and how many runs are missing."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.policy.policy import Policy
from analysis.statistics.effects import q_of_one_sided
from analysis.statistics.samplesize import can_say, runs_to_be_able, runs_to_be_sure
from analysis.verdicts.words import IMPERCEPTIBLE, IMPROVEMENT, MORE_RUNS_NEEDED, NO_CHANGE, REGRESSION

MOST_TIMES = 1000.0


def judge(rows: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Add all that follows from the statistics of ``decide`` and from ``policy``; no run is looked at again.

    Rows judged before can be judged again by another policy: a preview costs no statistics.
    """
    out = rows.copy()
    out["delta"] = out["median_new"] - out["median_base"]
    out["delta_pct"] = 100.0 * out["delta"] / out["median_base"].where(out["median_base"] > 0)
    out["q_value"] = q_of_one_sided(out["p_value"].where(able(out, policy)))
    out["threshold"] = thresholds(out, policy)
    out["times_threshold"] = _ratio(out["delta"].abs().to_numpy(), out["threshold"].to_numpy())
    out["verdict"] = verdicts(out, policy)
    out["severity"] = pd.Series(severities(out, policy), index=out.index, dtype=object)
    out["runs_needed"] = _runs_needed(out, policy)
    return out


def thresholds(rows: pd.DataFrame, policy: Policy) -> NDArray[np.float64]:
    """Return θ of each row, shape (rows,), in the metric's unit."""
    theta = np.empty(len(rows))
    places: dict[Any, Any] = rows.groupby(["app", "interaction_type", "metric"], observed=True).indices
    medians = rows["median_base"].to_numpy(dtype=float)
    for (app, interaction_type, metric), at in places.items():
        rule = policy.threshold(app=app, interaction_type=interaction_type, metric=metric)
        theta[at] = rule.at(medians[at])
    return theta


def verdicts(rows: pd.DataFrame, policy: Policy) -> NDArray[np.object_]:
    """Return each row's verdict, shape (rows,): significant and past θ, significant only, neither, or unable."""
    delta, theta = rows["delta"].to_numpy(), rows["threshold"].to_numpy()
    effect = rows["cliffs_delta"].to_numpy()
    significant = (rows["p_value"].to_numpy() < policy.alpha) & (np.abs(effect) >= policy.min_effect)
    slower, faster = significant & (effect > 0), significant & (effect < 0)
    cases = [~able(rows, policy), slower & (delta > theta), faster & (-delta > theta), slower | faster]
    words = [MORE_RUNS_NEEDED, REGRESSION, IMPROVEMENT, IMPERCEPTIBLE]
    return np.select(cases, [np.array(word, dtype=object) for word in words], np.array(NO_CHANGE, dtype=object))


def able(rows: pd.DataFrame, policy: Policy) -> NDArray[np.bool_]:
    """Tell for each row whether its numbers of runs let the test say anything."""
    sizes = zip(rows["n_base"].astype(int), rows["n_new"].astype(int), strict=True)
    return np.array([can_say(a, b, alpha=policy.alpha, min_runs=policy.min_runs) for a, b in sizes], dtype=bool)


def severities(rows: pd.DataFrame, policy: Policy) -> NDArray[np.object_]:
    """Return the severity of each regression by how far past θ it is, None for all else."""
    severity = _words(rows["times_threshold"].to_numpy(), policy)
    severity[(rows["verdict"] != REGRESSION).to_numpy()] = None
    return severity


def severity_of(times: float, policy: Policy) -> str:
    """Return the severity of a step of so many times θ."""
    return str(_words(np.array([times]), policy)[0])


def _words(times: NDArray[np.float64], policy: Policy) -> NDArray[np.object_]:
    steps = np.array([step for _, step in policy.ladder])
    words = np.array([word for word, _ in policy.ladder], dtype=object)
    reached = np.searchsorted(steps, times, side="left") - 1  # exactly 2 θ is Minor
    return words[np.clip(reached, 0, len(words) - 1)]


def _ratio(distance: NDArray[np.float64], theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return |delta| / θ, at most ``MOST_TIMES``: a purely relative θ of a median of 0 is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where((theta == 0) & (distance == 0), 0.0, distance / theta)
    return np.minimum(times, MOST_TIMES)


def _runs_needed(rows: pd.DataFrame, policy: Policy) -> pd.Series:
    needed = [
        _runs_needed_of(verdict, int(n_base), int(n_new), cliffs_delta, far, policy)
        for verdict, n_base, n_new, cliffs_delta, far in zip(
            rows["verdict"],
            rows["n_base"],
            rows["n_new"],
            rows["cliffs_delta"],
            rows["times_threshold"] > 1,
            strict=True,
        )
    ]
    return pd.Series(needed, index=rows.index, dtype="Int64")


def _runs_needed_of(
    verdict: str, n_base: int, n_new: int, cliffs_delta: float, past_threshold: bool, policy: Policy
) -> int | None:
    """More runs per side: to be able to test at all, or to be sure of a move past θ that is not significant."""
    if verdict == MORE_RUNS_NEEDED:
        return runs_to_be_able(n_base, n_new, alpha=policy.alpha, min_runs=policy.min_runs)
    if verdict == NO_CHANGE and past_threshold:
        return runs_to_be_sure(n_base, n_new, cliffs_delta, alpha=policy.alpha)
    return 0
