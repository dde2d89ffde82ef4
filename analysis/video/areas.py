"""Small operations on areas of blocks."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from analysis.arrays import F32, I64, AnyArray, Bools
from analysis.kernels.levels import CELL


def grow(blocks: Bools, reach: int) -> Bools:
    """Return the area widened by `reach` blocks on every side, (rows, columns)."""
    wide = cv2.dilate(blocks.view(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    return wide.view(np.bool_)


def highest_near(values: F32, reach: int) -> F32:
    """Return (rows, columns): the largest value within `reach` blocks of each."""
    return cv2.dilate(values, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)).astype(np.float32)


def count_near(blocks: Bools, reach: int) -> I64:
    """Return (rows, columns): how many blocks of the area lie within `reach`, itself included."""
    size, nothing_beyond = (2 * reach + 1, 2 * reach + 1), cv2.BORDER_CONSTANT
    near = cv2.boxFilter(blocks.view(np.uint8), cv2.CV_32S, size, normalize=False, borderType=nothing_beyond)
    return near.astype(np.int64)


def connected(blocks: Bools) -> Iterator[Bools]:
    """Yield the parts of an area that hang together, also by corners, each (rows, columns)."""
    count, labels = cv2.connectedComponents(blocks.view(np.uint8))  # with statistics it takes ten times as long
    for label in range(1, count):
        yield labels == label


def box_around(blocks: Bools) -> tuple[slice, slice]:
    """Return the rows and the columns of the smallest box around an area."""
    x, y, width, height = cv2.boundingRect(blocks.view(np.uint8))
    return slice(y, y + height), slice(x, x + width)


def across(blocks: Bools) -> int:
    """Return how high or wide an area of at least one block is, whichever is more, in blocks."""
    rows, columns = box_around(blocks)
    return int(max(rows.stop - rows.start, columns.stop - columns.start))


def disc(shape: tuple[int, int], centre: tuple[float, float], radius: float) -> Bools:
    """Return (rows, columns): True where a block's middle lies within `radius` blocks of `centre` (row, column)."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return (rows + 0.5 - centre[0]) ** 2 + (columns + 0.5 - centre[1]) ** 2 <= radius**2


def by_cells(values: F32) -> F32:
    """Return the largest value of each cell of CELL × CELL blocks; `values` is (rows, columns) and not negative."""
    rows, columns = (-(-length // CELL) for length in values.shape)
    whole = np.zeros((rows * CELL, columns * CELL), np.float32)
    whole[: values.shape[0], : values.shape[1]] = values
    largest: F32 = whole.reshape(rows, CELL, columns, CELL).max(axis=(1, 3))
    return largest


def in_windows(sums: AnyArray) -> AnyArray:
    """Return (rows, columns, …): the sums of each block, with those of the blocks right of and below it."""
    wide = np.pad(sums, ((0, 1), (0, 1), *((0, 0),) * (sums.ndim - 2)))
    windows: AnyArray = wide[:-1, :-1] + wide[1:, :-1] + wide[:-1, 1:] + wide[1:, 1:]
    return windows
