"""Compiled sums of how pictures differ along the edges of one. A slow obvious twin is in tests/naive.py."""

from __future__ import annotations

from typing import Any

from analysis.arrays import F64, U8
from analysis.kernels.compiling import entry, kernel, read_only, types
from analysis.kernels.levels import SUMS


@kernel
def _add(edges: Any, one: Any, other: Any, y: int, x: int, levels: float, out: Any) -> None:
    """Add a pixel to the sums of its block."""
    shown, off = float(edges[y, x]), float(other[y, x]) - float(one[y, x])
    high, wide = edges.shape
    left, right = float(edges[y, max(x - 1, 0)]), float(edges[y, min(x + 1, wide - 1)])
    above, below = float(edges[max(y - 1, 0), x]), float(edges[min(y + 1, high - 1), x])
    along = (left - shown, right - shown)  # what a pixel changes by as its left neighbour, or its right one, comes
    down = (above - shown, below - shown)
    out[0] += off * off
    out[1] += abs(off) > levels
    for side in range(2):
        out[2 + side] += along[side] * along[side]
        out[4 + side] += along[side] * off
        out[6 + side] += down[side] * down[side]
        out[8 + side] += down[side] * off
        for other_side in range(2):
            out[10 + 2 * side + other_side] += along[side] * down[other_side]


@entry(
    types.void(
        read_only(types.uint8, 2), read_only(types.uint8, 2), read_only(types.uint8, 2),
        read_only(types.boolean, 2), types.int64, types.float64, types.float64[:, :, ::1],
    )
)  # fmt: skip
def displace(edges: U8, one: U8, other: U8, blocks: Any, size: int, levels: float, out: F64) -> None:
    """Write the sums that tell a displacement from one picture to the other, of each of some blocks, 0 elsewhere.

    Pictures are (height, width), `blocks` (rows, columns) of `size` pixels each way. `out` (rows, columns, SUMS) is
    of a block: Σ off², and how many pixels are off by more than `levels`; of the left and of the right neighbour in
    `edges` Σ d² and Σ d · off, where d is the neighbour less the pixel; the same of the one above and the one
    below; then Σ of the products of left with above, left with below, right with above, right with below. What
    lies beyond an edge of the picture is as the edge.

    Raises ValueError if the arrays do not fit each other.
    """
    rows, columns = blocks.shape
    high, wide = edges.shape
    covered = size > 0 and rows * size >= high and columns * size >= wide
    if not one.shape == other.shape == edges.shape or not covered or out.shape != (rows, columns, SUMS):
        raise ValueError("displace: these arrays do not belong to pictures of one recording")
    out[:] = 0
    for row in range(rows):
        for column in range(columns):
            if not blocks[row, column]:
                continue
            for y in range(row * size, min(row * size + size, high)):
                for x in range(column * size, min(column * size + size, wide)):
                    _add(edges, one, other, y, x, levels, out[row, column])
