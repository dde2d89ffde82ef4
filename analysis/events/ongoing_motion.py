"""What was in motion already when the user acted, or still was at the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np

from analysis.arrays import F32, F64, I64, Bools
from analysis.detection.changes import Changes, coded_anew
from analysis.detection.noise import NOISE
from analysis.events.cursor.pointer import Pointer
from analysis.events.recurrence import states
from analysis.kernels.levels import LEVELS
from analysis.video.areas import count_near, grow, highest_near
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What moves picture after picture, as against what an encoder stirs."""

    look_back_ms: float = 500.0  # in which it must have moved
    still_ms: float = 150.0  # what has not moved for so long is not in motion
    pause_ms: float = 200.0  # what comes after such a rest is no part of what moved before it
    start_ms: float = 250.0  # after the first picture, which the encoder still sharpens
    levels: float = 3.0  # lower than for a change: motion may be faint as long as it is steady
    own_share: float = 3.0  # of what the picture stirs everywhere: noise goes on as well
    own_cap_levels: float = 12.0  # of that: a picture most of which moves is not noisy
    pictures: int = 3  # that changed something near by
    reach_blocks: int = 3  # how near: a spinner moves on from picture to picture
    blocks: int = 2  # on a single block an encoder may sway between two pictures for ever
    no_tail_slots: float = 1.5  # of a slow screen after its last change, in which nothing new was due
    no_tail_ms: float = 1000.0  # of motion before the end, where a recorder wrote nothing after its last change
    turning_pictures: int = 6  # before the end, or so many of a small thing that goes to and fro in them
    turning_most: int = 5  # of these at least: a recorder may miss one
    turning_share: float = 0.01  # of the screen: a spinner
    turning_blocks: float = 0.5  # of its blocks become brighter and darker in turns
    turns: int = 1  # of each, at least
    one_way: float = 0.5  # of the way that a block goes may lie between where it was and where it comes to
    pace: float = 3.0  # times its own interval: what has not gone on for so long has come to rest
    least_rest_ms: float = 66.0  # however fast it was: a slot or three may be lost
    corrected_share: float = 0.15  # of the strongest change near by: in the pictures after it, an encoder corrects
    cycle_blocks: int = 8  # two coding blocks of 16 px at a width of 540: in them an encoder may sway for ever
    cycle_pictures: int = 4  # A, B, A, B
    cycle_ms: float = 50.0  # from one to the next: a caret or a lamp blinks slower
    least_stir: float = 1.0  # levels, summed over its blocks: what lies below shows the same picture
    cycle_share: float = 0.34  # of the way from A to B: what a picture may lie off the one before the last
    sharpened_levels: float = 10.0  # fainter may be sharpening: what counts from rest, × 1.7 as for a young picture


MOTION = MotionLimits()
EXCEPTIONS = ("no_tail", "turning", "sharpened", "corrected", "rests", "cycle")


def moving_at_end(
    recording: Recording,
    changes: Changes,
    ignored: Bools,
    slot_ms: float = 0.0,
    without: Collection[str] = (),
    pointer: Pointer | None = None,
) -> Bools:
    """Return (rows, columns): True where the screen is in motion at the end.

    A variable-rate recorder often writes nothing after the last change, and a slow one may end with it; a slow
    screen, which shows a picture for `slot_ms`, is filmed to no end then at whatever rate. Then the
    end alone says nothing, and only what has moved for a whole second counts as not having stopped, or something
    small that goes to and fro at a constant rate. Elsewhere what came to rest by its own pace has stopped, however
    soon the recording ends.
    """
    end_ms = at_ms = float(recording.time_ms[-1])
    floor = changes.floor_levels
    pace = 0.0 if "rests" in without else MOTION.pace
    last_ms = _last_shown_ms(recording)
    may_stop = recording.variable_rate or last_ms > MOTION.least_rest_ms
    no_tail = may_stop and recording.picture[-1] != recording.picture[-2]
    if slot_ms > MOTION.least_rest_ms and changes.count.any():
        changed_ms = float(recording.picture_ms[np.flatnonzero(changes.count)[-1]])
        if end_ms - changed_ms <= MOTION.no_tail_slots * slot_ms:
            no_tail, at_ms = True, changed_ms
    moving = moving_at(recording, at_ms, ignored, floor, without, pointer, pace, last_ms)
    if not no_tail or "no_tail" in without:
        return moving
    slot_ms = 0.0 if recording.variable_rate else max(last_ms, slot_ms)  # else it wrote each change
    seen_ms = MOTION.pictures * slot_ms  # what begins is known to move so much later
    faintly = {*without, "corrected"}  # beside what has just answered: at the end it is stronger than corrections
    earlier = moving_at(recording, end_ms - MOTION.no_tail_ms + seen_ms, ignored, floor, faintly, pointer)
    going = grow(earlier, 2 * MOTION.reach_blocks)
    if not recording.variable_rate and "turning" not in without:
        slow = last_ms > MOTION.least_rest_ms
        pictures = np.arange(len(recording.store)) if slow else np.flatnonzero(changes.count)
        going |= _turning(recording, pictures, moving)
    return moving & going


def own_levels(upper: F32, share: float = MOTION.own_share) -> F32:
    """Return (m,): what a block must exceed so that it is no noise of its picture, levels.

    `upper` (m,) is the upper quantile of the strengths of each picture's blocks.
    """
    levels: F32 = np.minimum(share * upper, MOTION.own_cap_levels)
    return levels


def _last_shown_ms(recording: Recording) -> float:
    """Return how long the last picture is shown, ms: as long as others at a constant rate, else nobody knows."""
    return 0.0 if recording.variable_rate else float(np.median(np.diff(recording.time_ms)))


def moving_at(
    recording: Recording,
    at_ms: float,
    ignored: Bools,
    floor: float = 0.0,
    without: Collection[str] = (),
    pointer: Pointer | None = None,
    pace: float = 0.0,
    last_ms: float = 0.0,
    own_share: float = MOTION.own_share,
) -> Bools:
    """Return (rows, columns): True where, up to this instant, picture after picture changed something near by.

    `floor` is the recording's noise floor in levels: grain is no motion. Nor is what stirs only since a key frame,
    or as a small share of what changed just before: an encoder sharpens and corrects; nor where it goes to and fro
    between two pictures; nor `pointer`, a mouse cursor. What has not gone on for `pace` of its own intervals
    rests; 0 asks for the same of all. The last picture is shown for `last_ms` after that instant. What is weaker
    than `own_share` of what the whole picture stirs is no motion. A rest of `pause_ms` ends one.
    """
    times, shape = recording.picture_ms, recording.grid.shape
    shown_until_ms = at_ms + last_ms
    wanted = (times >= max(MOTION.start_ms, at_ms - MOTION.look_back_ms)) & (times < shown_until_ms)
    own = own_levels(recording.upper, own_share)
    least = np.maximum(max(MOTION.levels, NOISE.own_median * floor), own)
    count, moved, peak = np.zeros(shape, np.int64), np.zeros(shape, dtype=bool), np.zeros(shape, np.float32)
    earliest, latest = np.zeros(shape), np.full(shape, -np.inf)
    if wanted.sum() < MOTION.pictures:
        return moved
    first, last = np.flatnonzero(wanted)[[0, -1]]
    share = 0.0 if "corrected" in without else MOTION.corrected_share
    for index, (_, strength) in enumerate(recording.store.span(first, last), first):
        levels = np.where(ignored, np.float32(0), LEVELS[strength].reshape(shape))
        stirred = levels >= np.maximum(least[index], share * peak)
        if pointer is not None and index in pointer.steps:
            stirred &= ~grow(pointer.steps[index], MOTION.reach_blocks)
        near = grow(stirred, MOTION.reach_blocks)
        anew = near & (times[index] - latest > MOTION.pause_ms)
        count[anew] = 0
        moved &= ~anew
        moved |= stirred
        earliest[near & (count == 0)] = times[index]
        latest[near] = times[index]
        count += near
        peak = np.maximum(peak, highest_near(levels, MOTION.reach_blocks))
    if "sharpened" not in without:
        moved &= ~_sharpened(recording, first, last, least, ignored)
    moved &= count_near(moved, MOTION.reach_blocks) >= MOTION.blocks
    still_ms: F64 | float = MOTION.still_ms
    if pace:
        intervals_ms = (latest - earliest) / np.maximum(count - 1, 1)
        still_ms = np.clip(pace * intervals_ms, MOTION.least_rest_ms, MOTION.still_ms)
    steady = moved & (count >= MOTION.pictures) & (shown_until_ms - latest <= still_ms)
    moving = moved & grow(steady, 2 * MOTION.reach_blocks)  # with the leading edge of what travels
    return moving if "cycle" in without else moving & ~_cycles(recording, moving, first, last)


def stirring_at_end(
    recording: Recording, changes: Changes, ignored: Bools, pointer: Pointer | None = None
) -> Bools:
    """Return (rows, columns): True where picture after picture stirs to the end, however noisy all of it is.

    What goes one way alone, as a fade does, is none: noise and dither come and go.
    """
    end_ms = float(recording.time_ms[-1])
    args = (recording, end_ms, ignored, changes.floor_levels, (), pointer, MOTION.pace, _last_shown_ms(recording))
    stirring = moving_at(*args, own_share=0.0)
    if not stirring.any():
        return stirring
    first = max(int(np.searchsorted(recording.picture_ms, end_ms - MOTION.no_tail_ms)) - 1, 0)
    steps = np.diff(states(recording, stirring, first, len(recording.store) - 1)[:, 0], axis=0)
    returns = np.abs(steps.sum(axis=0)) <= MOTION.one_way * np.abs(steps).sum(axis=0)
    stirring[stirring] = returns
    return stirring


def _turning(recording: Recording, pictures: I64, moving: Bools) -> Bools:
    """Return (rows, columns): what is small and has gone to and fro in nearly all of the last of some `pictures`.

    A spinner that began a moment ago does. What opens, slides or fades as the recording ends goes one way.
    """
    found, asked = np.zeros_like(moving), pictures[-MOTION.turning_pictures :]
    if len(asked) < MOTION.turning_pictures or not asked[0]:
        return found
    first, last = int(asked[0]) - 1, int(asked[-1])
    at = np.append(0, asked - first)
    parts, labels = cv2.connectedComponents(grow(moving, 1).view(np.uint8))
    for label in range(1, parts):
        part: Bools = moving & (labels == label)
        if part.mean() > MOTION.turning_share:
            continue
        steps = np.diff(states(recording, part, first, last)[at, 0], axis=0)
        steps[np.abs(steps) < 64 * MOTION.levels] = 0
        turns = np.array([np.count_nonzero(np.diff(way[way != 0])) for way in np.sign(steps).T])
        moved = np.count_nonzero(steps.any(axis=1))
        if moved >= MOTION.turning_most and (turns >= MOTION.turns).mean() >= MOTION.turning_blocks:
            found |= part
    return found


def _cycles(recording: Recording, moving: Bools, first: int, last: int) -> Bools:
    """Return (rows, columns): where no more than a coding block or two goes strictly to and fro at the frame rate.

    Nothing that a screen shows does: an encoder that cannot decide between two pictures does it for ever.
    """
    found = np.zeros_like(moving)
    parts, labels = cv2.connectedComponents(grow(moving, 1).view(np.uint8))
    for label in range(1, parts):
        part: Bools = moving & (labels == label)
        if np.count_nonzero(part) <= MOTION.cycle_blocks and _to_and_fro(recording, part, first, last):
            found |= part
    return found


def _to_and_fro(recording: Recording, part: Bools, first: int, last: int) -> bool:
    """Return whether each picture of a part is the one before the last, and none is the one before."""
    shown = states(recording, part, first - 1, last)
    steps = np.abs(np.diff(shown, axis=0)).sum(axis=(1, 2))
    went = np.flatnonzero(steps >= 64 * MOTION.least_stir)
    shown, times = shown[np.append(went[:1], went + 1)], recording.picture_ms[first + went]
    if len(shown) < MOTION.cycle_pictures or np.diff(times).max() > MOTION.cycle_ms:
        return False
    forth, back = (np.abs(shown[lag:] - shown[:-lag]).sum(axis=(1, 2)) for lag in (1, 2))
    return bool((back <= MOTION.cycle_share * np.minimum(forth[1:], forth[:-1])).all())


def _sharpened(recording: Recording, first: int, last: int, least: F64, ignored: Bools) -> Bools:
    """Return (rows, columns): what first … last stir faintly since a key frame, and what rested until then.

    `least` is (m,) what a block of each picture must reach. A key frame soon after the first frame tells nothing.
    """
    times, shape = recording.picture_ms, recording.grid.shape
    anew = first + np.flatnonzero(coded_anew(recording)[first : last + 1])
    if not len(anew) or times[anew[-1]] < MOTION.start_ms + MOTION.still_ms:
        return np.zeros(shape, dtype=bool)
    since = int(anew[-1])
    start = int(np.searchsorted(times, max(MOTION.start_ms, times[since] - MOTION.still_ms)))
    moving = np.zeros(shape, dtype=bool)
    for index, (_, strength) in enumerate(recording.store.span(start, last), start):
        limit = least[index] if index < since else max(least[index], MOTION.sharpened_levels)
        moving |= (LEVELS[strength] >= limit).reshape(shape) & ~ignored
    return ~grow(moving, MOTION.reach_blocks)
