"""Judging changes that only bring back what was there: a caret that blinks before the action and after it."""

from __future__ import annotations

import numpy as np

from analysis.arrays import F64, I64
from analysis.detection.changes import Changes
from analysis.events.background import LITTLE
from analysis.events.recurrence import APART_MS
from analysis.video.areas import grow
from analysis.video.recording import Recording

LEFT = 0.25  # of the change: what may be left of the difference to the picture that came back


def without_echoes(recording: Recording, changes: Changes, pictures: I64, action_ms: float) -> I64:
    """Return the pictures from the first on that does more than bring back a little thing.

    What came and went of its own accord before the action may do so again between action and response.
    """
    for place, picture in enumerate(pictures):
        if not brings_back(recording, changes, int(picture), action_ms):
            return pictures[place:]
    return pictures[:0]


def brings_back(recording: Recording, changes: Changes, picture: int, action_ms: float) -> bool:
    """Return whether the changed blocks show again what they showed before they changed last, before the action."""
    blocks = changes.blocks(picture)
    if blocks.mean() > LITTLE:
        return False
    burst = _latest_burst(recording, changes, picture)
    if not burst or recording.picture_ms[burst[-1]] >= action_ms:
        return False
    there = np.any([changes.blocks(q) for q in burst], axis=0)
    if (blocks & ~grow(there, 1)).any():
        return False
    then, before, now = (_means(recording, q)[:, blocks.ravel()] for q in (burst[0] - 1, picture - 1, picture))
    return bool(np.abs(now - then).sum() <= LEFT * np.abs(now - before).sum())


def _latest_burst(recording: Recording, changes: Changes, picture: int) -> list[int]:
    """Return the pictures, rising, of the burst before this one that changed any of its blocks."""
    times, blocks = recording.picture_ms, changes.blocks(picture)
    burst: list[int] = []
    for q in range(picture - 1, 0, -1):
        if burst and times[burst[0]] - times[q] > APART_MS:
            break
        if (changes.blocks(q) & blocks).any():
            burst.insert(0, q)
    return burst


def _means(recording: Recording, picture: int) -> F64:
    means, _ = next(recording.store.span(picture, picture))
    return means.astype(float)
