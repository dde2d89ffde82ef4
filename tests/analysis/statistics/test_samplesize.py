import numpy as np
import pytest

from analysis.statistics.ranktest import rank_test
from analysis.statistics.samplesize import can_say, runs_to_be_able, runs_to_be_sure


@pytest.mark.parametrize(("n_base", "n_new", "can"), [(3, 3, False), (3, 4, True), (4, 4, True), (0, 20, False)])
def test_can_say_needs_a_reachable_p_below_alpha(n_base, n_new, can):
    assert can_say(n_base, n_new, alpha=0.05, min_runs=1) is can


def test_can_say_needs_the_least_number_of_runs():
    assert can_say(2, 20, alpha=0.05, min_runs=1)
    assert not can_say(2, 20, alpha=0.05, min_runs=3)


@pytest.mark.parametrize(("n_base", "n_new", "more"), [(3, 3, 1), (1, 1, 3), (0, 10, 3), (5, 5, 0)])
def test_runs_to_be_able(n_base, n_new, more):
    assert runs_to_be_able(n_base, n_new, alpha=0.05, min_runs=3) == more


@pytest.mark.parametrize(
    ("sizes", "asked", "more"),
    [
        ((5, 5), (0.05, 10_000), 9995),
        ((0, 0), (0.05, 1), 4),
        ((515, 10_000), (1e-6, 3), 0),
        ((3, 3), (1e-9, 3), 14),
    ],
)
def test_runs_to_be_able_of_any_size(sizes, asked, more):
    alpha, min_runs = asked

    assert runs_to_be_able(*sizes, alpha=alpha, min_runs=min_runs) == more
    assert can_say(sizes[0] + more, sizes[1] + more, alpha=alpha, min_runs=min_runs)


def test_runs_to_be_able_come_to_an_end_whatever_is_asked():
    assert runs_to_be_able(0, 0, alpha=5e-324, min_runs=10**6) == 10**6
    assert 500 < runs_to_be_able(0, 0, alpha=5e-324, min_runs=1) < 1030


def test_runs_to_be_sure_reach_the_promised_power():
    shift = 0.8  # P(new > base) = Φ(0.8 / √2) = 0.714, so δ = 0.428
    n = 8 + runs_to_be_sure(8, 8, 0.428, alpha=0.05)
    rng = np.random.default_rng(0)

    test = rank_test(rng.normal(size=(2000, n)), rng.normal(shift, size=(2000, n)))

    assert 0.77 <= np.mean(test.p_greater < 0.05) <= 0.86


def test_runs_to_be_sure_gives_up_on_an_effect_too_small_to_chase():
    assert runs_to_be_sure(20, 20, 0.01, alpha=0.05) is None
    assert runs_to_be_sure(20, 20, 0.0, alpha=0.05) is None
