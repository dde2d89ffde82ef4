import numpy as np
import pytest

from analysis.statistics.intervals import median_difference_interval, median_interval


def test_median_interval_agrees_with_the_tabulated_depths():
    # n = 10: [x2, x9] covers the median with 97.85 %, [x3, x8] with 89.06 %: 95 % lies between.
    low, high = median_interval(np.arange(1.0, 11.0)[None, :])

    assert 2 < low[0] < 3
    assert 8 < high[0] < 9
    assert low[0] - 2 == pytest.approx(9 - high[0])


@pytest.mark.parametrize("n", [6, 10, 20, 50])
def test_interval_covers_the_true_difference_about_95_times_in_100(n):
    rng = np.random.default_rng(n)
    base = np.sort(rng.lognormal(5.0, 0.3, (4000, n)), axis=1)
    new = np.sort(rng.lognormal(5.2, 0.3, (4000, n)), axis=1)

    low, high = median_difference_interval(base, new)

    truth = np.exp(5.2) - np.exp(5.0)
    assert 0.93 <= np.mean((low <= truth) & (truth <= high)) <= 0.985


def test_interval_swaps_and_shifts_with_the_data():
    rng = np.random.default_rng(1)
    base, new = np.sort(rng.normal(size=(3, 9)), axis=1), np.sort(rng.normal(size=(3, 12)), axis=1)

    low, high = median_difference_interval(base, new)
    swapped_low, swapped_high = median_difference_interval(new, base)
    shifted_low, shifted_high = median_difference_interval(base + 100, new + 107)

    assert (swapped_low, swapped_high) == (pytest.approx(-high), pytest.approx(-low))
    assert (shifted_low, shifted_high) == (pytest.approx(low + 7), pytest.approx(high + 7))


def test_five_runs_have_no_interval():
    low, high = median_difference_interval(np.ones((2, 5)), np.ones((2, 20)))

    assert np.isnan(low).all()
    assert np.isnan(high).all()


@pytest.mark.parametrize("n", [515, 10_000])
def test_depths_of_large_samples_are_those_of_the_normal_approximation(n):
    low, high = median_interval(np.arange(1.0, n + 1)[None, :])

    away = 1.959964 * np.sqrt(n) / 2  # of a binomial count with a chance of one half
    assert low[0] == pytest.approx((n + 1) / 2 - away, abs=1)
    assert high[0] == pytest.approx((n + 1) / 2 + away, abs=1)
