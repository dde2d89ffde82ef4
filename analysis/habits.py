"""Judging what never stops: blocks that change over and over and would by now be due to change again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.areas import grow
from analysis.arrays import F64, I64, Bools
from analysis.changes import Changes
from analysis.kernels.history import push_bursts, push_times

APART_MS = 100.0  # changes this far apart are two bursts
QUICK_MS = 250.0  # a thing that changes more often than this is in motion; slower things must keep time
NEIGHBOURS = 2  # a spinner's dots take turns: neighbours count as one
DEPTH = 5


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """When each block changed, latest first; −inf where it did not. Times in ms.

    Attributes
    ----------
    times : (depth, blocks) changes of the block or of a near neighbour.
    last : (blocks,) the latest change of the block itself.
    starts, after : (depth, blocks) its latest bursts: when they began, which luma mean they left (levels).

    """

    times: F64
    last: F64
    starts: F64
    after: F64


def history(changes: Changes, times_ms: F64, pictures: I64) -> History:
    """Return the history of all blocks over some pictures (indices, rising)."""
    blocks = changes.shape[0] * changes.shape[1]
    times, last = np.full((DEPTH, blocks), -np.inf), np.full(blocks, -np.inf)
    starts, after = np.full((DEPTH, blocks), -np.inf), np.zeros((DEPTH, blocks))
    for picture in pictures:
        changed, now = changes.blocks(picture), float(times_ms[picture])
        push_times(np.flatnonzero(grow(changed, NEIGHBOURS)), now, times)
        push_bursts(np.flatnonzero(changed), changes.values[picture], now, APART_MS, last, starts, after)
    return History(times, last, starts, after)


def in_motion(found: History, end_ms: float, refresh_ms: float) -> Bools:
    """Return (blocks,): True where changes follow each other quickly and the next is not overdue."""
    gaps = -np.diff(_finite(found.times), axis=0)[:3]
    quick = np.isfinite(found.times[3]) & (gaps.max(axis=0) <= QUICK_MS)
    return quick & (end_ms - found.times[0] <= 2 * np.median(gaps, axis=0) + refresh_ms)


def blinks(found: History, end_ms: float) -> Bools:
    """Return (blocks,): True where a block comes back to the same picture at even intervals, as a caret does."""
    gaps = _burst_gaps(found)[:2]
    returns = np.abs(found.after[0] - found.after[2]) <= np.minimum(2, np.abs(found.after[0] - found.after[1]) / 2)
    return _bursts(found) & returns & _even(gaps, 0.35) & _due(found, gaps, end_ms)


def keeps_time(found: History, end_ms: float) -> Bools:
    """Return (blocks,): True where bursts come at even intervals: three within 5 %, or four within 25 %."""
    gaps = _burst_gaps(found)
    even = _even(gaps[:2], 0.05) | (np.isfinite(found.starts[3]) & _even(gaps[:3], 0.25))
    return _bursts(found) & even & _due(found, gaps[:2], end_ms)


def comes_again(found: History, end_ms: float) -> Bools:
    """Return (blocks,): True where there were three bursts, however uneven, and the next is not overdue."""
    return _bursts(found) & _due(found, _burst_gaps(found)[:2], end_ms)


def _bursts(found: History) -> Bools:
    return np.isfinite(found.starts[2])


def _burst_gaps(found: History) -> F64:
    return -np.diff(_finite(found.starts), axis=0)


def _due(found: History, gaps: F64, end_ms: float) -> Bools:
    return end_ms - found.starts[0] <= 1.25 * gaps.max(axis=0) + APART_MS


def _even(gaps: F64, within: float) -> Bools:
    return gaps.max(axis=0) - gaps.min(axis=0) <= within * gaps.max(axis=0)


def _finite(times: F64) -> F64:
    return np.where(np.isfinite(times), times, -1e9)
