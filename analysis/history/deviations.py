"""Deviations between neighbouring versions: where a median moved, beyond doubt and for how much."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.policy.policy import Policy
from analysis.statistics.medians import difference_interval, olive_interval
from analysis.verdicts.cells import group_samples
from analysis.verdicts.deciding import decide_cells

UP, DOWN, OVERLAP, SAME, MISSING = "up", "down", "overlap", "same", "missing"
MARKS = (UP, DOWN, OVERLAP, SAME, MISSING)
_INTERVALS = ("base_low", "base_high", "new_low", "new_high", "moved_low", "moved_high")


def deviations(samples: pd.DataFrame, policy: Policy, *, keys: Sequence[str]) -> pd.DataFrame:
    """Mark how the median of every key moved from one version to the next, and judge it as a comparison does.

    A move is a deviation where the interval of the difference of the medians leaves out 0 and the intervals of the
    two medians do not overlap: the rule of the study of 100 Chrome releases (2017).

    Parameters
    ----------
    samples
        As ``decide`` takes them: base is the version before, new the one after it.
    policy
        θ, which tells what nobody can feel, and the rules of the verdict.
    keys
        The columns that name one row.

    Returns
    -------
    DataFrame
        What ``decide`` returns, and besides: base_low, base_high, new_low, new_high, the intervals of the medians
        (Olive); moved_low, moved_high, that of their difference (Price and Bonett); mark, one of ``MARKS``:
        ``overlap`` is significant while the intervals overlap, ``missing`` has too few runs on a side; gap, the
        distance between the two intervals, 0 unless the mark is up or down; felt, whether the move is past θ.

    """
    cells = group_samples(samples, keys)
    rows = decide_cells(cells, policy)
    table = {name: np.full(len(rows), np.nan) for name in _INTERVALS}
    for at, base, new in cells.by_size():
        table["base_low"][at], table["base_high"][at] = olive_interval(base)
        table["new_low"][at], table["new_high"][at] = olive_interval(new)
        table["moved_low"][at], table["moved_high"][at] = difference_interval(base, new)
    above = table["new_low"] - table["base_high"]
    below = table["base_low"] - table["new_high"]
    marks = _marks(table, above, below)
    gap = np.where(marks == UP, above, np.where(marks == DOWN, below, 0.0))
    felt = (rows["delta"].abs() > rows["threshold"]).to_numpy()
    return rows.assign(**table, mark=marks, gap=gap, felt=felt)


def _marks(
    table: dict[str, NDArray[np.float64]], above: NDArray[np.float64], below: NDArray[np.float64]
) -> NDArray[np.object_]:
    up, down = table["moved_low"] > 0, table["moved_high"] < 0
    cases = [np.isnan(table["moved_low"]), up & (above > 0), down & (below > 0), up | down]
    words = [np.array(word, dtype=object) for word in (MISSING, UP, DOWN, OVERLAP)]
    return np.select(cases, words, np.array(SAME, dtype=object))
