import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.kernels.comparing import encode, quantile
from analysis.kernels.deciding import decide, mark
from analysis.kernels.levels import LEVELS
from analysis.kernels.limits import BlockLimits
from analysis.kernels.step import replace
from analysis.kernels.tracking import around, common_shift, largest_around, remember, shifts
from analysis.kernels.weighing import weigh
from tests import naive

SHAPE, CELLS = (9, 11), (2, 2)
small_shifts = arrays(np.int16, SHAPE, elements=st.integers(-1300, 1300))
levels = arrays(np.float32, SHAPE, elements=st.floats(0, 60, width=32))
flags = arrays(np.uint8, CELLS, elements=st.integers(0, 1))


def framed(values):
    return np.pad(values, 1, constant_values=-1).astype(np.float32)


@settings(max_examples=60, deadline=None)
@given(small_shifts, st.integers(1, 4))
def test_common_shift_equals_its_twin(shift, reach):
    out = np.full(SHAPE, -1, np.float32)
    common_shift(shift, reach, np.zeros_like(shift), np.zeros_like(shift), out)
    np.testing.assert_array_equal(out, naive.common_shift(shift / np.float32(64), reach))


def test_a_picture_too_narrow_for_a_neighbourhood_has_no_common_shift():
    shift, out = np.full((9, 4), 640, np.int16), np.full((9, 4), -1, np.float32)
    common_shift(shift, 2, np.zeros_like(shift), np.zeros_like(shift), out)
    assert not out.any()


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 400))
def test_strength_codes_lose_little(level):
    step = 0.125 if level < 31.8 else 1.0
    assert abs(LEVELS[encode(level)] - min(level, 286)) <= step + 1e-6


@settings(max_examples=40, deadline=None)
@given(arrays(np.uint8, 50), st.sampled_from([0.5, 0.97]))
def test_quantile_is_the_smallest_value_that_enough_do_not_exceed(codes, share):
    histogram = np.bincount(codes, minlength=256).astype(np.int32)
    assert quantile(histogram, share, 50) == np.sort(codes)[int(np.ceil(share * 50)) - 1]


def test_shifts_respect_the_ignored_blocks():
    before = np.array([[640, 640, 0], [0, 0, 0]], np.uint16)
    now = np.array([[320, 640, 64], [0, 192, 0]], np.uint16)
    luma, largest = np.zeros(3, np.int16), np.zeros(3, np.int16)
    shifts(now, before, np.array([0, 0, 1], np.uint8), luma, largest)
    assert luma.tolist() == [-320, 0, 0]
    assert largest.tolist() == [320, 192, 0]


@settings(max_examples=30, deadline=None)
@given(levels)
def test_the_largest_around_equals_the_largest_of_a_slice(values):
    out = np.zeros_like(values)
    largest_around(values, np.zeros_like(values), out)
    for row, column in np.ndindex(SHAPE):
        window = values[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        assert out[row, column] == around(values, row, column) == window.max()


@settings(max_examples=60, deadline=None)
@given(levels, levels, levels, levels, levels, flags, st.floats(0, 120))
def test_deciding_equals_its_twin(step, drift, together, drifted, lately, going, peak):
    limits, peaks = BlockLimits(), np.full(CELLS, peak, np.float32)
    together, drifted = together / 30, drifted / 30
    out = np.full(SHAPE, 7, np.uint8)
    decide(
        framed(step), framed(drift), together, drifted, lately, peaks, going, limits,
        np.zeros((2, SHAPE[1])), out,
    )  # fmt: skip
    expected = naive.decide(step, drift, together, drifted, lately, peaks, going, limits)
    np.testing.assert_array_equal(out.astype(bool), expected)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([[9, 0, 0]], False), ([[30, 0, 0]], True), ([[9, 8, 0], [8, 0, 0]], True), ([[7, 9, 9], [9, 0, 0]], False)],
)
def test_a_block_stands_out_with_neighbours_or_by_strength(values, expected):
    assert naive.stands_out(np.array(values, float), 0, 0, 8.0, 3, 2.5) == expected


@settings(max_examples=40, deadline=None)
@given(levels, levels, arrays(np.uint8, SHAPE, elements=st.integers(0, 1)), flags)
def test_the_kept_picture_follows_changes_corrections_and_jumps(step, drifted, changed, near):
    where = np.zeros(99, np.uint8)
    mark(framed(step / 20), drifted / 30, changed, near, 0.5, 2.0, np.zeros((2, 11)), where)
    kept, now = np.zeros(99, np.uint16), np.arange(1, 100, dtype=np.uint16)
    replace(now, where, kept)
    for row, column in np.ndindex(SHAPE):
        corrected = near[row // 8, column // 8] and drifted[row, column] / 30 < 0.5
        follows = changed[row, column] or corrected or step[row, column] / 20 >= 2
        assert kept[row * 11 + column] == (now[row * 11 + column] if follows else 0)


def test_remember_lets_recent_strength_fade_and_keeps_the_peak():
    recent, peak, last = np.zeros((9, 9), np.float32), np.zeros((2, 2), np.float32), np.full((2, 2), -np.inf)
    strength, changed = np.zeros((9, 9), np.float32), np.zeros((9, 9), np.uint8)
    strength[8, 8], changed[8, 8] = 10, 1
    remember(framed(strength), changed, 40.0, 0.5, recent, peak, last)
    remember(framed(np.zeros_like(strength)), np.zeros_like(changed), 50.0, 0.5, recent, peak, last)
    assert recent[8, 8] == 5
    assert peak.tolist() == [[0, 0], [0, 10]]
    assert last[1, 1] == 40.0


@settings(max_examples=30, deadline=None)
@given(arrays(np.uint16, (3, 2, 40), elements=st.integers(0, 16320)), arrays(np.bool_, 40), arrays(np.uint8, 40))
def test_weighing_equals_plain_sums_and_products(pictures, active, strength):
    changes, facts, dots = np.zeros((2, 80), np.int16), np.zeros(2), np.zeros(2)
    arrays = active.astype(np.uint8), changes, facts, dots
    for slot in range(2):
        weigh(pictures[slot + 1], pictures[slot], strength, 3.0, 9.0, slot, *arrays)
    one, two = (np.diff(pictures.astype(float), axis=0) * active).reshape(2, -1)
    assert dots.tolist() == [two @ one, two @ two]
    inside = naive.LEVELS[strength[active]]
    assert facts.tolist() == [inside[inside >= 3].sum(), (inside > 9).sum()]
