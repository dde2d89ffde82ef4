from itertools import chain

import numpy as np
import pytest

from analysis.kernels.planes import chroma_sums, compare_sums, fold, luma_sums, means_of, same_rows, stride
from tests import naive

SIZE = 4  # below six lines a block is sampled in full, as the twin does


def planes(seed, height=19, line=24, dtype=np.uint8, top=256):
    rng = np.random.default_rng(seed)
    before = rng.integers(0, top, (height, line)).astype(dtype)
    now = before.copy()
    now[5:14] = rng.integers(0, top, (9, line))
    return before, now


def sums_of(before, now, width, shape, everything):
    sums, squares, crosses = (np.zeros(shape, np.int64) for _ in range(3))
    luma_sums(before, before, width, SIZE, True, sums, squares, crosses)
    old, old_squares = sums.copy(), squares.copy()
    fresh = luma_sums(now, before, width, SIZE, everything, sums, squares, crosses)
    return old, old_squares, sums, squares, crosses, fresh


def counts_of(plane, size, shape):
    return np.array([[block.size for block in row] for row in naive.blocks_of(plane, size, shape)], np.int64)


@pytest.mark.parametrize(("dtype", "top", "scale"), [(np.uint8, 256, 1.0), (np.uint16, 1024, 0.25)])
def test_means_equal_the_twin_with_edge_blocks_and_padding(dtype, top, scale):
    before, now = planes(1, dtype=dtype, top=top)
    width, shape = 22, (5, 6)
    _, _, sums, *_ = sums_of(before, now, width, shape, False)
    out = np.zeros(shape, np.uint16)
    means_of(sums, counts_of(now[:, :width], (SIZE, SIZE), shape), scale, out)
    np.testing.assert_allclose(out / 64, naive.means(now[:, :width], (SIZE, SIZE), shape) * scale, atol=1 / 64)


def test_only_strips_that_differ_are_fresh_and_their_sums_are_right():
    before, now = planes(2)
    *_, fresh = sums_of(before, now, 24, (5, 6), False)
    assert fresh.tolist() == [0, 1, 1, 1, 0]


def test_a_difference_in_the_padding_is_no_difference():
    before, now = planes(3)
    now[:, :20] = before[:, :20]
    *_, fresh = sums_of(before, now, 20, (5, 5), False)
    assert not fresh.any()
    assert same_rows(before, now, 0, 19, 20)
    assert not same_rows(before, now, 0, 19, 21)


def test_ssim_and_residual_equal_the_twin():
    before, now = planes(4)
    shape, counts = (5, 6), counts_of(before, (SIZE, SIZE), (5, 6))
    old, old_squares, new, new_squares, crosses, fresh = sums_of(before, now, 24, shape, False)
    ssim, residual = np.zeros(shape, np.float32), np.zeros(shape, np.uint8)
    compare_sums(old, old_squares, new, new_squares, crosses, counts, 1.0, fresh, ssim, residual)
    one, two = naive.blocks_of(before, (SIZE, SIZE), shape), naive.blocks_of(now, (SIZE, SIZE), shape)
    pairs = zip(chain.from_iterable(one), chain.from_iterable(two), strict=True)
    expected = [(naive.ssim(a, b), naive.residual(a, b)) for a, b in pairs]
    np.testing.assert_allclose(ssim.ravel(), [one for one, _ in expected], atol=1e-5)
    np.testing.assert_allclose(residual.ravel(), [two for _, two in expected], atol=0.51)


def test_sharpening_leaves_less_residual_than_moving_by_a_pixel():
    row = np.tile([200, 200, 90, 60, 60, 200, 200, 200], (8, 1)).astype(float)
    sharper = np.clip((row - row.mean()) * 1.2 + row.mean(), 0, 255)
    assert naive.residual(row, sharper) < 0.2 * naive.residual(row, np.roll(row, 1, axis=1))


def test_chroma_blocks_may_be_oblong():
    before, now = planes(5)
    sums = np.zeros((10, 6), np.int64)
    assert chroma_sums(now, before, 24, (2, 4), True, sums)
    counts = counts_of(now, (2, 4), (10, 6))
    np.testing.assert_allclose(sums / counts, naive.means(now, (2, 4), (10, 6)))
    assert not chroma_sums(now, now.copy(), 24, (2, 4), False, sums)


def test_fold_sums_columns_and_the_short_last_block():
    out = np.zeros(3, np.int64)
    fold(np.arange(10, dtype=np.int32), 4, out)
    assert out.tolist() == [6, 22, 17]


@pytest.mark.parametrize("size", [2, 4, 8, 16, 24])
def test_stride_leaves_enough_lines(size):
    assert len(range(0, size, stride(size))) >= min(size, 6)
