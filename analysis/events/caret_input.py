"""Judging what comes where a caret blinks: a letter is narrow, and as near to the caret as the caret itself.

A blink brings a picture back that was there before, or it goes back later. A letter does neither: it stays.
"""

from __future__ import annotations

import numpy as np

from analysis.arrays import I64, U16, Bools
from analysis.detection.changes import Changes
from analysis.events.background import CARET_RIM, LITTLE
from analysis.events.restores import LEFT
from analysis.video.areas import grow
from analysis.video.recording import Recording


def letters(recording: Recording, changes: Changes, caret: Bools, pictures: I64) -> I64:
    """Return those of the pictures (indices, rising) that change the place of a caret for good.

    `caret` is (rows, columns): the blocks that blink.
    """
    near = grow(caret, CARET_RIM)
    changed = {int(p): changes.blocks(p) for p in pictures}
    changed = {p: blocks for p, blocks in changed.items() if (blocks & near).any() and blocks.mean() <= LITTLE}
    if not caret.any() or not changed:
        return pictures[:0]
    where = np.any(list(changed.values()), axis=0)
    states = _states(recording, where)
    found = [p for p, blocks in changed.items() if _stays(states[:, :, blocks[where]], p)]
    return np.array(found, dtype=pictures.dtype)


def _states(recording: Recording, where: Bools) -> U16:
    """Return (m, planes, blocks): the means of some blocks in every picture, in 1/64 levels."""
    return np.array([means[:, where.ravel()] for means, _ in recording.store])


def _stays(states: U16, picture: int) -> bool:
    """Return whether what a picture brings was not there before it, and what it replaces does not come again."""
    before, now = states[picture - 1].astype(np.int32), states[picture].astype(np.int32)
    least = LEFT * np.abs(now - before).sum()
    was_there = np.abs(states[: picture - 1] - now).sum(axis=(1, 2)) <= least
    comes_again = np.abs(states[picture + 1 :] - before).sum(axis=(1, 2)) <= least
    return not (was_there.any() or comes_again.any())
