"""Judging where the screen settled: which areas are still changing at the end of the recording."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.areas import grow
from analysis.arrays import F64, I64, Bools
from analysis.changes import Changes
from analysis.habits import history, in_motion, keeps_time, still_changing

REACH = 3  # blocks: what changes this near to an area that never stops belongs to it


@dataclass(frozen=True, slots=True, eq=False)
class Restless:
    """Areas, (rows, columns), that do not decide a moment.

    Attributes
    ----------
    before : already changing when the user acted.
    timed : changing at even intervals over the whole recording (a caret, a clock, a carousel).
    at_end : still changing at the end.

    """

    before: Bools
    timed: Bools
    at_end: Bools


def find_restless(changes: Changes, times_ms: F64, pictures: I64, span: tuple[float, float, float]) -> Restless:
    """Return the restless areas; `pictures` are the changed ones, `span` is (action, end, refresh) in ms."""
    action_ms, end_ms, refresh_ms = span
    ago = history(changes, times_ms, pictures[times_ms[pictures] < action_ms])
    before = in_motion(ago, action_ms, refresh_ms)
    whole = history(changes, times_ms, pictures)
    timed = keeps_time(whole, end_ms).reshape(changes.shape)
    after = pictures[times_ms[pictures] >= action_ms]
    at_end = still_changing(history(changes, times_ms, after), end_ms, refresh_ms).reshape(changes.shape) | timed
    return Restless(before.reshape(changes.shape), timed, widen(changes, after, at_end))


def widen(changes: Changes, pictures: I64, seeds: Bools) -> Bools:
    """Return the whole of the areas that `seeds` belong to.

    Walks back from the end: as long as all changes lie at an area they are part of it (the other dots of a spinner)
    and the first picture that changes elsewhere ends the walk: it is the finish of the rest of the screen.
    """
    if not seeds.any():
        return seeds
    area, near = seeds.copy(), grow(seeds, REACH)
    for picture in pictures[::-1]:
        changed = changes.blocks(picture)
        if (changed & ~near).any():
            break
        area |= changed
        near = grow(area, REACH)
    return area


def last_outside(changes: Changes, pictures: I64, area: Bools) -> Bools:
    """Return (pictures,) bool: whether a picture changes anything outside the area."""
    return np.array([bool((changes.blocks(picture) & ~area).any()) for picture in pictures], dtype=bool)
