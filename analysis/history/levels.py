"""The level of an interaction on one version: its median, how sure that is, and its slow runs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.statistics.intervals import median_interval
from analysis.statistics.medians import olive_interval

LEVELS = ("n", "p50", "p90", "p99", "low", "high", "low_exact", "high_exact")


def levels(samples: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return one row per key, in the order of the keys.

    Parameters
    ----------
    samples
        One row per run: ``keys`` and ``value`` in the metric's unit; a missing value is left out.
    keys
        The columns that name one level, the version among them.

    Returns
    -------
    DataFrame
        ``keys``; n, the number of runs; p50, p90 and p99, linear between the runs (Hyndman and Fan's type 7); low
        and high, 95 % around the median after Olive; low_exact and high_exact, the interval that verdicts use
        (Hettmansperger and Sheather). Intervals that so few runs do not allow are missing.

    """
    known = samples[samples["value"].notna()]
    groups = known.groupby(list(keys), sort=True, observed=True)
    of = groups.ngroup().to_numpy()
    values = known["value"].to_numpy(dtype=float)
    order = np.lexsort((values, of))
    values, counts = values[order], np.bincount(of, minlength=groups.ngroups)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])[: groups.ngroups]
    table = {name: np.full(groups.ngroups, np.nan) for name in LEVELS}
    table["n"] = counts
    for n in np.unique(counts):
        at = np.flatnonzero(counts == n)
        rows = values[starts[at, None] + np.arange(n)]
        table["p50"][at], table["p90"][at], table["p99"][at] = np.quantile(rows, [0.5, 0.9, 0.99], axis=1)
        table["low"][at], table["high"][at] = olive_interval(rows)
        table["low_exact"][at], table["high_exact"][at] = median_interval(rows)
    named = known.iloc[order][list(keys)].iloc[starts].reset_index(drop=True)
    return named.assign(**table)
