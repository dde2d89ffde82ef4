from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.kernels.comparing import compare
from analysis.kernels.levels import LUMA_LINES
from analysis.kernels.planes import CROSS, OLD_SQUARE, OLD_SUM, SQUARE, chroma_sums, fold, luma_sums, stride
from tests import naive

DEPTHS = [("uint8", 256, 1.0), ("uint16", 1024, 0.25)]


def planes(seed, samples="uint8", top=256, height=19, line=24):
    rng = np.random.default_rng(seed)
    before = rng.integers(0, top, (height, line)).astype(samples)
    now = before.copy()
    now[5:14] = rng.integers(0, top, (9, line))
    return before, now


def sampled(plane, size, width, lines):
    """Return the blocks of a plane as they are sampled: every n-th line of each."""
    rows, columns = -(-plane.shape[0] // size[0]), -(-width // size[1])
    step = max(1, size[0] // lines)
    blocks = naive.blocks_of(plane[:, :width], size, (rows, columns))
    return [[block[::step] for block in row] for row in blocks]


def luma(before, now, width, size, everything=False):
    """Take two pictures one after the other; return sums, moments, fresh, changed after the second."""
    shape = -(-now.shape[0] // size), -(-width // size)
    kept = np.zeros((shape[0] * LUMA_LINES, width), now.dtype)
    work, sums = np.zeros((4, shape[1] * size), np.int32), np.zeros(shape, np.int32)
    moments = np.zeros((4, *shape), np.int32)
    fresh, changed = np.zeros(shape[0], np.uint8), np.zeros(1, np.uint8)
    arrays = width, size, kept, work, sums, moments, fresh, changed
    luma_sums(before, True, *arrays)
    changed[0] = 0
    luma_sums(now, everything, *arrays)
    return sums, moments, fresh, changed


@pytest.mark.parametrize(("samples", "top", "_"), DEPTHS)
@pytest.mark.parametrize("size", [8, 16, 24])
def test_sums_equal_those_of_the_sampled_blocks_edges_and_padding_included(samples, top, _, size):
    before, now = planes(1, samples, top, height=61, line=80)
    sums, moments, *_ = luma(before, now, 75, size, everything=True)
    old, new = sampled(before, (size, size), 75, 8), sampled(now, (size, size), 75, 8)
    pairs = [list(zip(a, b, strict=True)) for a, b in zip(old, new, strict=True)]
    np.testing.assert_array_equal(sums, [[b.sum() for _, b in row] for row in pairs])
    np.testing.assert_array_equal(moments[SQUARE], [[(b * b).sum() for _, b in row] for row in pairs])
    np.testing.assert_array_equal(moments[CROSS], [[(a * b).sum() for a, b in row] for row in pairs])
    np.testing.assert_array_equal(moments[OLD_SUM], [[a.sum() for a, _ in row] for row in pairs])
    np.testing.assert_array_equal(moments[OLD_SQUARE], [[(a * a).sum() for a, _ in row] for row in pairs])


def test_only_strips_that_differ_are_fresh():
    before, now = planes(2, height=40)
    now[16:] = before[16:]
    now[5:8] = before[5:8]
    _, _, fresh, changed = luma(before, now, 24, 8)
    assert fresh.tolist() == [0, 1, 0, 0, 0]
    assert changed[0] == 1


def test_a_difference_in_the_padding_is_no_difference():
    before, now = planes(3)
    now[:, :20] = before[:, :20]
    *_, fresh, changed = luma(before, now, 20, 8)
    assert not fresh.any()
    assert not changed[0]


@pytest.mark.parametrize(("samples", "top", "_"), DEPTHS)
@pytest.mark.parametrize(("high", "wide"), [(4, 4), (8, 8), (4, 8), (12, 12)])
def test_chroma_sums_equal_those_of_the_sampled_blocks(samples, top, _, high, wide):
    before, now = planes(5, samples, top, height=30, line=40)
    shape = -(-30 // high), -(-37 // wide)
    kept, work = np.zeros((shape[0] * 4, 37), samples), np.zeros((4, shape[1] * wide), np.int32)
    sums, changed = np.zeros(shape, np.int32), np.zeros(1, np.uint8)
    arrays = 37, high, wide, kept, work, sums, changed
    chroma_sums(before, True, *arrays)
    chroma_sums(now, False, *arrays)
    expected = [[block.sum() for block in row] for row in sampled(now, (high, wide), 37, 4)]
    np.testing.assert_array_equal(sums, expected)
    changed[0] = 0
    chroma_sums(now.copy(), False, *arrays)
    assert not changed[0]


@pytest.mark.parametrize(("samples", "top", "scale"), DEPTHS)
def test_means_ssim_and_strength_equal_the_twin(samples, top, scale):
    before, now = planes(4, samples, top, height=40, line=48)
    sums, moments, fresh, _ = luma(before, now, 48, 8)
    shape, blocks = sums.shape, sums.size
    share, means, old = np.full(shape, 1 / 64), np.zeros((1, blocks), np.uint16), np.zeros((1, blocks), np.uint16)
    ssim, residual = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    strength, facts = np.zeros(blocks, np.uint8), np.zeros(4)
    means[0] = np.round(naive.means(before, (8, 8), shape) * scale * 64).ravel()
    compare(
        False, sums[None], moments, 64 * scale * share[None], share, scale, fresh, means, old, ssim, residual,
        np.zeros(blocks, np.int32), np.zeros(256, np.int32), strength, facts,
    )  # fmt: skip
    one, two = (chain.from_iterable(naive.blocks_of(plane * scale, (8, 8), shape)) for plane in (before, now))
    pairs = list(zip(one, two, strict=True))
    np.testing.assert_allclose(ssim.ravel(), [naive.ssim(a, b) for a, b in pairs], atol=1e-5)
    np.testing.assert_allclose(residual.ravel(), [naive.residual(a, b) for a, b in pairs], atol=0.01)
    np.testing.assert_allclose(means[0] / 64, [b.mean() for _, b in pairs], atol=1 / 64)
    expected = [max(abs(b.mean() - a.mean()), naive.residual(a, b) / 4) for a, b in pairs]
    np.testing.assert_allclose(naive.LEVELS[strength], expected, atol=0.15)
    assert facts[0] == np.median(naive.LEVELS[strength])
    assert facts[2] == pytest.approx(ssim.mean(), abs=1e-6)
    assert facts[3] == pytest.approx(ssim.min(), abs=1e-6)


def test_sharpening_leaves_less_residual_than_moving_by_a_pixel():
    row = np.tile([200, 200, 90, 60, 60, 200, 200, 200], (8, 1)).astype(float)
    sharper = np.clip((row - row.mean()) * 1.2 + row.mean(), 0, 255)
    assert naive.residual(row, sharper) < 0.2 * naive.residual(row, np.roll(row, 1, axis=1))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 24), st.integers(1, 6), st.integers(0, 23))
def test_fold_sums_columns_and_the_short_last_block(size, blocks, short):
    width = max(1, blocks * size - short % size)
    columns = np.arange(1, blocks * size + 1, dtype=np.int32)
    out = np.zeros(blocks, np.int32)
    fold(columns.copy(), np.zeros_like(columns), width, size, out)
    columns[width:] = 0
    assert out.tolist() == columns.reshape(blocks, size).sum(axis=1).tolist()


@pytest.mark.parametrize(("size", "lines"), [(2, 2), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8)])
def test_stride_leaves_eight_lines_of_a_block_or_all(size, lines):
    assert len(range(0, size, stride(size, LUMA_LINES))) == lines
