"""Reduce a picture to its blocks: means of every plane, strength of the change, SSIM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, U8, U16, AnyArray
from analysis.decode import Picture
from analysis.grid import BlockGrid
from analysis.kernels.planes import block_means, compare_blocks, same_plane
from analysis.kernels.tracking import step_strength

PER_RESIDUAL = 0.25  # a moved edge leaves about four times as much residual as it shifts a block's mean


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """One picture as blocks, compared with the picture before it.

    Attributes
    ----------
    means : (planes, blocks) uint16, 1/64 levels.
    strength : (blocks,) uint8, how strongly each block changed, as kernels.tracking codes it.
    median : median strength of the blocks, levels.
    ssim_mean, ssim_worst : SSIM over the blocks.

    """

    means: U16
    strength: U8
    median: float
    ssim_mean: float
    ssim_worst: float


def same_picture(a: Picture, b: Picture) -> bool:
    """Return whether two pictures are equal, sample by sample."""
    return bool(same_plane(a.luma, b.luma)) and all(map(same_plane, a.chroma, b.chroma))


def reduce_picture(picture: Picture, grid: BlockGrid, before: tuple[Picture, Reduced] | None) -> Reduced:
    """Return the blocks of a picture; `before` is the picture shown before it, None for the first."""
    means = picture_means(picture, grid)
    blocks = means.shape[1]
    strength = np.zeros(blocks, np.uint8)
    if before is None:
        return Reduced(means, strength, 0.0, 1.0, 1.0)
    ssim, residual = compare_pictures(before[0], picture, grid)
    median = step_strength(before[1].means, means, residual.ravel(), PER_RESIDUAL, strength)
    return Reduced(means, strength, median, float(ssim.mean()), float(ssim.min()))


def picture_means(picture: Picture, grid: BlockGrid) -> U16:
    """Return (planes, blocks) means in 1/64 levels."""
    means = np.empty((1 + len(picture.chroma), *grid.shape), np.uint16)
    block_means(picture.luma, grid.size, _scale(picture), means[0])
    for plane, out in zip(picture.chroma, means[1:], strict=True):
        block_means(*_square(plane, grid), _scale(picture), out)
    return means.reshape(len(means), -1)


def compare_pictures(a: Picture, b: Picture, grid: BlockGrid) -> tuple[F32, U8]:
    """Return the SSIM and the residual of each block, (rows, columns)."""
    ssim, residual = np.empty(grid.shape, np.float32), np.empty(grid.shape, np.uint8)
    compare_blocks(a.luma, b.luma, grid.size, _scale(b), ssim, residual)
    return ssim, residual


def _scale(picture: Picture) -> float:
    return 1.0 / (1 << (picture.bits - 8))


def _square(plane: AnyArray, grid: BlockGrid) -> tuple[AnyArray, int]:
    """Return a chroma plane and the block size that gives it the grid's shape."""
    vertical = -(-grid.height // plane.shape[0])
    horizontal = -(-grid.width // plane.shape[1])
    if horizontal > vertical:  # 4:2:2: leave out every other row, so that blocks are square again
        plane, vertical = plane[::horizontal], horizontal
    return plane, grid.size // vertical
