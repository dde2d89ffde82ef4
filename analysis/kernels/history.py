"""Compiled bookkeeping of when each block changed. Slow twin: tests/naive.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import F64, I64, U8
from analysis.kernels.compiling import entry, kernel


@kernel
def _some_begin(changed: Any, since_ms: float, last: Any) -> Any:
    found = np.uint8(0)
    for block in range(len(changed)):
        found = np.uint8(found | (changed[block] & (last[block] < since_ms)))
    return found > 0


@kernel
def _begin(block: int, now: float, starts: Any, after: Any) -> None:
    for place in range(starts.shape[0] - 1, 0, -1):
        starts[place, block] = starts[place - 1, block]
        after[place, block] = after[place - 1, block]
    starts[0, block] = now


@kernel
def _go_on(changed: Any, now: float, last: Any, after: Any) -> None:
    for block in range(len(changed)):
        last[block] = now if changed[block] else last[block]
        after[block] = 0.0 if changed[block] else after[block]


@kernel
def _leave(changed: Any, values: Any, known: int, after: Any) -> None:
    seen = 0
    for block in range(len(changed)):
        if seen == known:
            return
        if changed[block]:
            after[block] = values[seen]
            seen += 1


@entry(
    "void(uint8[:,::1], float64[::1], uint8[:,::1], int64[::1], float64, float64[::1], float64[:,::1], "
    "float64[:,::1])"
)
def histories(
    changed: U8, times_ms: F64, values: U8, known: I64, apart_ms: float, last: F64, starts: F64, after: F64
) -> None:
    """Follow the changes of each block over pictures: each goes on with a burst, or starts one after `apart_ms`.

    `changed` is (pictures, blocks), 1 where a block changed. `values` is (pictures, most) and holds the luma means
    of the first `known[picture]` of these. `last` is (blocks,), when each changed last; `starts` and `after` are
    (depth, blocks), latest first: when a burst began and the luma mean that it left.

    Raises ValueError if the arrays do not fit each other.
    """
    pictures, count = changed.shape
    if (
        not len(times_ms) == len(known) == values.shape[0] == pictures
        or not len(last) == starts.shape[1] == count
        or starts.shape != after.shape
        or starts.shape[0] < 1
        or (pictures > 0 and known.max() > values.shape[1])
    ):
        raise ValueError("histories: these arrays do not belong to the same pictures")
    for picture in range(pictures):
        blocks, now = changed[picture], times_ms[picture]
        if _some_begin(blocks, now - apart_ms, last):
            for block in range(len(blocks)):
                if blocks[block] and last[block] < now - apart_ms:
                    _begin(block, now, starts, after)
        _go_on(blocks, now, last, after[0])
        _leave(blocks, values[picture], known[picture], after[0])
