"""Intervals of medians: published examples recomputed, and coverage by simulation."""

import numpy as np
import pytest
from scipy.stats import t

from analysis.statistics.medians import difference_interval, median_variance, olive_interval

# Bonett's R package statpsych prints these for its function ci.median2 (versions 1.6.0 and 2.0.0).
TEN = ([32, 39, 26, 35, 43, 27, 40, 37, 34, 29], [36, 44, 47, 42, 49, 39, 46, 31, 33, 48])
TWENTY = (
    [70, 394, 43, 95, 62, 128, 2, 203, 81, 436, 85, 35, 156, 1, 3, 27, 63, 181, 184, 18],
    [102, 120, 78, 78, 417, 124, 86, 171, 176, 129, 230, 194, 100, 157, 306, 411, 164, 103, 193, 312],
)


def row(values):
    return np.sort(np.array([values], dtype=float), axis=1)


@pytest.mark.parametrize(
    ("pair", "se", "low", "high"),
    [(TEN, 4.316291, -16.95977, -0.04022524), (TWENTY, 37.11502, -157.7441, -12.25589)],
)
def test_the_difference_of_medians_is_as_its_author_prints_it(pair, se, low, high):
    first, second = map(row, pair)

    found = difference_interval(second, first)

    assert np.sqrt(median_variance(first) + median_variance(second))[0] == pytest.approx(se, rel=1e-6)
    assert [found[0][0], found[1][0]] == pytest.approx([low, high], rel=1e-5)


def test_olives_interval_of_ten_values_by_hand():
    """L = 5 − ⌈√2.5⌉ = 3, U = 7: half the distance of the 7th and the 4th value, 3 degrees of freedom."""
    low, high = olive_interval(row([1, 2, 3, 4, 6, 8, 11, 20, 30, 1000]))

    half = t.ppf(0.975, 3) * 0.5 * (11 - 4)
    assert [low[0], high[0]] == pytest.approx([7 - half, 7 + half])


def test_olives_interval_of_five_values_spans_them_all():
    low, high = olive_interval(row([10, 11, 12, 13, 20]))

    half = t.ppf(0.975, 4) * 0.5 * (20 - 10)
    assert [low[0], high[0]] == pytest.approx([12 - half, 12 + half])


@pytest.mark.parametrize("runs", [1, 2, 4])
def test_fewer_than_five_runs_say_nothing(runs):
    values = row(range(runs))

    assert np.isnan(olive_interval(values)).all()
    assert np.isnan(difference_interval(values, row(range(20)))).all()
    assert np.isnan(difference_interval(row(range(20)), values)).all()


def test_values_that_are_all_equal_have_an_interval_of_no_width():
    same = np.full((1, 20), 300.0)

    assert np.array(olive_interval(same)).ravel().tolist() == [300.0, 300.0]
    assert np.array(difference_interval(same, same)).ravel().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("runs", [5, 10, 20, 50])
def test_an_interval_covers_its_median_about_as_often_as_it_says(runs):
    """4,000 samples of a skewed population: 95 % intervals cover 92 % at least."""
    rng = np.random.default_rng(12)
    base, new = (np.sort(rng.lognormal(5.0, 0.3, (4000, runs)), axis=1) for _ in range(2))

    low, high = olive_interval(base)
    moved_low, moved_high = difference_interval(base, new)

    assert ((low <= np.exp(5.0)) & (np.exp(5.0) <= high)).mean() >= 0.92
    assert ((moved_low <= 0) & (moved_high >= 0)).mean() >= 0.92


def test_intervals_follow_shift_and_scale():
    values = row([5, 9, 2, 7, 30, 11, 4])

    low, high = olive_interval(values)
    moved = olive_interval(values * 3.0 + 100.0)

    assert [moved[0][0], moved[1][0]] == pytest.approx([low[0] * 3 + 100, high[0] * 3 + 100])
