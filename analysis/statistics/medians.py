"""Medians of few runs, and whether two of them differ: intervals that need five runs a side."""

from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import stdtrit

from analysis.statistics.intervals import LEVEL, LEVEL_Z

Matrix = NDArray[np.float64]
FEWEST_RUNS = 5  # with four, Olive's interval has one degree of freedom: its t quantile is 12.7


def olive_interval(values: Matrix) -> tuple[Matrix, Matrix]:
    """Return (low, high), shapes (rows,), of each row's median; ``values`` (rows, n) must be sorted by row.

    Olive (2005): L = ⌊n/2⌋ − ⌈√(n/4)⌉, U = n − L; half the distance of the U-th and the (L + 1)-th value is the
    standard error, taken times the t quantile with U − L − 1 degrees of freedom. It lies evenly around the median.
    Below ``FEWEST_RUNS`` it says nothing: NaN.
    """
    n = values.shape[1]
    if n < FEWEST_RUNS:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    lower, upper, quantile = _olive_places(n)
    half = quantile * 0.5 * (values[:, upper - 1] - values[:, lower])
    middle = np.median(values, axis=1)
    return middle - half, middle + half


@lru_cache(maxsize=1024)
def _olive_places(n: int) -> tuple[int, int, float]:
    """Return L, U and the t quantile for n values."""
    lower = n // 2 - int(np.ceil(np.sqrt(n / 4.0)))
    upper = n - lower
    return lower, upper, float(stdtrit(upper - lower - 1, (1.0 + LEVEL) / 2.0))


def difference_interval(base: Matrix, new: Matrix) -> tuple[Matrix, Matrix]:
    """Return (low, high), shapes (rows,), of median(new) − median(base) for sorted matrices (rows, n).

    Price and Bonett (2002): the variances of both medians, each from two of its values (`median_variance`), are
    added; normal quantiles. Below ``FEWEST_RUNS`` on a side it says nothing: NaN.
    """
    if min(base.shape[1], new.shape[1]) < FEWEST_RUNS:
        return np.full(len(base), np.nan), np.full(len(base), np.nan)
    delta = np.median(new, axis=1) - np.median(base, axis=1)
    half = LEVEL_Z * np.sqrt(median_variance(base) + median_variance(new))
    return delta - half, delta + half


def median_variance(values: Matrix) -> Matrix:
    """Return the variance of each row's median, shape (rows,); ``values`` (rows, n) must be sorted by row.

    Price and Bonett (2001): the distance of the a-th value from either end, a = (n + 1) / 2 − √n to the nearest
    whole number from 1 on, over twice the normal quantile that leaves P(Bin(n, ½) < a) above it, squared.
    """
    n = values.shape[1]
    place, quantile = _bonett_place(n)
    distance = values[:, n - place] - values[:, place - 1]
    return np.asarray((distance / (2.0 * quantile)) ** 2)


@lru_cache(maxsize=1024)
def _bonett_place(n: int) -> tuple[int, float]:
    place = max(1, round((n + 1) / 2.0 - np.sqrt(n)))
    return place, float(scipy.stats.norm.isf(scipy.stats.binom.cdf(place - 1, n, 0.5)))
