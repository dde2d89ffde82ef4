"""Compiled comparisons of small pictures with places where they may lie. Their slow twins are in tests/naive.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import F32, F64, I64, U8
from analysis.kernels.compiling import entry, kernel, read_only, types

SHADES = 256


@kernel
def _middle(luma: Any, counts: Any) -> float:
    """Return the median of some levels; `counts` is work space."""
    counts[:] = 0
    for row in range(luma.shape[0]):
        for column in range(luma.shape[1]):
            counts[luma[row, column]] += 1
    many = luma.size
    lower, upper, seen, low = (many - 1) // 2, many // 2, 0, -1
    for shade in range(SHADES):
        seen += counts[shade]
        if low < 0 and seen > lower:
            low = shade
        if seen > upper:
            return (low + shade) / 2
    return 0.0


@kernel
def _differs(luma: Any, row: int, column: int, value: Any, levels: Any) -> bool:
    """Return whether a value lies clearly off what a pixel shows, and off half the way to what is beside it."""
    least, most = luma[row, column], luma[row, column]
    for y in range(max(row - 1, 0), min(row + 2, luma.shape[0])):
        for x in range(max(column - 1, 0), min(column + 2, luma.shape[1])):
            least, most = min(least, luma[y, x]), max(most, luma[y, x])
    shown, half = np.float32(luma[row, column]), np.float32(2)
    low, high = (shown + np.float32(least)) / half, (shown + np.float32(most)) / half
    return bool(low - value > levels or value - high > levels)


@kernel
def _unlike(luma: Any, values: Any, mask: Any, levels: Any, least: int, counts: Any) -> float:
    """Return the share of the pixels of a mask that differ, of those that tell; infinite where too few do."""
    ground = np.float32(_middle(luma, counts))
    telling, off = 0, 0
    for row in range(luma.shape[0]):
        for column in range(luma.shape[1]):
            value = values[row, column]
            if mask[row, column] and abs(value - ground) > levels:
                telling += 1
                off += _differs(luma, row, column, value, levels)
    return off / telling if telling >= least and telling else np.inf


@entry(
    types.void(
        read_only(types.uint8, 2), read_only(types.float32, 2), read_only(types.boolean, 2),
        read_only(types.int64, 2), types.float64, types.int64, types.float64[::1],
    )
)  # fmt: skip
def match(luma: U8, values: F32, mask: Any, places: I64, levels: float, least: int, out: F64) -> None:
    """Write how unlike a small picture each place is, 0 to 1, by what of it lies on the screen.

    `values` (height, width) are its levels, `mask` (height, width) says which pixels are its own, `places` (n, 2)
    are the rows and columns of its corner, of which some may lie beyond an edge of `luma`. Only pixels that differ
    by more than `levels` from the median of what the place shows tell; where fewer than `least` do, `out` (n,) is
    infinite. A pixel that may have moved by half a pixel is like another (analysis/events/cursor/sprites.py).

    Raises ValueError if the arrays do not fit each other, or a place lies wholly off the screen.
    """
    if values.shape != mask.shape or places.shape != (len(out), 2):
        raise ValueError("match: these arrays do not belong to one small picture")
    height, width = mask.shape
    counts = np.zeros(SHADES, np.int64)
    for number in range(len(places)):
        top, left = places[number, 0], places[number, 1]
        y0, x0 = max(top, 0), max(left, 0)
        y1, x1 = min(top + height, luma.shape[0]), min(left + width, luma.shape[1])
        if y0 >= y1 or x0 >= x1:
            raise ValueError("match: these arrays do not belong to a picture that shows all places")
        own = values[y0 - top : y1 - top, x0 - left : x1 - left]
        inside = mask[y0 - top : y1 - top, x0 - left : x1 - left]
        out[number] = _unlike(luma[y0:y1, x0:x1], own, inside, np.float32(levels), least, counts)


@kernel
def _joined(one: Any, other: Any, out: Any) -> int:
    """Write which pixels belong to either mask, both with their corner in a window; return how many do.

    `one` and `other` are (mask, row, column).
    """
    out[:] = False
    for mask, top, left in (one, other):
        for row in range(mask.shape[0]):
            for column in range(mask.shape[1]):
                if mask[row, column]:
                    out[top + row, left + column] = True
    return int(np.count_nonzero(out))


@entry(
    types.void(
        read_only(types.uint8, 2), read_only(types.uint8, 2), read_only(types.boolean, 2),
        read_only(types.boolean, 2), read_only(types.int64, 1), read_only(types.int64, 2), types.float64,
        types.float64[::1],
    )
)  # fmt: skip
def lay_over(one: U8, other: U8, here: Any, there: Any, corners: I64, shifts: I64, levels: float, out: F64) -> None:
    """Write how unlike two places in two pictures are, 0 to 1, laid over each other in several ways.

    `here` and `there` (height, width) are the pixels that count, in picture `one` and in picture `other`; `corners`
    (4,) are the row and column of the one, then of the other. `shifts` (n, 2) say where the corner of `there` comes
    to lie, from that of `here`. `out` (n,) is the share of the pixels of either mask that differ by more than
    `levels`, where a pixel may have moved by half a pixel; infinite where a picture ends within the place.

    Raises ValueError if the arrays do not fit each other, or a place lies off its picture.
    """
    if one.shape != other.shape or len(corners) != 4 or shifts.shape != (len(out), 2):
        raise ValueError("lay_over: these arrays do not belong to two pictures of one screen")
    here_y, here_x, there_y, there_x = corners[0], corners[1], corners[2], corners[3]
    for top, left, mask in ((here_y, here_x, here), (there_y, there_x, there)):
        if min(top, left) < 0 or top + mask.shape[0] > one.shape[0] or left + mask.shape[1] > one.shape[1]:
            raise ValueError("lay_over: these arrays do not belong to places on the screen")
    for number in range(len(out)):
        dy, dx = shifts[number, 0], shifts[number, 1]
        y0, x0 = min(0, dy), min(0, dx)
        height = max(here.shape[0], dy + there.shape[0]) - y0
        width = max(here.shape[1], dx + there.shape[1]) - x0
        was_y, was_x = here_y + y0, here_x + x0
        now_y, now_x = there_y + y0 - dy, there_x + x0 - dx
        out[number] = np.inf
        if min(was_y, was_x, now_y, now_x) < 0:
            continue
        if max(was_y, now_y) + height > one.shape[0] or max(was_x, now_x) + width > one.shape[1]:
            continue
        either = np.empty((height, width), np.bool_)
        many = _joined((here, -y0, -x0), (there, dy - y0, dx - x0), either)
        was, now = (
            one[was_y : was_y + height, was_x : was_x + width],
            other[now_y : now_y + height, now_x : now_x + width],
        )
        off = 0
        for row in range(height):
            for column in range(width):
                if either[row, column]:
                    off += _differs(now, row, column, np.float32(was[row, column]), np.float32(levels))
        out[number] = off / many if many else 1.0


@entry(
    types.void(
        read_only(types.float32, 2), read_only(types.float32, 2), read_only(types.float32, 2),
        read_only(types.boolean, 2), types.int64, types.int64, types.float64, types.float64[::1],
    )
)  # fmt: skip
def slide(was: F32, low: F32, high: F32, mask: Any, down: int, across: int, levels: float, best: F64) -> None:
    """Write by how many rows and columns a place must slide to be most like what it shows later, and how unlike.

    All arrays are (height, width): what the place showed, the least and the most that is like each pixel of what it
    shows now, and the pixels that count, where they were and where they are. `down` and `across` are how far it may
    slide. `best` (3,) is the share of pixels that differ by more than `levels`, the rows, the columns: the first
    of equal ones, by rows and then by columns. The share is infinite where no pixel counts.

    Raises ValueError if the arrays do not fit each other.
    """
    if not (was.shape == low.shape == high.shape == mask.shape) or len(best) != 3:
        raise ValueError("slide: these arrays do not belong to one place")
    height, width = mask.shape
    best[0], best[1], best[2] = np.inf, 0, 0
    for dy in range(-down, down + 1):
        for dx in range(-across, across + 1):
            if dy == 0 and dx == 0:
                continue
            looked_at, off = 0, 0
            for row in range(max(-dy, 0), height - max(dy, 0)):
                for column in range(max(-dx, 0), width - max(dx, 0)):
                    if mask[row, column] or mask[row + dy, column + dx]:
                        looked_at += 1
                        value = was[row, column]
                        off += low[row + dy, column + dx] - value > np.float32(levels) or value - high[
                            row + dy, column + dx
                        ] > np.float32(levels)
            if looked_at and off / looked_at < best[0]:
                best[0], best[1], best[2] = off / looked_at, dy, dx
