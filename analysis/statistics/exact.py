"""The exact null distribution of the rank sum, with or without ties."""

import math
import sys
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

EXACT_RUNS = 100  # with more runs in all, the normal approximation is right to 5e-4 where p is near 0.05 …
FEW_RUNS = 20  # … unless one side has so few: its tails are lighter than normal ones, however large the other side
PERMUTED_RUNS = 24  # with ties each row has a distribution of its own: 0.1 ms a row up to here
LEAST_P = sys.float_info.min  # 2e-308: no p is 0, whatever a float can hold


def smallest_p(n_base: int, n_new: int) -> float:
    """Return the smallest one-sided p that any data of these sizes can give: 1 / C(n_base + n_new, n_new).

    With an empty side no test is possible and the answer is 1. It is never 0: what no float can hold is
    ``LEAST_P``, and as C(2n, n) ≥ 2ⁿ, sides that are long enough need not be asked.
    """
    few = min(n_base, n_new)
    if few >= -math.log2(LEAST_P):
        return LEAST_P
    return max(1 / math.comb(n_base + n_new, few), LEAST_P)


@lru_cache(maxsize=64)
def untied_tail(n_base: int, n_new: int) -> NDArray[np.float64]:
    """Return P(U >= u) for u = 0 … n_base · n_new when no two values are equal. Shape (n_base · n_new + 1,).

    For at most ``EXACT_RUNS`` runs in all or ``FEW_RUNS`` on a side. The ways to reach each U are the coefficients
    of Π (1 − q^(many + i)) / (1 − q^i), i = 1 … few (Gauss's binomial). They are symmetric: the half that rises is
    counted, as sums over smaller U, so that each count is right to some 13 digits of its own, in the tail as well.
    """
    few, many = sorted((n_base, n_new))
    pairs = few * many
    half = pairs // 2 + 1
    ways = np.zeros(half)
    ways[0] = 1.0
    for i in range(1, few + 1):
        ways[many + i :] -= ways[: max(half - many - i, 0)].copy()
        columns = np.zeros(-(-half // i) * i)
        columns[:half] = ways
        ways = columns.reshape(-1, i).cumsum(axis=0).ravel()[:half]
    at_most = np.minimum(ways.cumsum() / math.comb(few + many, few), 1.0)  # P(U <= u) = P(U >= pairs - u)
    tail = np.empty(pairs + 1)
    tail[pairs - half + 1 :] = at_most[::-1]
    tail[1:half] = 1.0 - at_most[: half - 1]
    tail[0] = 1.0
    return tail


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
