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

REACH = 2  # blocks: a neighbourhood is (2 REACH + 1)² of them


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
def common_shift(shift: I16, low: I16, high: I16, out: F32) -> None:
    """Write by how many levels all blocks within `REACH` moved the same way at least.

    It is 0 where they disagree, and at the edge.

    That is the larger of the minimum of the shifts and the minimum of their negatives, over (2 REACH + 1)² blocks.
    `low` and `high` are work space of the same shape.
    """
    rows, columns = shift.shape
    out[:] = 0
    if columns <= 2 * REACH:
        return
    for row in range(rows):
        _extremes(
            shift[row, :-4],
            shift[row, 1:-3],
            shift[row, 2:-2],
            shift[row, 3:-1],
            shift[row, 4:],
            low[row],
            high[row],
        )
    for row in range(REACH, rows - REACH):
        _agree(low[row - 2], low[row - 1], low[row], low[row + 1], low[row + 2], out[row, 2:-2], 1)
        _agree(high[row - 2], high[row - 1], high[row], high[row + 1], high[row + 2], out[row, 2:-2], -1)


@kernel
def _extremes(a: Any, b: Any, c: Any, d: Any, e: Any, low: Any, high: Any) -> None:
    for k in range(len(a)):
        low[k] = min(min(min(a[k], b[k]), min(c[k], d[k])), e[k])
        high[k] = max(max(max(a[k], b[k]), max(c[k], d[k])), e[k])


@kernel
def _agree(a: Any, b: Any, c: Any, d: Any, e: Any, out: Any, sign: int) -> None:
    """Raise `out` to the smallest of five, in levels; of their negatives if `sign` is −1."""
    if sign > 0:
        for k in range(len(out)):
            least = min(min(min(a[k], b[k]), min(c[k], d[k])), e[k])
            out[k] = max(out[k], np.float32(least) / np.float32(64))
    else:
        for k in range(len(out)):
            most = max(max(max(a[k], b[k]), max(c[k], d[k])), e[k])
            out[k] = max(out[k], -np.float32(most) / np.float32(64))


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
