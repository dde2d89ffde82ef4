"""Judging what never stops: blocks that change over and over and would by now be due to change again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, I64, U8, Bools
from analysis.detection.changes import Changes
from analysis.kernels.loading import load

APART_MS = 100.0  # changes this far apart are two bursts
OFTEN_MS = 800.0
DEPTH = 4
CHUNK = 128  # pictures at once: memory must not grow with the length


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
    pictures = pictures[changes.count[pictures] > 0]
    for first in range(0, len(pictures), CHUNK):
        some = pictures[first : first + CHUNK]
        packed = np.stack([changes.packed[picture] for picture in some])
        changed = np.unpackbits(packed, axis=1, count=blocks)
        if reach:
            changed = _spread(changed.reshape(-1, *changes.shape), reach).reshape(len(some), blocks)
        known = np.array([0 if reach else len(changes.values[picture]) for picture in some])
        values = np.zeros((len(some), max(1, known.max())), np.uint8)
        for row, picture in enumerate(some):
            values[row, : known[row]] = changes.values[picture][: known[row]]
        load().histories(changed, times_ms[some], values, known, APART_MS, last, starts, after)
    return History(last, starts, after)


def _spread(changed: U8, reach: int) -> U8:
    """Return the areas, (pictures, rows, columns), widened by `reach` blocks."""
    for _ in range(reach):
        for axis in (1, 2):
            before = np.moveaxis(changed, axis, 0)
            after = before.copy()
            after[1:] |= before[:-1]
            after[:-1] |= before[1:]
            changed = np.moveaxis(after, 0, axis)
    return np.ascontiguousarray(changed)


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
