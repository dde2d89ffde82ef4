"""Compiled bookkeeping of when each block changed. Slow twin: tests/naive.py."""

from __future__ import annotations

import numba

from analysis.arrays import F64, I64, U8


@numba.njit(cache=True, nogil=True)
def push_bursts(
    where: I64, values: U8, time_ms: float, apart_ms: float, last: F64, starts: F64, after: F64
) -> None:
    """Note a change of the blocks `where`: it goes on with a burst, or starts one if the last is `apart_ms` ago.

    `last` is (blocks,), when each changed last; `starts` and `after` are (depth, blocks), latest first: when a
    burst began and the luma mean that it left.
    """
    for i in range(len(where)):
        block = where[i]
        if time_ms - last[block] > apart_ms:
            for place in range(starts.shape[0] - 1, 0, -1):
                starts[place, block] = starts[place - 1, block]
                after[place, block] = after[place - 1, block]
            starts[0, block] = time_ms
        after[0, block] = values[i]
        last[block] = time_ms
