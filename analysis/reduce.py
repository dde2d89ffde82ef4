"""Reduce pictures to their blocks: means of every plane, strength of the change, SSIM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import I64, U8, U16
from analysis.decode import Picture, Plane
from analysis.grid import BlockGrid
from analysis.kernels.planes import chroma_sums, compare_sums, luma_sums, means_of, stride
from analysis.kernels.tracking import step_strength

PER_RESIDUAL = 0.25  # a moved edge leaves about four times as much residual as it shifts a block's mean


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """One picture as blocks, compared with the picture before it.

    Attributes
    ----------
    means : (planes, blocks) uint16, 1/64 levels.
    strength : (blocks,) uint8, how strongly each block changed, as kernels.tracking codes it.
    median, upper : median and upper quantile of the strengths, levels.
    ssim_mean, ssim_worst : SSIM over the blocks.

    """

    means: U16
    strength: U8
    median: float
    upper: float
    ssim_mean: float
    ssim_worst: float


class Reducer:
    """Takes pictures one after the other and keeps only the last, with its sums."""

    def __init__(self, grid: BlockGrid, first: Picture) -> None:
        self._grid = grid
        self._scale = 1.0 / (1 << (first.bits - 8))
        self._sizes = [_block_of(plane, grid) for plane in (first.luma, *first.chroma)]
        self._counts = [_counts(plane, size, grid) for plane, size in zip(first.planes, self._sizes, strict=True)]
        self._sums = [np.zeros(grid.shape, np.int64) for _ in first.planes]
        self._squares = np.zeros(grid.shape, np.int64)
        self._last: Picture | None = None
        self._means = np.zeros((len(first.planes), grid.shape[0] * grid.shape[1]), np.uint16)

    def next(self, picture: Picture) -> Reduced | None:
        """Return the blocks of the next picture, None if it equals the one before."""
        before = self._last or picture
        everything = self._last is None
        old, old_squares = self._sums[0].copy(), self._squares.copy()
        crosses = np.zeros(self._grid.shape, np.int64)
        fresh = luma_sums(
            picture.luma.samples, before.luma.samples, picture.luma.width, self._grid.size, everything,
            self._sums[0], self._squares, crosses,
        )  # fmt: skip
        changed = bool(fresh.any())
        for number, (plane, earlier) in enumerate(zip(picture.chroma, before.chroma, strict=True), 1):
            size, sums = self._sizes[number], self._sums[number]
            changed |= chroma_sums(plane.samples, earlier.samples, plane.width, size, everything, sums)
        self._last = picture
        if not changed:
            return None
        return self._compare(old, old_squares, crosses, fresh, everything)

    def _compare(self, old: I64, old_squares: I64, crosses: I64, fresh: U8, first: bool) -> Reduced:
        shape, means = self._grid.shape, np.empty_like(self._means)
        for sums, counts, out in zip(self._sums, self._counts, means, strict=True):
            means_of(sums, counts, self._scale, out.reshape(shape))
        strength = np.zeros(means.shape[1], np.uint8)
        ssim, residual = np.ones(shape, np.float32), np.zeros(shape, np.uint8)
        median, upper = 0.0, 0.0
        if not first:
            compare_sums(
                old, old_squares, self._sums[0], self._squares, crosses, self._counts[0], self._scale, fresh,
                ssim, residual,
            )  # fmt: skip
            median, upper = step_strength(self._means, means, residual.ravel(), PER_RESIDUAL, strength)
        self._means = means
        return Reduced(means, strength, median, upper, float(ssim.mean()), float(ssim.min()))


def _block_of(plane: Plane, grid: BlockGrid) -> tuple[int, int]:
    """Return (rows, columns) of samples that a block covers in a plane that may be subsampled."""
    vertical, horizontal = -(-grid.height // plane.height), -(-grid.width // plane.width)
    return grid.size // vertical, grid.size // horizontal


def _counts(plane: Plane, size: tuple[int, int], grid: BlockGrid) -> I64:
    """Return (rows, columns): how many samples each block sums; fewer at the right and lower edge."""
    rows, columns = (np.arange(length, dtype=np.int64) for length in grid.shape)
    high = -(-np.clip(plane.height - rows * size[0], 1, size[0]) // stride(size[0]))
    wide = np.clip(plane.width - columns * size[1], 1, size[1])
    return np.ascontiguousarray(np.outer(high, wide))
