"""Compiled comparison of a small picture with places where it may lie. A slow obvious twin is in tests/naive.py."""

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
