"""Finding: small things that fade, each step below any limit, while nothing else moves: a scrollbar, a dot, a key.

A neighbourhood of 5 × 5 blocks that moves the same way is seen at once (analysis/kernels/deciding.py). What is
smaller is known by its course: some blocks that lie together go the same way, step after step, until they have come
far. An encoder that refines a picture goes to and fro, or not far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from analysis.arrays import F32, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.kernels.levels import CELL, LEVELS
from analysis.video.areas import count_near, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class FadeLimits:
    """What a few blocks must do together to count as fading."""

    course_ms: float = 150.0  # in which they come so far: a slower fade of something small is hardly seen
    far: float = 8.0  # levels: as for what drifts, see BlockLimits.drift
    far_share: float = 0.1  # of the strongest change near by: an encoder corrects so much of it
    step: float = 1.0  # levels, of luma: less is rounding
    grain: float = 3.0  # of the recording's noise floor, on top of a step; twice as much on top of the way
    steps: int = 3  # that go the same way: what jumps once does not fade
    straight: float = 1.25  # times as far may the way be: an encoder that refines goes to and fro
    support: int = 3  # of 3 × 3 blocks, itself included


FADE = FadeLimits()


def reveal_fades(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with the steps of small fades added, in pictures after the action without any other."""
    times = recording.picture_ms
    anew = since_anew_ms(recording) <= CHANGE.key_frame_ms
    wanted = (times >= action_ms) & (changes.count == 0) & (changes.energy > 0) & ~anew
    course = _Courses(recording, changes, ignored, anew)
    packed, count = list(changes.packed), changes.count.copy()
    for picture in map(int, np.flatnonzero(wanted)):
        blocks = course.fading(picture)
        count[picture] = blocks.sum()
        if count[picture]:
            packed[picture] = np.packbits(blocks)
    return replace(changes, packed=packed, count=count)


class _Courses:
    """The shifts of luma around a picture, and the strongest change that each block has had near by until then."""

    def __init__(self, recording: Recording, changes: Changes, ignored: Bools, anew: Bools) -> None:
        self._recording, self._changes, self._ignored, self._anew = recording, changes, ignored.ravel(), anew
        self._times, self._shape, self._floor = recording.picture_ms, changes.shape, changes.floor_levels
        self._held: dict[int, F32] = {}
        self._peak, self._until = np.zeros(changes.shape, np.uint8), 0

    def fading(self, picture: int) -> Bools:
        """Return (rows, columns): the blocks of which this picture is a step of a fade."""
        found = np.zeros(self._shape, dtype=bool)
        own = self._step(picture)
        least = FADE.step + FADE.grain * self._floor
        some = np.flatnonzero(np.abs(own) >= least)
        if len(some) < FADE.support:
            return found
        times = self._times
        first = int(np.searchsorted(times, times[picture] - FADE.course_ms, side="right"))
        last = int(np.searchsorted(times, times[picture] + FADE.course_ms)) - 1
        steps = np.array([self._step(index)[some] for index in range(max(first, 1), last + 1)])
        here = picture - max(first, 1)
        corrected = FADE.far_share * self._peak_near(picture).ravel()[some]
        far = np.maximum(FADE.far + 2 * FADE.grain * self._floor, corrected)
        goes = self._goes(steps[: here + 1], own[some], far) | self._goes(steps[here:], own[some], far)
        found.ravel()[some[goes]] = True
        way = np.sign(own).reshape(self._shape) * found
        together = np.zeros_like(found)
        for sign in (-1, 1):
            alike = way == sign
            together |= alike & grow(alike & (count_near(alike, 1) >= FADE.support), 1)
        return together

    def _goes(self, steps: F32, own: F32, far: F32) -> Bools:
        """Return (blocks,): whether these steps (pictures, blocks) go `far`, and straight, the way of its `own`."""
        way, length = steps.sum(axis=0), np.abs(steps).sum(axis=0)
        alike = (steps * np.sign(own) >= FADE.step).sum(axis=0)
        straight: Bools = (way * np.sign(own) >= far) & (length <= FADE.straight * np.abs(way))
        steady: Bools = alike >= FADE.steps
        return straight & steady

    def _step(self, picture: int) -> F32:
        """Return (blocks,): how far luma moved in a picture, levels; 0 where coded anew, or seen to change."""
        if picture not in self._held:
            first = max(picture - 1, 0)
            means = [means[0] for means, _ in self._recording.store.span(first, picture)]
            step = (means[-1].astype(np.float32) - means[0]) / np.float32(64)
            seen = self._changes.blocks(picture).ravel() if self._changes.count[picture] else self._ignored
            self._held[picture] = np.where(self._ignored | seen | self._anew[picture], np.float32(0), step)
            for old in [key for key in self._held if self._times[key] < self._times[picture] - 3 * FADE.course_ms]:
                del self._held[old]
        return self._held[picture]

    def _peak_near(self, picture: int) -> F32:
        """Return (rows, columns): the strongest change in and around each cell before this picture, levels."""
        for _, strength in self._recording.store.span(self._until, picture - 1):
            np.maximum(self._peak, strength.reshape(self._shape), out=self._peak)
        self._until = picture
        levels: F32 = LEVELS[cv2.dilate(self._peak, np.ones((2 * CELL + 1,) * 2, np.uint8))]
        return levels
