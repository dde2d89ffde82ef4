"""Judging what was in motion already when the user acted."""

from __future__ import annotations

import numpy as np

from analysis.areas import grow
from analysis.arrays import Bools
from analysis.kernels.tracking import LEVELS
from analysis.recording import Recording

LOOK_BACK_MS = 400.0
STILL_MS = 100.0  # what has not moved for so long is not in motion
START_MS = 250.0  # the encoder still sharpens the first picture
LEAST_LEVELS = 3.0  # lower than for a change: motion may be faint as long as it is steady
PICTURES = 3
REACH = 3


def stirring_at(recording: Recording, action_ms: float, ignored: Bools) -> Bools:
    """Return (rows, columns): True where, up to the action, picture after picture changed something near by."""
    times = recording.picture_ms
    wanted = (times >= max(START_MS, action_ms - LOOK_BACK_MS)) & (times < action_ms)
    count, moved = np.zeros(recording.grid.shape, np.int64), np.zeros(recording.grid.shape, dtype=bool)
    latest = np.full(recording.grid.shape, -np.inf)
    if wanted.sum() < PICTURES:
        return moved
    for index, (_, strength) in enumerate(recording.store):
        if times[index] >= action_ms:
            break
        if wanted[index]:
            stirred = (LEVELS[strength] >= LEAST_LEVELS).reshape(moved.shape) & ~ignored
            near = grow(stirred, REACH)
            moved |= stirred
            count += near
            latest[near] = times[index]
    steady = moved & (count >= PICTURES) & (action_ms - latest <= STILL_MS)
    return moved & grow(steady, 2 * REACH)  # with the leading edge of what travels
