"""Reduce pictures to their blocks: means of every plane, strength of the change, SSIM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import I64, U8, U16
from analysis.kernels.levels import CHROMA_LINES, LUMA_LINES
from analysis.kernels.loading import load
from analysis.video.decode import Picture, Plane
from analysis.video.grid import BlockGrid


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """One picture as blocks, compared with the picture before it. The arrays hold until the next one is reduced.

    Attributes
    ----------
    means : (planes, blocks) uint16, 1/64 levels.
    strength : (blocks,) uint8, how strongly each block changed, coded as levels.LEVELS says.
    median, upper : median and upper quantile of the strengths, levels.
    ssim_mean, ssim_worst : SSIM over the blocks.

    """

    means: U16
    strength: U8
    median: float
    upper: float
    ssim_mean: float = 1.0
    ssim_worst: float = 1.0


class Reducer:
    """Takes pictures one after the other and keeps the sampled lines of the last, with its sums."""

    def __init__(self, grid: BlockGrid, first: Picture) -> None:
        rows, columns = shape = grid.shape
        blocks, planes, scale = rows * columns, len(first.planes), 1.0 / (1 << (first.bits - 8))
        lines = [LUMA_LINES] + [CHROMA_LINES] * (planes - 1)
        sizes = [_block_of(plane, grid) for plane in first.planes]
        counts = np.array([_counts(*facts, grid) for facts in zip(first.planes, sizes, lines, strict=True)])
        samples = first.luma.samples.dtype
        kept = [
            np.zeros((rows * many, plane.width), samples) for many, plane in zip(lines, first.planes, strict=True)
        ]
        work, fresh = np.zeros((4, columns * grid.size), np.int32), np.zeros(rows, np.uint8)
        sums, moments = np.zeros((planes, *shape), np.int32), np.zeros((4, *shape), np.int32)
        self._first, self._changed = True, np.zeros(1, np.uint8)
        self._means, self._strength = np.zeros((planes, blocks), np.uint16), np.zeros(blocks, np.uint8)
        self._facts = np.array([0.0, 0.0, 1.0, 1.0])
        self._kernels = load()
        self._luma = (first.luma.width, grid.size, kept[0], work, sums[0], moments, fresh, self._changed)
        self._chroma = [
            (plane.width, *size, old, work, new, self._changed)
            for plane, size, old, new in zip(first.chroma, sizes[1:], kept[1:], sums[1:], strict=True)
        ]
        self._compared = (
            sums, moments, 64.0 * scale / counts, 1.0 / counts[0], scale, fresh, self._means,
            np.zeros_like(self._means), np.zeros(shape, np.float32), np.zeros(shape, np.float32),
            np.zeros(blocks, np.int32), np.zeros(256, np.int32), self._strength, self._facts,
        )  # fmt: skip

    def next(self, picture: Picture) -> Reduced | None:
        """Return the blocks of the next picture, None if it equals the one before."""
        first, self._first, self._changed[0] = self._first, False, 0
        self._kernels.luma_sums(picture.luma.samples, first, *self._luma)
        for plane, arguments in zip(picture.chroma, self._chroma, strict=True):
            self._kernels.chroma_sums(plane.samples, first, *arguments)
        if not self._changed[0]:
            return None
        self._kernels.compare(first, *self._compared)
        return Reduced(self._means, self._strength, *self._facts.tolist())


def _block_of(plane: Plane, grid: BlockGrid) -> tuple[int, int]:
    """Return (rows, columns) of samples that a block covers in a plane that may be subsampled."""
    vertical, horizontal = -(-grid.height // plane.height), -(-grid.width // plane.width)
    return grid.size // vertical, grid.size // horizontal


def _counts(plane: Plane, size: tuple[int, int], lines: int, grid: BlockGrid) -> I64:
    """Return (rows, columns): how many samples each block sums; fewer at the right and lower edge."""
    rows, columns = (np.arange(length, dtype=np.int64) for length in grid.shape)
    high = -(-np.clip(plane.height - rows * size[0], 1, size[0]) // max(1, size[0] // lines))
    wide = np.clip(plane.width - columns * size[1], 1, size[1])
    return np.outer(high, wide)
