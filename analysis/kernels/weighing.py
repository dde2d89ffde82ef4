"""Compiled comparison of a picture's change with the changes near by. Slow obvious twins are in tests/naive.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import F64, I16, U8, U16
from analysis.kernels.compiling import INT, entry, kernel, read_only, types
from analysis.kernels.levels import LEVELS

ENERGY_AT, STIRRED_AT = 0, 1


@kernel
def _change(now: Any, before: Any, active: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = INT(INT(now[k]) - INT(before[k])) if active[k] else 0


@kernel
def _dot(one: Any, two: Any) -> Any:
    total = np.int64(0)
    for k in range(len(one)):
        total += INT(one[k]) * INT(two[k])
    return total


@entry(
    types.void(
        read_only(types.uint16, 2), read_only(types.uint16, 2), read_only(types.uint8, 1), types.float64,
        types.float64, types.int64, types.uint8[::1], types.int16[:, ::1], types.float64[::1], types.float64[::1],
    )
)  # fmt: skip
def weigh(
    now: U16, before: U16, strength: U8, least: float, stirred: float, slot: int, active: U8, changes: I16,
    facts: F64, dots: F64,
) -> None:  # fmt: skip
    """Weigh how a picture changed, over the active blocks.

    `now` and `before` are (planes, blocks) in 1/64 levels, `strength` is coded, (blocks,). Writes into `facts` the
    summed strength (levels) of the blocks that reach `least`, and how many blocks exceed `stirred`; the change of
    every plane into `changes[slot]` (slots, planes · blocks); and into `dots` (slots,) its inner product with the
    change in each slot, its own included.

    Raises ValueError if the arrays do not fit each other.
    """
    planes, blocks = now.shape
    if (
        now.shape != before.shape
        or not len(strength) == len(active) == blocks
        or changes.shape != (len(dots), planes * blocks)
        or not 0 <= slot < len(dots)
        or len(facts) != 2
    ):
        raise ValueError("weigh: these arrays do not belong to one picture")
    for plane in range(planes):
        _change(now[plane], before[plane], active, changes[slot, plane * blocks : plane * blocks + blocks])
    facts[ENERGY_AT], facts[STIRRED_AT] = 0.0, 0.0
    for block in range(blocks):
        level = LEVELS[strength[block]] if active[block] else np.float32(0)
        if level > 0:
            facts[ENERGY_AT] += level if level >= least else np.float32(0)
            facts[STIRRED_AT] += level > stirred
    for other in range(len(dots)):
        dots[other] = _dot(changes[slot], changes[other])
