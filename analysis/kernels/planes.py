"""Compiled loops over the samples of a plane. Each has a slow obvious twin in tests/naive.py.

Planes are (rows, line) uint8 or uint16, C-contiguous as the decoder laid them; only the first `width` samples of a
line are picture. Strips of blocks that equal the plane before are not looked at twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import I32, U8, AnyArray
from analysis.kernels.compiling import INT, UINT, entry, kernel
from analysis.kernels.levels import CHROMA_LINES, LUMA_LINES

SQUARE, CROSS, OLD_SUM, OLD_SQUARE = 0, 1, 2, 3  # places in the moments of a block


@kernel
def stride(size: int, lines: int) -> int:
    """Return how far apart the sampled lines of a block of `size` lines lie, to sample `lines` of them."""
    return max(1, size // lines)


@kernel
def _fit(now: Any, width: int, high: int, wide: int, before: Any, lines: int, work: Any, sums: Any) -> bool:
    """Return whether blocks of `high` lines by `wide` samples cover the picture, and no loop leaves its array."""
    rows, columns = sums.shape
    return (
        (rows - 1) * high < now.shape[0] <= rows * high
        and (columns - 1) * wide < width <= min(now.shape[1], columns * wide)
        and high % lines == 0
        and before.shape == (rows * lines, width)
        and work.shape[0] == 4
        and work.shape[1] >= columns * wide
    )


@kernel
def same_lines(now: Any, first: int, step: int, before: Any, kept: int, lines: int, width: int) -> bool:
    """Return whether each sampled line equals the one kept; stops at one that differs."""
    for line in range(lines):
        y, z, different = first + line * step, kept + line, np.uint16(0)
        for x in range(width):
            different = np.uint16(different | (now[y, x] ^ before[z, x]))
        if different:
            return False
    return True


@kernel
def keep(now: Any, first: int, step: int, before: Any, kept: int, lines: int, width: int) -> None:
    """Keep the sampled lines."""
    for line in range(lines):
        y, z = first + line * step, kept + line
        for x in range(width):
            before[z, x] = now[y, x]


@kernel
def _moments_of_8(
    now: Any, first: int, step: int, before: Any, kept: int, width: int, total: Any, square: Any, cross: Any
) -> None:
    """As `_moments`, for 8 lines: a number that the compiler knows lets it work on many columns at once."""
    top, apart, other = UINT(first), UINT(step), UINT(kept)
    for x in range(width):
        s, q, c = INT(0), INT(0), INT(0)
        for line in range(8):
            a, b = INT(before[UINT(other + UINT(line)), x]), INT(now[UINT(top + UINT(line) * apart), x])
            s, q, c = INT(s + b), INT(q + b * b), INT(c + a * b)
        total[x], square[x], cross[x] = s, q, c


@kernel
def _moments(
    now: Any,
    first: int,
    step: int,
    before: Any,
    kept: int,
    lines: int,
    width: int,
    total: Any,
    square: Any,
    cross: Any,
) -> None:
    """Write Σ b, Σ b² and Σ a · b of each column over some lines."""
    for x in range(width):
        s, q, c = INT(0), INT(0), INT(0)
        for line in range(lines):
            a, b = INT(before[kept + line, x]), INT(now[first + line * step, x])
            s, q, c = INT(s + b), INT(q + b * b), INT(c + a * b)
        total[x], square[x], cross[x] = s, q, c


@kernel
def _totals_of_4(now: Any, first: int, step: int, width: int, total: Any) -> None:
    """As `_totals`, for 4 lines."""
    top, apart = UINT(first), UINT(step)
    for x in range(width):
        s = INT(0)
        for line in range(4):
            s = INT(s + now[UINT(top + UINT(line) * apart), x])
        total[x] = s


@kernel
def _totals(now: Any, first: int, step: int, lines: int, width: int, total: Any) -> None:
    """Write Σ b of each column over some lines."""
    for x in range(width):
        s = INT(0)
        for line in range(lines):
            s = INT(s + now[first + line * step, x])
        total[x] = s


@kernel
def fold(columns: I32, spare: I32, width: int, size: int, out: I32) -> None:
    """Write the sums of every `size` columns; those from `width` on are 0. Both work arrays are overwritten."""
    for x in range(width, len(out) * size):
        columns[x] = 0
    while size % 2 == 0:
        size //= 2
        halve(columns, len(out) * size, spare)
        columns, spare = spare, columns
    if size == 1:
        for block in range(len(out)):
            out[block] = columns[block]
        return
    for block in range(len(out)):
        total = INT(0)
        for x in range(block * size, block * size + size):
            total = INT(total + columns[x])
        out[block] = total


@kernel
def halve(pairs: I32, count: int, out: I32) -> None:
    """Write the sums of `count` pairs."""
    for k in range(count):
        out[k] = INT(pairs[2 * k] + pairs[2 * k + 1])


def _luma(samples: str) -> str:
    return (
        f"void({samples}[:,::1], boolean, int64, int64, {samples}[:,::1], int32[:,::1], int32[:,::1], "
        "int32[:,:,::1], uint8[::1], uint8[::1])"
    )


@entry(_luma("uint8"), _luma("uint16"))
def luma_sums(
    now: AnyArray, everything: bool, width: int, size: int, before: AnyArray, work: I32, sums: I32, moments: I32,
    fresh: U8, changed: U8,
) -> None:  # fmt: skip
    """Bring block sums up to date with the plane now.

    `fresh` is (rows,): 1 for strips of blocks that differ from the plane before; `changed` (1,) becomes 1 if any
    does. `sums` are Σ b of each block, (rows, columns). `moments` is (4, rows, columns): Σ b² and Σ a · b with the
    plane before, then Σ a and Σ a²; what it holds of strips that are not fresh means nothing, but for Σ b².
    `before` (rows · LUMA_LINES, width) keeps the sampled lines of the plane before. `work` is (4, columns · size)
    to work in. With `everything`, no strip counts as equal. Raises ValueError if the arrays do not fit each other.
    """
    rows, columns = sums.shape
    if (
        not _fit(now, width, size, size, before, LUMA_LINES, work, sums)
        or moments.shape != (4, rows, columns)
        or len(fresh) != rows
        or len(changed) != 1
    ):
        raise ValueError("luma_sums: these arrays do not belong to one picture")
    step = stride(size, LUMA_LINES)
    for row in range(rows):
        first, last = row * size, min(now.shape[0], row * size + size)
        lines = (last - first + step - 1) // step
        fresh[row] = everything or not same_lines(now, first, step, before, row * LUMA_LINES, lines, width)
        if not fresh[row]:
            continue
        changed[0] = 1
        for column in range(columns):
            moments[OLD_SUM, row, column] = sums[row, column]
            moments[OLD_SQUARE, row, column] = moments[SQUARE, row, column]
        if lines == LUMA_LINES:
            _moments_of_8(now, first, step, before, row * LUMA_LINES, width, work[0], work[1], work[2])
        else:
            _moments(now, first, step, before, row * LUMA_LINES, lines, width, work[0], work[1], work[2])
        keep(now, first, step, before, row * LUMA_LINES, lines, width)
        fold(work[0], work[3], width, size, sums[row])
        fold(work[1], work[3], width, size, moments[SQUARE, row])
        fold(work[2], work[3], width, size, moments[CROSS, row])


def _chroma(samples: str) -> str:
    return (
        f"void({samples}[:,::1], boolean, int64, int64, int64, {samples}[:,::1], int32[:,::1], int32[:,::1], "
        "uint8[::1])"
    )


@entry(_chroma("uint8"), _chroma("uint16"))
def chroma_sums(
    now: AnyArray, everything: bool, width: int, high: int, wide: int, before: AnyArray, work: I32, sums: I32,
    changed: U8,
) -> None:  # fmt: skip
    """Bring Σ b of each block of `high` lines by `wide` samples up to date.

    `changed` (1,) becomes 1 if any differs; `before` (rows · CHROMA_LINES, width) keeps the sampled lines of the
    plane before. Raises ValueError if the arrays do not fit each other.
    """
    if not _fit(now, width, high, wide, before, CHROMA_LINES, work, sums) or len(changed) != 1:
        raise ValueError("chroma_sums: these arrays do not belong to one picture")
    step = stride(high, CHROMA_LINES)
    for row in range(sums.shape[0]):
        first, last = row * high, min(now.shape[0], row * high + high)
        lines = (last - first + step - 1) // step
        if not everything and same_lines(now, first, step, before, row * CHROMA_LINES, lines, width):
            continue
        changed[0] = 1
        if lines == CHROMA_LINES:
            _totals_of_4(now, first, step, width, work[0])
        else:
            _totals(now, first, step, lines, width, work[0])
        keep(now, first, step, before, row * CHROMA_LINES, lines, width)
        fold(work[0], work[3], width, wide, sums[row])
