"""The Wilcoxon rank-sum test (= Mann–Whitney U) of many pairs of samples at once, and Cliff's delta."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr

from analysis.statistics.exact import (
    EXACT_RUNS,
    FEW_RUNS,
    LEAST_P,
    PERMUTED_RUNS,
    tied_p_values,
    untied_tail,
)

Matrix = NDArray[np.float64]
_CHUNK_PAIRS = 4_000_000  # pairs of values compared at a time: bounds the memory of comparing each with each
_CHUNK_VALUES = 2_000_000  # values ranked at a time, likewise
_SORTED_PAIRS = 10_000  # beyond so many in a row, sorting and searching is quicker than comparing each with each


@dataclass(frozen=True)
class RankTest:
    """One test per row, shapes (rows,). ``u`` counts the pairs in which new > base, ties as one half."""

    u: Matrix
    p_greater: Matrix  # one-sided: new is larger than base
    p_less: Matrix  # one-sided: new is smaller than base
    cliffs_delta: Matrix  # P(new > base) − P(new < base), −1 … +1

    @property
    def p_value(self) -> Matrix:
        """The one-sided p towards the side that the ranks lean to."""
        leaning = np.where(self.cliffs_delta > 0, self.p_greater, self.p_less)
        return np.where(self.cliffs_delta == 0, np.minimum(self.p_greater, self.p_less), leaning)


def rank_test(base: Matrix, new: Matrix) -> RankTest:
    """Test row i of ``base`` (rows, n_base) against row i of ``new`` (rows, n_new).

    Exact where it can be: without a value that both sides share, U is the same however ties within one side are
    broken, so its distribution is the untied one (Mann and Whitney 1947), taken for ``EXACT_RUNS`` runs in all or
    ``FEW_RUNS`` on a side; with shared values and at most ``PERMUTED_RUNS`` runs, the permutation distribution of
    the midranks. Else the normal approximation with tie and continuity correction. No p is 0.

    Raises
    ------
    ValueError
        The shapes differ in rows, a side is empty, or a value is not finite.

    """
    _validate(base, new)
    above, below = _count_pairs(base, new)
    pairs = base.shape[1] * new.shape[1]
    u = above + 0.5 * (pairs - above - below)
    p_greater, p_less = _p_values(base, new, u, shared=above + below < pairs)
    return RankTest(u, p_greater, p_less, (above - below) / pairs)


def _validate(base: Matrix, new: Matrix) -> None:
    if base.ndim != 2 or new.ndim != 2 or len(base) != len(new):
        raise ValueError(f"need two matrices with the same rows, got shapes {base.shape} and {new.shape}")
    if not base.shape[1] or not new.shape[1]:
        raise ValueError("a side without runs cannot be tested; leave such rows out")
    if not (np.isfinite(base).all() and np.isfinite(new).all()):
        raise ValueError("values must be finite; leave out the runs that have no value")


def _count_pairs(base: Matrix, new: Matrix) -> tuple[Matrix, Matrix]:
    """Count the pairs with new > base and with new < base, per row."""
    above, below = np.empty(len(base)), np.empty(len(base))
    pairs = base.shape[1] * new.shape[1]
    if pairs > _SORTED_PAIRS:
        for row, (left, right) in enumerate(zip(np.sort(base, axis=1), new, strict=True)):
            above[row] = np.searchsorted(left, right, side="left").sum()
            below[row] = pairs - np.searchsorted(left, right, side="right").sum()
        return above, below
    for rows in _chunks(len(base), pairs, _CHUNK_PAIRS):
        left, right = base[rows, None, :], new[rows, :, None]
        above[rows] = (right > left).sum(axis=(1, 2))
        below[rows] = (right < left).sum(axis=(1, 2))
    return above, below


def _chunks(rows: int, size: int, most: int) -> Iterator[slice]:
    """Yield slices of rows that hold at most ``most`` things, where a row holds ``size``."""
    step = max(1, most // size)
    yield from (slice(start, start + step) for start in range(0, rows, step))


def _p_values(base: Matrix, new: Matrix, u: Matrix, *, shared: NDArray[np.bool_]) -> tuple[Matrix, Matrix]:
    n_base, n_new = base.shape[1], new.shape[1]
    if n_base + n_new <= EXACT_RUNS or min(n_base, n_new) <= FEW_RUNS:
        greater, less = _untied(n_base, n_new, u)
        rest = shared
    else:
        greater, less = np.ones(len(u)), np.ones(len(u))
        rest = np.ones(len(u), dtype=bool)
    if rest.any():
        tied = _permuted if n_base + n_new <= PERMUTED_RUNS else _normal
        greater[rest], less[rest] = tied(base[rest], new[rest], u[rest])
    return np.maximum(greater, LEAST_P), np.maximum(less, LEAST_P)


def _untied(n_base: int, n_new: int, u: Matrix) -> tuple[Matrix, Matrix]:
    tail = untied_tail(n_base, n_new)
    at = np.floor(u).astype(int)
    return tail[at], tail[n_base * n_new - at]  # the distribution is symmetric


def _permuted(base: Matrix, new: Matrix, u: Matrix) -> tuple[Matrix, Matrix]:
    ranks = (2 * scipy.stats.rankdata(np.hstack([base, new]), axis=1)).astype(int)
    n_new = new.shape[1]
    sums = ranks[:, base.shape[1] :].sum(axis=1)
    both = [
        tied_p_values(tuple(np.sort(row).tolist()), n_new, int(total))
        for row, total in zip(ranks, sums, strict=True)
    ]
    greater, less = np.array(both).T
    return greater, less


def _normal(base: Matrix, new: Matrix, u: Matrix) -> tuple[Matrix, Matrix]:
    n_base, n_new = base.shape[1], new.shape[1]
    runs = n_base + n_new
    ties = np.empty(len(u))
    for rows in _chunks(len(u), runs, _CHUNK_VALUES):
        ties[rows] = _tie_term(np.hstack([base[rows], new[rows]]))
    variance = n_base * n_new / 12.0 * ((runs + 1) - ties / (runs * (runs - 1)))
    sd = np.sqrt(np.maximum(variance, 0.0))
    away = u - n_base * n_new / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        greater, less = ndtr(-(away - 0.5) / sd), ndtr((away + 0.5) / sd)
    same = sd == 0.0
    return np.where(same, 1.0, greater), np.where(same, 1.0, less)


def _tie_term(pooled: Matrix) -> Matrix:
    """Return Σ (t³ − t) over the groups of t equal values in each row: Σ over values of (t² − 1)."""
    lowest, highest = scipy.stats.rankdata(pooled, "min", axis=1), scipy.stats.rankdata(pooled, "max", axis=1)
    size = highest - lowest + 1
    return np.asarray((size**2 - 1).sum(axis=1), dtype=float)
