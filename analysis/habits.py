"""Judging what never stops: blocks that change over and over and would by now be due to change again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.areas import grow
from analysis.arrays import F64, I64, Bools
from analysis.changes import Changes
from analysis.kernels.history import push_bursts

APART_MS = 100.0  # changes this far apart are two bursts
OFTEN_MS = 800.0
DEPTH = 4


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """When each block changed, latest first; −inf where it did not. Times in ms.

    Attributes
    ----------
    last : (blocks,) its latest change.
    starts, after : (depth, blocks) its latest bursts: when they began, which luma mean they left (levels).

    """

    last: F64
    starts: F64
    after: F64


def history(changes: Changes, times_ms: F64, pictures: I64, reach: int = 0) -> History:
    """Return the history of all blocks over some pictures (indices, rising).

    With a `reach`, a block shares in what its neighbours do (the digits of a clock); `after` means nothing then.
    """
    blocks = changes.shape[0] * changes.shape[1]
    last, starts, after = np.full(blocks, -np.inf), np.full((DEPTH, blocks), -np.inf), np.zeros((DEPTH, blocks))
    for picture in pictures:
        where = np.flatnonzero(grow(changes.blocks(picture), reach))
        values = np.zeros(len(where), np.uint8)
        if not reach:
            known = changes.values[picture]
            values[: len(known)] = known
        push_bursts(where, values, float(times_ms[picture]), APART_MS, last, starts, after)
    return History(last, starts, after)


def blinks(found: History, end_ms: float) -> Bools:
    """Return (blocks,): True where a block comes back to the same picture at even intervals, as a caret does."""
    gaps = _burst_gaps(found)[:2]
    returns = np.abs(found.after[0] - found.after[2]) <= np.minimum(2, np.abs(found.after[0] - found.after[1]) / 2)
    return _bursts(found) & returns & _even(gaps, 0.35) & _due(found, gaps, end_ms)


def comes_often(found: History, end_ms: float) -> Bools:
    """Return (blocks,): True where four bursts or more follow each other quickly, and the next is not overdue."""
    gaps = _burst_gaps(found)[:3]
    overdue = end_ms - found.starts[0] > np.median(gaps, axis=0) + APART_MS
    return np.isfinite(found.starts[3]) & (gaps.max(axis=0) <= OFTEN_MS) & ~overdue


def keeps_time(found: History, action_ms: float, end_ms: float) -> Bools:
    """Return (blocks,): True where bursts come at even intervals.

    Four within 25 % suffice; three within 5 % if the first came before the action, of its own accord.
    """
    gaps = _burst_gaps(found)
    three = (found.starts[2] < action_ms) & _even(gaps[:2], 0.05)
    four = np.isfinite(found.starts[3]) & _even(gaps[:3], 0.25)
    return _bursts(found) & (three | four) & _due(found, gaps[:2], end_ms)


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
