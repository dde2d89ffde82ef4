"""Marks between neighbouring versions, on samples whose answer is plain by construction."""

import numpy as np
import pandas as pd
import pytest

from analysis.history.deviations import DOWN, MISSING, OVERLAP, SAME, UP, deviations
from analysis.history.levels import levels
from analysis.policy.policy import DEFAULT_POLICY

KEYS = ("app", "interaction_type", "interaction", "metric")


def pair(base, new):
    """One interaction's response times on two versions."""
    rows = [("base", value) for value in base] + [("new", value) for value in new]
    table = pd.DataFrame(rows, columns=["side", "value"])
    return table.assign(app="mail", interaction_type="tap", interaction=1, metric="response_time_ms")


def mark(base, new):
    [row] = deviations(pair(base, new), DEFAULT_POLICY, keys=KEYS).to_dict("records")
    return row


def around(middle, runs=20):
    """Runs evenly within 10 ms around their median."""
    return np.linspace(middle - 5.0, middle + 5.0, runs)


def test_a_median_that_rises_past_theta_is_a_deviation_that_people_feel():
    row = mark(around(200.0), around(300.0))

    assert (row["mark"], row["felt"], row["delta"]) == (UP, True, pytest.approx(100.0))
    assert row["gap"] == pytest.approx(row["new_low"] - row["base_high"])
    assert 90.0 < row["gap"] < 100.0


def test_one_that_falls_is_marked_down_with_the_same_gap():
    up, down = mark(around(200.0), around(300.0)), mark(around(300.0), around(200.0))

    assert (down["mark"], down["felt"]) == (DOWN, True)
    assert down["gap"] == pytest.approx(up["gap"])


def test_what_is_beyond_doubt_but_below_theta_is_not_felt():
    row = mark(around(200.0), around(230.0))  # θ of a response is 50 ms

    assert (row["mark"], row["felt"]) == (UP, False)


def test_a_difference_that_is_none_is_no_deviation():
    assert mark(around(200.0), around(200.0))["mark"] == SAME


def test_significant_while_the_intervals_overlap_is_a_mark_of_its_own():
    """Two intervals may touch while that of the difference leaves 0 out: √2 against 2."""
    base = around(200.0)
    half = mark(base, base)["base_high"] - 200.0
    row = mark(base, base + 1.8 * half)

    assert row["new_low"] < row["base_high"]
    assert row["moved_low"] > 0
    assert (row["mark"], row["gap"]) == (OVERLAP, 0.0)


@pytest.mark.parametrize(("base", "new"), [(4, 20), (20, 4), (1, 1)])
def test_too_few_runs_on_a_side_are_no_mark_at_all(base, new):
    assert mark(around(200.0, base), around(300.0, new))["mark"] == MISSING


def test_five_runs_a_side_are_enough():
    assert mark(around(200.0, 5), around(300.0, 5))["mark"] == UP


def test_one_wild_outlier_moves_no_mark():
    new = around(200.0)
    new[-1] = 5000.0

    assert mark(around(200.0), new)["mark"] == SAME


def test_all_equal_on_both_sides_stands_still_and_a_whole_step_is_seen():
    assert mark([300.0] * 20, [300.0] * 20)["mark"] == SAME
    assert mark([300.0] * 20, [500.0] * 20)["mark"] == UP


def test_levels_hold_quantiles_and_both_intervals():
    """1 … 20: the quantiles are those that numpy documents, type 7; the exact interval lies within the values."""
    table = pd.DataFrame({"version": 1, "value": np.arange(1.0, 21.0)[::-1]})

    [row] = levels(table, ["version"]).to_dict("records")

    assert (row["n"], row["p50"], row["p90"], row["p99"]) == (20, 10.5, pytest.approx(18.1), pytest.approx(19.81))
    assert row["low"] < row["low_exact"] < row["p50"] < row["high_exact"] < row["high"]


def test_levels_of_few_runs_have_no_interval_and_missing_values_are_left_out():
    table = pd.DataFrame({"version": [1, 1, 1, 2], "value": [3.0, np.nan, 5.0, 7.0]})

    first, second = levels(table, ["version"]).to_dict("records")

    assert (first["n"], first["p50"], second["n"], second["p50"]) == (2, 4.0, 1, 7.0)
    assert np.isnan([first["low"], first["high"], second["low_exact"]]).all()


def test_no_samples_are_no_levels():
    assert levels(pd.DataFrame({"version": [], "value": []}), ["version"]).empty
