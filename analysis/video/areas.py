"""Small operations on areas of blocks."""

from __future__ import annotations

import numpy as np

from analysis.arrays import I64, Bools


def grow(blocks: Bools, reach: int) -> Bools:
    """Return the area widened by `reach` blocks on every side, (rows, columns)."""
    if not blocks.any():
        return blocks.copy()
    return _grow_rows(_grow_rows(blocks, reach).T, reach).T


def _grow_rows(blocks: Bools, reach: int) -> Bools:
    wide = blocks.copy()
    for shift in range(1, reach + 1):
        wide[shift:] |= blocks[:-shift]
        wide[:-shift] |= blocks[shift:]
    return wide


def count_near(blocks: Bools, reach: int) -> I64:
    """Return (rows, columns): how many blocks of the area lie within `reach`, itself included."""
    wide = np.pad(blocks.astype(np.int64), reach)
    rows, columns = blocks.shape
    size = range(2 * reach + 1)
    return sum((wide[y : y + rows, x : x + columns] for y in size for x in size), np.zeros(blocks.shape, np.int64))


def disc(shape: tuple[int, int], centre: tuple[float, float], radius: float) -> Bools:
    """Return (rows, columns): True where a block's middle lies within `radius` blocks of `centre` (row, column)."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return (rows + 0.5 - centre[0]) ** 2 + (columns + 0.5 - centre[1]) ** 2 <= radius**2
