"""Words for the size of an effect, and false-discovery control over many tests."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Romano, Kromrey, Coraggio and Skowronek (2006), "Appropriate statistics for ordinal level data".
EFFECT_STEPS = ((0.147, "small"), (0.33, "medium"), (0.474, "large"))


def effect_word(cliffs_delta: float) -> str:
    """Return negligible, small, medium or large for a Cliff's delta of either sign."""
    word = "negligible"
    for least, larger in EFFECT_STEPS:
        if abs(cliffs_delta) >= least:
            word = larger
    return word


def q_values(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return Benjamini–Hochberg q-values (1995, step-up) of p-values, shape (n,); a missing p has a missing q."""
    p = np.asarray(p_values, dtype=float)
    q = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    scaled = p[order] * len(order) / np.arange(1, len(order) + 1)
    q[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return q


def q_of_one_sided(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return q-values of one-sided p-values whose side was chosen by the data: doubled to two-sided first."""
    return q_values(np.minimum(2.0 * np.asarray(p_values, dtype=float), 1.0))
