"""What was in motion already when the user acted, or still was at the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import coded_anew
from analysis.detection.noise import NOISE
from analysis.events.pointer import Pointer
from analysis.kernels.levels import LEVELS
from analysis.video.areas import count_near, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What moves picture after picture, as against what an encoder stirs."""

    look_back_ms: float = 500.0  # in which it must have moved
    still_ms: float = 150.0  # what has not moved for so long is not in motion
    start_ms: float = 250.0  # after the first picture, which the encoder still sharpens
    levels: float = 3.0  # lower than for a change: motion may be faint as long as it is steady
    own_share: float = 3.0  # of what the picture stirs everywhere: noise goes on as well
    own_cap_levels: float = 12.0  # of that: a picture most of which moves is not noisy
    pictures: int = 3  # that changed something near by
    reach_blocks: int = 3  # how near: a spinner moves on from picture to picture
    blocks: int = 2  # on a single block an encoder may sway between two pictures for ever
    no_tail_ms: float = 1000.0  # of motion before the end, where a recorder wrote nothing after its last change
    sharpened_levels: float = 10.0  # fainter may be sharpening: what counts from rest, × 1.7 as for a young picture


MOTION = MotionLimits()
EXCEPTIONS = ("no_tail", "sharpened")


def moving_at_end(
    recording: Recording,
    ignored: Bools,
    floor: float = 0.0,
    without: Collection[str] = (),
    pointer: Pointer | None = None,
) -> Bools:
    """Return (rows, columns): True where the screen is in motion at the end.

    A variable-rate recorder often writes nothing after the last change. Then the end alone says nothing, and only
    what has moved for a whole second counts as not having stopped.
    """
    end_ms = float(recording.time_ms[-1])
    no_tail = recording.variable_rate and recording.picture[-1] != recording.picture[-2]
    if not no_tail or "no_tail" in without:
        return moving_at(recording, end_ms, ignored, floor, without, pointer)
    earlier = moving_at(recording, end_ms - MOTION.no_tail_ms, ignored, floor, without, pointer)
    return moving_at(recording, end_ms, ignored, floor, without, pointer) & grow(earlier, 2 * MOTION.reach_blocks)


def moving_at(
    recording: Recording,
    at_ms: float,
    ignored: Bools,
    floor: float = 0.0,
    without: Collection[str] = (),
    pointer: Pointer | None = None,
) -> Bools:
    """Return (rows, columns): True where, up to this instant, picture after picture changed something near by.

    `floor` is the recording's noise floor in levels: grain is no motion. Nor is what stirs only since a key frame:
    an encoder sharpens it in the pictures that follow; nor is `pointer`, a mouse cursor.
    """
    times = recording.picture_ms
    wanted = (times >= max(MOTION.start_ms, at_ms - MOTION.look_back_ms)) & (times < at_ms)
    own = np.minimum(MOTION.own_share * recording.upper, MOTION.own_cap_levels)
    least = np.maximum(max(MOTION.levels, NOISE.own_median * floor), own)
    count, moved = np.zeros(recording.grid.shape, np.int64), np.zeros(recording.grid.shape, dtype=bool)
    latest = np.full(recording.grid.shape, -np.inf)
    if wanted.sum() < MOTION.pictures:
        return moved
    first, last = np.flatnonzero(wanted)[[0, -1]]
    for index, (_, strength) in enumerate(recording.store.span(first, last), first):
        stirred = (LEVELS[strength] >= least[index]).reshape(moved.shape) & ~ignored
        if pointer is not None and index in pointer.steps:
            stirred &= ~grow(pointer.steps[index], MOTION.reach_blocks)
        near = grow(stirred, MOTION.reach_blocks)
        moved |= stirred
        count += near
        latest[near] = times[index]
    if "sharpened" not in without:
        moved &= ~_sharpened(recording, first, last, least, ignored)
    moved &= count_near(moved, MOTION.reach_blocks) >= MOTION.blocks
    steady = moved & (count >= MOTION.pictures) & (at_ms - latest <= MOTION.still_ms)
    return moved & grow(steady, 2 * MOTION.reach_blocks)  # with the leading edge of what travels


def _sharpened(recording: Recording, first: int, last: int, least: F64, ignored: Bools) -> Bools:
    """Return (rows, columns): what first … last stir faintly since a key frame, and no picture stirred before it.

    `least` is (m,) what a block of each picture must reach. A key frame soon after the first frame tells nothing.
    """
    times, shape = recording.picture_ms, recording.grid.shape
    anew = first + np.flatnonzero(coded_anew(recording)[first : last + 1])
    if not len(anew) or times[anew[-1]] < MOTION.start_ms + MOTION.still_ms:
        return np.zeros(shape, dtype=bool)
    since = int(anew[-1])
    start = int(np.searchsorted(times, max(MOTION.start_ms, times[since] - MOTION.look_back_ms)))
    moving = np.zeros(shape, dtype=bool)
    for index, (_, strength) in enumerate(recording.store.span(start, last), start):
        limit = least[index] if index < since else max(least[index], MOTION.sharpened_levels)
        moving |= (LEVELS[strength] >= limit).reshape(shape) & ~ignored
    return ~grow(moving, MOTION.reach_blocks)
