"""The exact null distribution of the rank sum, with or without ties."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

EXACT_RUNS = 100  # with more runs in all, the normal approximation is right to 1e-4 and cheaper
PERMUTED_RUNS = 24  # with ties each row has a distribution of its own: 0.1 ms a row up to here


def smallest_p(n_base: int, n_new: int) -> float:
    """Return the smallest one-sided p that any data of these sizes can give: 1 / C(n_base + n_new, n_new).

    With an empty side no test is possible and the answer is 1.
    """
    return 1.0 / math.comb(n_base + n_new, n_new)


@lru_cache(maxsize=1024)
def untied_tail(n_base: int, n_new: int) -> NDArray[np.float64]:
    """Return P(U >= u) for u = 0 … n_base · n_new when no two values are equal. Shape (n_base · n_new + 1,)."""
    ranks = tuple(range(1, n_base + n_new + 1))
    counts = rank_sum_counts(ranks, n_new)[n_new * (n_new + 1) // 2 :]
    return _tail(counts[: n_base * n_new + 1])


def tied_p_values(doubled_ranks: tuple[int, ...], n_new: int, doubled_sum: int) -> tuple[float, float]:
    """Return (P(sum >= observed), P(sum <= observed)) over all ways to choose which ranks are the new runs'.

    ``doubled_ranks`` are twice the midranks of the pooled values, so that they are whole numbers.
    """
    counts = rank_sum_counts(doubled_ranks, n_new)
    total = counts.sum()
    return float(counts[doubled_sum:].sum() / total), float(counts[: doubled_sum + 1].sum() / total)


def rank_sum_counts(ranks: tuple[int, ...], n_chosen: int) -> NDArray[np.float64]:
    """Count, for every possible sum s, the subsets of ``n_chosen`` ranks that add up to s. Shape (sum(ranks) + 1,).

    The shift algorithm of Streitberg and Röhmel (1986): take the ranks one by one; a subset of k with sum s is a
    subset of k − 1 with sum s − rank. Only sums of positive numbers, so float64 keeps 15 digits.
    """
    counts = np.zeros((n_chosen + 1, sum(ranks) + 1))
    counts[0, 0] = 1.0
    for rank in ranks:
        counts[1:, rank:] += counts[:-1, : counts.shape[1] - rank].copy()
    return counts[n_chosen, :]


def _tail(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return counts[::-1].cumsum()[::-1] / float(counts.sum())
