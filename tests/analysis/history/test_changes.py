"""Kinds of change on courses that are built to be one."""

import numpy as np
import pytest

from analysis.history.changes import Subject, drift_since, find_changes
from analysis.policy.policy import DEFAULT_POLICY

TAP = Subject("mail", "tap", "response_time_ms")  # θ is 50 ms, or 20 % of the median


def course(*levels, runs=8, seed=5):
    """Return the runs of a version for each level, scattered by 4 ms."""
    rng = np.random.default_rng(seed)
    return [level + 4.0 * rng.standard_normal(runs) for level in levels]


def kinds(*levels):
    return [(change.kind, change.at, change.back) for change in find_changes(course(*levels), TAP, DEFAULT_POLICY)]


def test_a_level_that_rises_past_theta_and_stays_is_a_regression():
    assert kinds(*[200] * 8, *[300] * 7) == [("regression", 8, None)]


def test_it_is_as_severe_as_a_comparison_would_say():
    [change] = find_changes(course(*[200] * 8, *[400] * 7), TAP, DEFAULT_POLICY)

    assert (change.severity, change.delta, change.times) == (
        "Noticeable",
        pytest.approx(200, abs=5),
        pytest.approx(4, abs=0.1),
    )


def test_one_that_comes_back_soon_is_a_digression_with_its_end():
    assert kinds(*[200] * 8, *[300] * 3, *[200] * 6) == [("digression", 8, 11)]


def test_one_that_comes_back_late_is_a_regression_and_an_improvement():
    assert kinds(*[200] * 8, *[300] * 9, *[200] * 6) == [("regression", 8, None), ("improvement", 17, None)]


def test_one_that_comes_back_half_way_has_not_come_back():
    assert kinds(*[200] * 8, *[400] * 3, *[300] * 6) == [("regression", 8, None), ("improvement", 11, None)]


def test_a_step_that_nobody_can_feel_is_none():
    assert kinds(*[200] * 8, *[230] * 7) == []


def test_a_level_that_falls_is_an_improvement():
    assert kinds(*[300] * 8, *[200] * 7) == [("improvement", 8, None)]


def test_one_wild_version_is_none():
    assert kinds(*[200] * 8, 500, *[200] * 7) == []


def test_two_releases_that_each_add_forty_ms_are_no_change_and_drift_past_theta():
    runs = course(*[200] * 5, *[240] * 5, *[280] * 5)

    assert find_changes(runs, TAP, DEFAULT_POLICY) == []
    delta, times = drift_since([float(np.median(values)) for values in runs], 0, TAP, DEFAULT_POLICY)
    assert (delta, times) == (pytest.approx(80, abs=5), pytest.approx(1.6, abs=0.1))


@pytest.mark.parametrize("runs", [[], course(200), course(200, 300), [np.array([200.0])] * 9])
def test_little_is_no_change(runs):
    assert find_changes(runs, TAP, DEFAULT_POLICY) == []


def test_versions_of_one_run_each_can_still_show_a_step():
    """As public series are: many builds, one or two runs of each."""
    rng = np.random.default_rng(1)
    runs = [np.array([level + 4 * rng.standard_normal()]) for level in [200.0] * 20 + [300.0] * 20]

    [change] = find_changes(runs, TAP, DEFAULT_POLICY)

    assert (change.kind, change.at, change.times) == ("regression", 20, pytest.approx(2, abs=0.2))
