import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.kernels.history import push_bursts
from analysis.kernels.tracking import (
    LEVELS,
    around,
    common_shift,
    encode,
    largest_difference,
    remember,
    signed_difference,
    stands_out,
    step_strength,
    supporters,
)
from tests import naive

shifts = arrays(np.float32, (9, 11), elements=st.floats(-20, 20, width=32))


@settings(max_examples=60, deadline=None)
@given(shifts)
def test_common_shift_equals_its_twin(shift):
    out = np.full_like(shift, -1)
    common_shift(shift, 2, out)
    np.testing.assert_array_equal(out, naive.common_shift(shift, 2))


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 400))
def test_strength_codes_lose_little(level):
    step = 0.125 if level < 31.8 else 1.0
    assert abs(LEVELS[encode(level)] - min(level, 286)) <= step + 1e-6


def test_strength_is_the_larger_of_mean_shift_and_scaled_residual():
    before = np.array([[64 * 100, 64 * 100, 0]], np.uint16)
    now = np.array([[64 * 105, 64 * 100, 0]], np.uint16)
    out = np.zeros(3, np.uint8)
    median, upper = step_strength(before, now, np.array([8, 8, 0], np.uint8), 0.25, out)
    assert LEVELS[out].tolist() == [5.0, 2.0, 0.0]
    assert (median, upper) == (2.0, 5.0)


def test_differences_respect_the_ignored_blocks():
    before = np.array([[640, 640], [0, 0]], np.uint16)
    now = np.array([[320, 640], [0, 192]], np.uint16)
    ignored, out = np.array([[0, 0]], np.uint8), np.zeros((1, 2), np.float32)
    signed_difference(now, before, ignored, out)
    assert out.tolist() == [[-5.0, 0.0]]
    largest_difference(now, before, ignored, out)
    assert out.tolist() == [[5.0, 3.0]]
    largest_difference(now, before, np.array([[1, 1]], np.uint8), out)
    assert not out.any()


@pytest.mark.parametrize(
    ("values", "expected"),
    [([[9, 0, 0]], False), ([[30, 0, 0]], True), ([[9, 8, 0], [8, 0, 0]], True), ([[7, 9, 9], [9, 0, 0]], False)],
)
def test_a_block_stands_out_with_neighbours_or_by_strength(values, expected):
    assert stands_out(np.array(values, np.float32), 0, 0, 8.0, 3, 2.5) == expected


@settings(max_examples=30, deadline=None)
@given(shifts, st.integers(0, 8), st.integers(0, 10))
def test_neighbourhood_helpers_equal_slices(values, row, column):
    window = values[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    assert around(values, row, column) == window.max()
    assert supporters(values, row, column, 1.0) == (window >= 1).sum()


def test_remember_lets_recent_strength_fade_and_keeps_the_peak():
    recent, peak, last = np.zeros((9, 9), np.float32), np.zeros((2, 2), np.float32), np.full((2, 2), -np.inf)
    strength, changed = np.zeros((9, 9), np.float32), np.zeros((9, 9), np.uint8)
    strength[8, 8], changed[8, 8] = 10, 1
    remember(strength, changed, 40.0, 0.5, recent, peak, last)
    remember(np.zeros_like(strength), np.zeros_like(changed), 50.0, 0.5, recent, peak, last)
    assert recent[8, 8] == 5
    assert peak.tolist() == [[0, 0], [0, 10]]
    assert last[1, 1] == 40.0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=12))
def test_bursts_equal_their_twin(gaps):
    times = np.cumsum(gaps).astype(float).tolist()
    last, starts, after = np.full(1, -np.inf), np.full((3, 1), -np.inf), np.zeros((3, 1))
    for time in times:
        push_bursts(np.array([0]), np.array([7], np.uint8), time, 100.0, last, starts, after)
    expected = naive.bursts(times, 100.0)[:3]
    assert starts[: len(expected), 0].tolist() == expected
    assert last[0] == times[-1]
