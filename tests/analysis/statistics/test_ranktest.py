import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from analysis.statistics.exact import (
    EXACT_RUNS,
    FEW_RUNS,
    LEAST_P,
    rank_sum_counts,
    smallest_p,
    untied_tail,
)
from analysis.statistics.ranktest import rank_test
from tests.analysis.statistics import naive

few_values = st.lists(st.integers(0, 9), min_size=1, max_size=5)


def one(base, new):
    test = rank_test(np.array([base], dtype=float), np.array([new], dtype=float))
    return test.u[0], test.p_greater[0], test.p_less[0], test.cliffs_delta[0]


def test_worked_example_of_the_paper_gives_what_its_numbers_really_give():
    # The paper prints p = 0.0043 and an effect of 1.0, which do not follow from these runs. Both ties lie within
    # one side, so U is 30 however they are broken: 30 of the 924 untied splits are as extreme.
    base, new = [112, 124, 125, 113, 113, 111], [120, 126, 129, 130, 121, 120]

    u, p_greater, _, delta = one(base, new)

    assert u == 30
    assert p_greater == pytest.approx(30 / 924)
    assert p_greater == pytest.approx(mannwhitneyu(new, base, alternative="greater", method="exact").pvalue)
    assert delta == pytest.approx(2 / 3)


@pytest.mark.parametrize(("n_base", "n_new"), [(1, 1), (3, 4), (6, 6), (10, 10), (20, 20), (5, 50)])
def test_untied_samples_agree_with_scipy_exact(n_base, n_new):
    rng = np.random.default_rng(n_base * 100 + n_new)
    base, new = rng.normal(size=(4, n_base)), rng.normal(0.3, size=(4, n_new))

    test = rank_test(base, new)

    for alternative, ours in (("greater", test.p_greater), ("less", test.p_less)):
        theirs = mannwhitneyu(new, base, axis=1, alternative=alternative, method="exact").pvalue
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_tied_samples_too_many_for_permutation_agree_with_scipy_asymptotic():
    rng = np.random.default_rng(3)
    base, new = rng.integers(0, 6, (5, 20)).astype(float), rng.integers(1, 7, (5, 18)).astype(float)

    test = rank_test(base, new)

    theirs = mannwhitneyu(new, base, axis=1, alternative="greater", method="asymptotic")
    assert test.u == pytest.approx(theirs.statistic)
    assert test.p_greater == pytest.approx(theirs.pvalue)


def test_samples_beyond_the_exact_sizes_use_the_normal_approximation():
    rng = np.random.default_rng(4)
    base, new = rng.normal(size=(2, EXACT_RUNS)), rng.normal(0.2, size=(2, 30))

    test = rank_test(base, new)

    theirs = mannwhitneyu(new, base, axis=1, alternative="less", method="asymptotic").pvalue
    assert test.p_less == pytest.approx(theirs)


@pytest.mark.parametrize("sizes", [(50, 50), (49, 51), (3, 400), (FEW_RUNS, 150)])
def test_tails_are_those_of_whole_numbers(sizes):
    few, many = sizes
    ways = naive.rank_sum_ways(few, many)
    total = math.comb(few + many, few)
    tail = [float(Fraction(sum(ways[u:]), total)) for u in range(0, few * many + 1, 7)]

    for n_base, n_new in (sizes, sizes[::-1]):
        assert untied_tail(n_base, n_new)[::7] == pytest.approx(tail, rel=1e-12)


@pytest.mark.parametrize("sizes", [(50, 51), (21, 80), (21, 300)])
def test_exact_passes_to_approximate_without_a_step(sizes):
    """Where p is near 0.05, what one function says lies within 5e-4 of what the other would have said."""
    exact, pairs = untied_tail(*sizes), math.prod(sizes)
    us = np.arange(round(pairs / 2), pairs + 1)
    near = us[(exact[us] > 0.03) & (exact[us] < 0.07)]
    base, new = np.arange(sizes[0], dtype=float)[None], np.empty((1, sizes[1]))
    for u in near[:: max(1, len(near) // 20)].tolist():
        over = np.full(sizes[1], u // sizes[1]) + (np.arange(sizes[1]) < u % sizes[1])  # each beats so many
        new[0] = over - 0.5 + 1e-6 * np.arange(sizes[1])
        test = rank_test(base, new)
        assert test.u == u
        assert test.p_greater == pytest.approx(exact[u], abs=5e-4)


LARGE = [(514, 514), (515, 515), (2, 5000), (30, 10_000), (10_000, 10_000)]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("sizes", LARGE)
def test_large_samples_agree_with_scipy(sizes, ties):
    rng = np.random.default_rng(sum(sizes) + ties)
    base, new = rng.normal(300, 50, (2, sizes[0])), rng.normal(302, 50, (2, sizes[1]))
    if ties:
        base, new = 20 * np.round(base / 20), 20 * np.round(new / 20)

    test = rank_test(base, new)

    method = "exact" if min(sizes) <= FEW_RUNS and not ties else "asymptotic"
    for alternative, ours in (("greater", test.p_greater), ("less", test.p_less)):
        theirs = mannwhitneyu(new, base, axis=1, alternative=alternative, method=method)
        assert test.u == pytest.approx(theirs.statistic)
        assert ours == pytest.approx(theirs.pvalue, rel=1e-9)
    assert test.cliffs_delta == pytest.approx(2 * test.u / math.prod(sizes) - 1)


@pytest.mark.parametrize("sizes", [*LARGE, (1, 10_000), (1029, 1)])
def test_the_smallest_p_of_large_samples_is_that_of_whole_numbers_and_never_0(sizes):
    true = Fraction(1, math.comb(sum(sizes), sizes[1]))

    assert smallest_p(*sizes) == pytest.approx(max(float(true), LEAST_P), rel=1e-12)


@pytest.mark.parametrize("size", [600, 10_000])
def test_large_samples_that_do_not_overlap_have_a_p_above_0(size):
    base, new = np.arange(size, dtype=float)[None], np.arange(size, dtype=float)[None] + size

    test = rank_test(base, new)

    assert 0 < test.p_greater[0] < 1e-150
    assert (test.p_less[0], test.cliffs_delta[0]) == (1.0, 1.0)


@settings(max_examples=60, deadline=None)
@given(base=few_values, new=few_values)
def test_small_samples_agree_with_listing_every_split(base, new):
    u, p_greater, _, delta = one(base, new)

    assert u == naive.u_statistic(base, new)
    assert delta == pytest.approx(naive.cliffs_delta(base, new))
    if set(base) & set(new) or len({*base, *new}) == len(base) + len(new):
        assert p_greater == pytest.approx(naive.permutation_p(base, new))


@settings(max_examples=60, deadline=None)
@given(base=few_values, new=few_values)
def test_swapping_the_sides_mirrors_the_test(base, new):
    _, p_greater, p_less, delta = one(base, new)
    _, swapped_greater, swapped_less, swapped_delta = one(new, base)

    assert (p_greater, p_less) == pytest.approx((swapped_less, swapped_greater))
    assert delta == pytest.approx(-swapped_delta)


@settings(max_examples=60, deadline=None)
@given(base=few_values, new=few_values)
def test_no_data_beats_the_smallest_p_of_its_sizes(base, new):
    _, p_greater, p_less, _ = one(base, new)

    assert min(p_greater, p_less) >= smallest_p(len(base), len(new)) - 1e-12


def test_smallest_p_is_reached_when_every_new_run_is_slower():
    _, p_greater, _, delta = one([1, 2, 3, 4], [5, 6, 7])

    assert p_greater == pytest.approx(smallest_p(4, 3)) == pytest.approx(1 / 35)
    assert delta == 1.0


def test_equal_values_everywhere_are_no_evidence():
    for n in (3, 20):
        _, p_greater, p_less, delta = one([7] * n, [7] * n)
        assert (p_greater, p_less, delta) == (1.0, 1.0, 0.0)


def test_rank_sum_counts_add_up_to_every_subset():
    counts = rank_sum_counts((2, 2, 5, 7), 2)

    assert counts.sum() == 6
    assert counts[4] == 1  # the two twos
    assert counts[7] == 2  # either two with the five


def test_untied_tail_starts_at_one_and_ends_at_the_smallest_p():
    tail = untied_tail(5, 6)

    assert tail[0] == pytest.approx(1.0)
    assert tail[-1] == pytest.approx(smallest_p(5, 6))
    assert len(tail) == 31


@pytest.mark.parametrize(
    ("base", "new", "message"),
    [
        (np.ones((2, 3)), np.ones((1, 3)), "same rows"),
        (np.ones((1, 0)), np.ones((1, 3)), "without runs"),
        (np.array([[1.0, np.nan]]), np.ones((1, 3)), "finite"),
    ],
)
def test_unusable_samples_are_refused(base, new, message):
    with pytest.raises(ValueError, match=message):
        rank_test(base, new)
