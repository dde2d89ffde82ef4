"""Turn a long table of run values into matrices of equal sample sizes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.metrics.benchmarks import may_be_negative

BASE, NEW = "base", "new"


@dataclass(frozen=True)
class Cells:
    """Samples grouped by key. ``keys`` has one row per cell; the counts have shape (cells,).

    ``values`` is sorted by cell, side (base first) and value; cell i begins at ``starts[i]``.
    """

    keys: pd.DataFrame
    values: NDArray[np.float64]
    starts: NDArray[np.intp]
    n_base: NDArray[np.intp]
    n_new: NDArray[np.intp]

    def by_size(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]]:
        """Yield (cells, base, new) for each pair of sizes: indices (rows,), matrices (rows, n) with sorted rows."""
        sizes = np.column_stack([self.n_base, self.n_new])
        for n_base, n_new in np.unique(sizes, axis=0):
            cells = np.flatnonzero((self.n_base == n_base) & (self.n_new == n_new))
            pooled = self.values[self.starts[cells, None] + np.arange(n_base + n_new)]
            yield cells, pooled[:, :n_base], pooled[:, n_base:]


def group_samples(samples: pd.DataFrame, keys: Sequence[str]) -> Cells:
    """Group ``samples`` (columns ``keys``, side, value) by ``keys``; missing values are left out, keys stay sorted.

    A key whose values are all missing has no cell.

    Raises
    ------
    ValueError
        A column is missing, a side is neither base nor new, or a value is infinite, or negative where its metric
        cannot be.

    """
    _validate(samples, keys)
    known = samples[samples["value"].notna()]
    groups = known.groupby(list(keys), sort=True, observed=True)
    cell = groups.ngroup().to_numpy()
    is_new = (known["side"] == NEW).to_numpy()
    values = known["value"].to_numpy(dtype=float)
    order = np.lexsort((values, is_new, cell))
    counts = [np.bincount(cell[side], minlength=groups.ngroups) for side in (~is_new, is_new)]
    starts = np.concatenate([[0], np.cumsum(counts[0] + counts[1])[:-1]])[: groups.ngroups]
    frame = known.iloc[order][list(keys)].iloc[starts].reset_index(drop=True)
    return Cells(frame, values[order], starts, counts[0], counts[1])


def _validate(samples: pd.DataFrame, keys: Sequence[str]) -> None:
    missing = [column for column in (*keys, "side", "value") if column not in samples]
    if missing:
        raise ValueError(f"samples lack the column {missing[0]}")
    strange = ~samples["side"].isin([BASE, NEW])
    if strange.any():
        raise ValueError(f"side is {samples.loc[strange, 'side'].iloc[0]!r}; it must be base or new")
    value = samples["value"]
    bad = np.isinf(value) | (value < 0)
    if bad.any() and "metric" in samples:
        bad &= np.isinf(value) | ~samples["metric"].map(may_be_negative)
    if bad.any():
        where = " · ".join(str(samples.loc[bad, key].iloc[0]) for key in keys)
        raise ValueError(f"{where}: {value[bad].iloc[0]} is no measurement; values are finite and not negative")
