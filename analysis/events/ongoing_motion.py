"""Judging what was in motion already when the user acted."""

from __future__ import annotations

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import coded_anew
from analysis.detection.noise import NOISE
from analysis.kernels.levels import LEVELS
from analysis.video.areas import count_near, grow
from analysis.video.recording import Recording

LOOK_BACK_MS = 500.0
STILL_MS = 150.0  # what has not moved for so long is not in motion
START_MS = 250.0  # the encoder still sharpens the first picture
LEAST_LEVELS = 3.0  # lower than for a change: motion may be faint as long as it is steady
PICTURES = 3
REACH = 3
LEAST_BLOCKS = 2  # on a single block an encoder may sway between two pictures for ever
NO_TAIL_MS = 1000.0
SHARPENS_LEVELS = 10.0  # fainter than this may be sharpening: what counts from rest, × 1.7 as in noise.NoiseLimits
OWN_UPPER, OWN_CAP = 3.0, 12.0  # noise goes on as well: motion exceeds what a picture stirs everywhere


def stirring_at_end(recording: Recording, ignored: Bools, floor: float = 0.0) -> Bools:
    """Return (rows, columns): True where the screen is in motion at the end.

    A variable-rate recorder often writes nothing after the last change. Then the end alone says nothing, and only
    what has moved for a whole second counts as not having stopped.
    """
    end_ms = float(recording.time_ms[-1])
    no_tail = recording.variable_rate and recording.picture[-1] != recording.picture[-2]
    if not no_tail:
        return stirring_at(recording, end_ms, ignored, floor)
    earlier = stirring_at(recording, end_ms - NO_TAIL_MS, ignored, floor)
    return stirring_at(recording, end_ms, ignored, floor) & grow(earlier, 2 * REACH)


def stirring_at(recording: Recording, at_ms: float, ignored: Bools, floor: float = 0.0) -> Bools:
    """Return (rows, columns): True where, up to this instant, picture after picture changed something near by.

    `floor` is the recording's noise floor in levels: grain is no motion. Nor is what stirs only since a key frame:
    an encoder sharpens it in the pictures that follow.
    """
    times = recording.picture_ms
    wanted = (times >= max(START_MS, at_ms - LOOK_BACK_MS)) & (times < at_ms)
    own = np.minimum(OWN_UPPER * recording.upper, OWN_CAP)
    least = np.maximum(max(LEAST_LEVELS, NOISE.own_median * floor), own)
    count, moved = np.zeros(recording.grid.shape, np.int64), np.zeros(recording.grid.shape, dtype=bool)
    latest = np.full(recording.grid.shape, -np.inf)
    if wanted.sum() < PICTURES:
        return moved
    first, last = np.flatnonzero(wanted)[[0, -1]]
    for index, (_, strength) in enumerate(recording.store.span(first, last), first):
        stirred = (LEVELS[strength] >= least[index]).reshape(moved.shape) & ~ignored
        near = grow(stirred, REACH)
        moved |= stirred
        count += near
        latest[near] = times[index]
    moved &= ~_sharpened(recording, first, last, least, ignored)
    moved &= count_near(moved, REACH) >= LEAST_BLOCKS
    steady = moved & (count >= PICTURES) & (at_ms - latest <= STILL_MS)
    return moved & grow(steady, 2 * REACH)  # with the leading edge of what travels


def _sharpened(recording: Recording, first: int, last: int, least: F64, ignored: Bools) -> Bools:
    """Return (rows, columns): what first … last stir faintly since a key frame, and no picture stirred before it.

    `least` is (m,) what a block of each picture must reach. A key frame soon after the first frame tells nothing.
    """
    times, shape = recording.picture_ms, recording.grid.shape
    anew = first + np.flatnonzero(coded_anew(recording)[first : last + 1])
    if not len(anew) or times[anew[-1]] < START_MS + STILL_MS:
        return np.zeros(shape, dtype=bool)
    since = int(anew[-1])
    start = int(np.searchsorted(times, max(START_MS, times[since] - LOOK_BACK_MS)))
    moving = np.zeros(shape, dtype=bool)
    for index, (_, strength) in enumerate(recording.store.span(start, last), start):
        limit = least[index] if index < since else max(least[index], SHARPENS_LEVELS)
        moving |= (LEVELS[strength] >= limit).reshape(shape) & ~ignored
    return ~grow(moving, REACH)
