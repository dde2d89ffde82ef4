"""Compiled loops over the blocks of a picture. Each has a slow obvious twin in tests/naive.py.

Strengths are in levels (8-bit). Blocks lie in a (rows, columns) grid, `CELL` × `CELL` of them make a cell.
"""

from __future__ import annotations

import numba
import numpy as np

from analysis.arrays import F32, F64, I64, U8, U16, AnyArray
from analysis.levels import CELL, FINE, LEVELS

UPPER = 0.97  # leaves out three blocks in a hundred: a button, a line of text


@numba.njit(cache=True, nogil=True)
def encode(strength: float) -> int:
    """Return the 8-bit code of a strength in levels; LEVELS turns it back."""
    if strength < 31.875:
        return int(strength * 4.0 + 0.5)
    return min(255, FINE + int((strength - 32.0) / 2.0 + 0.5))


@numba.njit(cache=True, nogil=True)
def step_strength(before: U16, now: U16, residual: U8, per_residual: float, out: U8) -> tuple[float, float]:
    """Write the code of how strongly each block changed since the picture before.

    Return the median and the upper quantile (`UPPER`) of the strengths, in levels.

    Strength = the larger of the shift of the block's mean (any plane) and its residual × `per_residual`.
    `before` and `now` are (planes, blocks) in 1/64 levels.
    """
    planes, blocks = now.shape
    histogram = np.zeros(256, np.int64)
    for block in range(blocks):
        strength = residual[block] * per_residual
        for plane in range(planes):
            shift = abs(np.int32(now[plane, block]) - np.int32(before[plane, block])) / 64.0
            strength = max(strength, shift)
        out[block] = encode(strength)
        histogram[out[block]] += 1
    return LEVELS[quantile(histogram, 0.5)], LEVELS[quantile(histogram, UPPER)]


@numba.njit(cache=True, nogil=True)
def quantile(histogram: I64, share: float) -> int:
    """Return the smallest value that at least this share of the counted values do not exceed."""
    seen, value, total = histogram[0], 0, histogram.sum()
    while seen < share * total:
        value += 1
        seen += histogram[value]
    return value


@numba.njit(cache=True, nogil=True)
def signed_difference(now: U16, before: U16, ignored: U8, out: F32) -> None:
    """Write the shift of the luma mean of each block, in levels; 0 where ignored. `out` is (rows, columns)."""
    rows, columns = out.shape
    for row in range(rows):
        for column in range(columns):
            block = row * columns + column
            shift = (np.int32(now[0, block]) - np.int32(before[0, block])) / 64.0
            out[row, column] = 0.0 if ignored[row, column] else shift


@numba.njit(cache=True, nogil=True)
def largest_difference(now: U16, before: U16, ignored: U8, out: F32) -> None:
    """Write the largest shift of a mean over the planes of each block, in levels; 0 where ignored."""
    rows, columns = out.shape
    for row in range(rows):
        for column in range(columns):
            block = row * columns + column
            largest = np.int32(0)
            for plane in range(now.shape[0]):
                largest = max(largest, abs(np.int32(now[plane, block]) - np.int32(before[plane, block])))
            out[row, column] = 0.0 if ignored[row, column] else largest / 64.0


@numba.njit(cache=True, nogil=True, fastmath=True)
def common_shift(shift: F32, reach: int, out: F32) -> None:
    """Write by how much all blocks within `reach` moved the same way at least; 0 if they disagree, or at the edge.

    That is the larger of the minimum of the shifts and the minimum of their negatives, over (2 reach + 1)² blocks.
    """
    rows, columns = shift.shape
    low, high = shift.copy(), shift.copy()
    out[:] = 0
    for row in range(rows):
        for x in range(-reach, reach + 1):
            for column in range(reach, columns - reach):
                low[row, column] = min(low[row, column], shift[row, column + x])
                high[row, column] = max(high[row, column], shift[row, column + x])
    for row in range(reach, rows - reach):
        least, most = low[row].copy(), high[row].copy()
        for y in range(-reach, reach + 1):
            for column in range(reach, columns - reach):
                least[column] = min(least[column], low[row + y, column])
                most[column] = max(most[column], high[row + y, column])
        for column in range(reach, columns - reach):
            out[row, column] = max(np.float32(0), least[column], -most[column])


@numba.njit(cache=True, nogil=True)
def around(values: AnyArray, row: int, column: int) -> float:
    """Return the largest of the 3 × 3 values around a place."""
    largest = -np.inf
    for y in range(max(0, row - 1), min(values.shape[0], row + 2)):
        for x in range(max(0, column - 1), min(values.shape[1], column + 2)):
            largest = max(largest, values[y, x])
    return largest


@numba.njit(cache=True, nogil=True)
def supporters(values: F32, row: int, column: int, least: float) -> int:
    """Count the blocks of the 3 × 3 around a place, itself included, that reach `least`."""
    count = 0
    for y in range(max(0, row - 1), min(values.shape[0], row + 2)):
        for x in range(max(0, column - 1), min(values.shape[1], column + 2)):
            count += values[y, x] >= least
    return count


@numba.njit(cache=True, nogil=True)
def remember(
    strength: F32, changed: U8, time_ms: float, decay: float, recent: F32, peak: F32, last_ms: F64
) -> None:
    """Keep what the noise model needs: recent strength per block, peak strength and last change per cell."""
    for row in range(strength.shape[0]):
        for column in range(strength.shape[1]):
            y, x = row // CELL, column // CELL
            recent[row, column] = max(recent[row, column] * decay, strength[row, column])
            peak[y, x] = max(peak[y, x], strength[row, column])
            if changed[row, column]:
                last_ms[y, x] = time_ms


@numba.njit(cache=True, nogil=True)
def stands_out(values: F32, row: int, column: int, least: float, support: int, strong: float) -> bool:
    """Return whether a block reaches `least` together with its neighbours, or alone by `strong` times as much."""
    value = values[row, column]
    if value < least:
        return False
    return value >= strong * least or supporters(values, row, column, 0.7 * least) >= support
