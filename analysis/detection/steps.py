"""Finding: the last small steps of a large motion, each a picture or two after the one before.

What glides to its place goes slower and slower: at last by a pixel, in every second or third slot. Where something
large moved before, text that goes on by a pixel stirs its blocks less than an encoder's corrections may. But those
fade from picture to picture; such a step stands out from the pictures on either side of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.detection.noise import NOISE
from analysis.kernels.levels import LEVELS
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class StepLimits:
    """How a step stands out from what an encoder corrects."""

    blocks: int = 20  # that reach the limit of motion (BlockLimits.moving) without being seen: two words of text
    stands_out: float = 5.0  # times as many as in the picture before, and in the one after
    seen_share: float = 0.25  # of them may change visibly: else it is seen anyway
    within_ms: float = 100.0  # after the step before: what rested for longer has come to its place
    along: float = 0.8  # of them lie where it went: elsewhere an encoder gets round to what it had left coarse
    reach_blocks: int = 2  # and beside that


STEP = StepLimits()


def reveal_steps(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with the last steps of motions after the action added, and these told."""
    times = recording.picture_ms
    near = np.diff(times, prepend=-np.inf) <= STEP.within_ms
    calm = since_anew_ms(recording) > CHANGE.key_frame_ms
    stirs = changes.energy >= STEP.blocks * changes.limits.moving
    wanted = (times >= action_ms) & near & calm & stirs
    found, steps = replace(changes, packed=list(changes.packed), count=changes.count.copy()), []
    for picture in map(int, np.flatnonzero(wanted)):
        blocks = _standing_out(recording, changes, ignored, picture)
        if blocks.any() and _goes_on(found, blocks, picture, times):
            whole = changes.blocks(picture) | blocks
            found.packed[picture], found.count[picture] = np.packbits(whole), np.count_nonzero(whole)
            steps.append(picture)
    return replace(found, steps=frozenset(steps))


def _goes_on(changes: Changes, blocks: Bools, picture: int, times_ms: F64) -> bool:
    """Return whether most of these blocks, (rows, columns), lie where the screen is still in motion."""
    first = int(np.searchsorted(times_ms, times_ms[picture] - changes.limits.in_motion_ms))
    before = [earlier for earlier in range(first, picture) if changes.count[earlier]]
    if not before or times_ms[picture] - times_ms[before[-1]] > STEP.within_ms:
        return False
    area = grow(changes.ever(before), STEP.reach_blocks)
    return bool(np.count_nonzero(blocks & area) >= STEP.along * np.count_nonzero(blocks))


def _standing_out(recording: Recording, changes: Changes, ignored: Bools, picture: int) -> Bools:
    """Return (rows, columns): what a picture stirs unseen, if it stirs as much as only a step does."""
    blocks = _stirred(recording, changes, ignored, picture)
    much = int(np.count_nonzero(blocks))
    around = max(STEP.blocks / STEP.stands_out, float(changes.count[picture - 1]))
    if much >= STEP.stands_out * around and changes.count[picture] <= STEP.seen_share * much:
        last = len(recording.store) - 1
        beside = [_stirred(recording, changes, ignored, at) for at in (picture - 1, picture + 1) if at <= last]
        if much >= STEP.stands_out * max(map(np.count_nonzero, beside)):
            return blocks
    return np.zeros_like(blocks)


def _stirred(recording: Recording, changes: Changes, ignored: Bools, picture: int) -> Bools:
    """Return (rows, columns): the blocks that a picture stirs, but for those that are seen to change."""
    least = max(changes.limits.moving, NOISE.own_median * changes.floor_levels)
    _, codes = recording.store.at(picture)
    stirred: Bools = (codes >= np.searchsorted(LEVELS, least)).reshape(changes.shape) & ~ignored
    return stirred & ~changes.blocks(picture) if changes.count[picture] else stirred
