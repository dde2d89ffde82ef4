"""Change points on courses whose steps are known by construction."""

import numpy as np
import pytest

from analysis.history.steps import change_points


def course(*stretches, noise=1.0, seed=2):
    """Return medians: ``stretches`` are (level, versions)."""
    rng = np.random.default_rng(seed)
    return np.concatenate([level + noise * rng.standard_normal(versions) for level, versions in stretches])


def test_a_level_that_rises_for_good_is_one_step_at_its_first_version():
    assert change_points(course((200, 12), (240, 9))) == [12]


def test_a_level_that_comes_back_is_two_steps():
    assert change_points(course((200, 12), (240, 4), (200, 9))) == [12, 16]


def test_one_wild_version_is_none():
    medians = course((200, 20))
    medians[11] = 900.0

    assert change_points(medians) == []


def test_noise_alone_has_none():
    """400 courses of noise: a false step in few of them."""
    found = [bool(change_points(course((200, 30), noise=5.0, seed=seed))) for seed in range(400)]

    assert np.mean(found) <= 0.05


@pytest.mark.parametrize("medians", [[], [1.0], [1.0, 2.0, 3.0], [300.0] * 12])
def test_courses_too_short_or_all_equal_have_none(medians):
    assert change_points(medians) == []


def test_equal_medians_with_one_step_have_that_one():
    assert change_points([300.0] * 8 + [420.0] * 6) == [8]


def test_scale_and_shift_change_nothing():
    medians = course((200, 12), (240, 9), (220, 14))

    assert change_points(medians * 7.0 + 1000.0) == change_points(medians) == [12, 21]
