"""Verdict and severity of every interaction and metric: one function behind page, command, API and gate."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.statistics.intervals import median_difference_interval
from analysis.statistics.ranktest import rank_test
from analysis.verdicts.cells import Cells, group_samples
from analysis.verdicts.judging import judge

KEYS = ("app", "interaction", "interaction_type", "metric")
STATISTICS = ("median_base", "median_new", "ci_low", "ci_high", "p_value", "cliffs_delta")


def decide(samples: pd.DataFrame, policy: Policy = DEFAULT_POLICY, *, keys: Sequence[str] = KEYS) -> pd.DataFrame:
    """Compare base with new for every key and return one row per key, in the order of the keys.

    Parameters
    ----------
    samples
        One row per run and metric: the ``keys`` (at least app, interaction_type and metric), ``side`` (base or
        new) and ``value`` in the metric's unit, larger is worse; a missing value is a run without this metric.
    policy
        α, θ and severities.
    keys
        The columns that name one comparison.

    Returns
    -------
    DataFrame
        ``keys``, n_base, n_new, median_base, median_new, delta, delta_pct (missing unless the baseline median is
        above 0), ci_low, ci_high (95 % of delta), p_value (one-sided, towards the side that the ranks lean to),
        q_value, cliffs_delta, threshold, times_threshold (|delta| / θ), verdict, severity (missing unless a
        regression), runs_needed. Statistics that the sizes do not allow are missing.

    """
    return decide_cells(group_samples(samples, keys), policy)


def decide_cells(cells: Cells, policy: Policy) -> pd.DataFrame:
    """Do the same with samples that are grouped already."""
    rows = cells.keys.assign(n_base=cells.n_base, n_new=cells.n_new, **_statistics(cells))
    return judge(rows, policy)


def _statistics(cells: Cells) -> dict[str, NDArray[np.float64]]:
    table = {name: np.full(len(cells.keys), np.nan) for name in STATISTICS}
    for at, base, new in cells.by_size():
        for name, values in _of_matrices(base, new).items():
            table[name][at] = values
    return table


def _of_matrices(base: NDArray[np.float64], new: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    found = {}
    if base.shape[1]:
        found["median_base"] = np.median(base, axis=1)
    if new.shape[1]:
        found["median_new"] = np.median(new, axis=1)
    if base.shape[1] and new.shape[1]:
        test = rank_test(base, new)
        found |= {"p_value": test.p_value, "cliffs_delta": test.cliffs_delta}
        found["ci_low"], found["ci_high"] = median_difference_interval(base, new)
    return found
