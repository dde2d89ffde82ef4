"""Compiled loops over the blocks of a picture. Each has a slow obvious twin in tests/naive.py.

Strengths are in levels (8-bit), means in 1/64 levels. Blocks lie in a (rows, columns) grid, `CELL` × `CELL` of them
make a cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import F32, F64, I16, U8, U16, AnyArray
from analysis.kernels.compiling import INT, kernel
from analysis.kernels.levels import CELL


@kernel
def shifts(now: U16, before: U16, ignored: U8, luma: I16, largest: I16) -> None:
    """Write the shift of the luma mean of each block and the largest over the planes; 0 where ignored.

    `now` and `before` are (planes, blocks), all others (blocks,).
    """
    _shift(now[0], before[0], ignored, luma)
    for block in range(len(largest)):
        largest[block] = abs(luma[block])
    for plane in range(1, now.shape[0]):
        _raise_shift(now[plane], before[plane], ignored, largest)


@kernel
def _shift(now: Any, before: Any, ignored: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = 0 if ignored[k] else INT(INT(now[k]) - INT(before[k]))


@kernel
def _raise_shift(now: Any, before: Any, ignored: Any, out: Any) -> None:
    for k in range(len(out)):
        shift = 0 if ignored[k] else abs(INT(INT(now[k]) - INT(before[k])))
        out[k] = max(INT(out[k]), shift)


@kernel
def common_shift(shift: I16, reach: int, low: I16, high: I16, out: F32) -> None:
    """Write by how many levels all blocks within `reach` moved the same way at least.

    It is 0 where they disagree, and at the edge.

    That is the larger of the minimum of the shifts and the minimum of their negatives, over (2 reach + 1)² blocks.
    `low` and `high` are work space of the same shape.
    """
    rows, columns = shift.shape
    out[:] = 0
    wide = columns - 2 * reach
    if wide <= 0:
        return
    for row in range(rows):
        _copy(shift[row], low[row, :wide])
        _copy(shift[row], high[row, :wide])
        for apart in range(1, 2 * reach + 1):
            _extend(shift[row, apart:], shift[row, apart:], low[row, :wide], high[row, :wide])
    for row in range(rows - 2 * reach):
        for apart in range(1, 2 * reach + 1):
            _extend(low[row + apart], high[row + apart], low[row, :wide], high[row, :wide])
        _agree(low[row], high[row], out[row + reach, reach : reach + wide])


@kernel
def _copy(values: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = values[k]


@kernel
def _extend(low_too: Any, high_too: Any, low: Any, high: Any) -> None:
    """Lower what is lowest and raise what is highest by one more line."""
    for k in range(len(low)):
        low[k] = min(low[k], low_too[k])
        high[k] = max(high[k], high_too[k])


@kernel
def _agree(low: Any, high: Any, out: Any) -> None:
    """Write, in levels, the smallest shift where all go up, the smallest negated where all go down, else 0."""
    for k in range(len(out)):
        up, down = np.float32(low[k]) / np.float32(64), -np.float32(high[k]) / np.float32(64)
        out[k] = max(max(np.float32(0), up), down)


@kernel
def around(values: AnyArray, row: int, column: int) -> float:
    """Return the largest of the 3 × 3 values around a place."""
    largest = -np.inf
    for y in range(max(0, row - 1), min(values.shape[0], row + 2)):
        for x in range(max(0, column - 1), min(values.shape[1], column + 2)):
            largest = max(largest, values[y, x])
    return largest


@kernel
def largest_around(values: F32, work: F32, out: F32) -> None:
    """Write the largest of the 3 × 3 values around each place; `work` is of the same shape."""
    rows = values.shape[0]
    for row in range(rows):
        _largest_of_3(values[row], values[max(0, row - 1)], values[min(rows - 1, row + 1)], work[row])
    for row in range(rows):
        out[row, 0] = work[row, 0]
        _largest_of_3(work[row], work[row, 1:], work[row, 1:], out[row, :-1])
        out[row, -1] = work[row, -1]
        _raise(out[row, 1:], work[row, :-1])


@kernel
def _largest_of_3(a: Any, b: Any, c: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = max(max(a[k], b[k]), c[k])


@kernel
def _raise(out: Any, values: Any) -> None:
    for k in range(len(out)):
        out[k] = max(out[k], values[k])


@kernel
def remember(
    strength: F32, changed: U8, time_ms: float, decay: float, recent: F32, peak: F32, last_ms: F64
) -> None:
    """Keep what the noise model needs: recent strength per block, peak strength and last change per cell.

    `strength` has a border of one block.
    """
    for row in range(recent.shape[0]):
        _fade(strength[row + 1, 1:-1], np.float32(decay), recent[row])
        for column in range(recent.shape[1]):
            y, x = row // CELL, column // CELL
            peak[y, x] = max(peak[y, x], strength[row + 1, column + 1])
            if changed[row, column]:
                last_ms[y, x] = time_ms


@kernel
def _fade(strength: Any, decay: Any, recent: Any) -> None:
    for k in range(len(recent)):
        recent[k] = max(np.float32(recent[k] * decay), strength[k])
