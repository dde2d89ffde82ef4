"""Finding: which blocks of which picture changed visibly. Judging what that means is done in moments.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from analysis.arrays import F32, F64, U8, U16, Bools
from analysis.kernels.deciding import REACH, cells_in_motion, decide, follow, peaks_around
from analysis.kernels.tracking import common_shift, largest_difference, remember, signed_difference
from analysis.levels import CELL, LEVELS
from analysis.noise import KeyAge, Limits, learn_floor
from analysis.recording import Recording

IN_MOTION_MS = 150.0  # a place that changed this short ago is still in motion, even on a janky screen
CORRECTING_MS = 500.0  # an encoder has corrected what it coded coarsely after this
FADING = 0.5  # levels: neighbours that drift together by this much may be fading
HELD_MS = 500.0  # a frame after so long a rest, the last of the file, is the one that was held
KEY_FRAME_MS = 50.0  # what a key frame stirs up settles within this
MOST_VALUES = 256
DECAY = 0.8  # how much of a block's recent strength is left one picture later


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What changed, and how that was decided.

    Attributes
    ----------
    shape : (rows, columns) of blocks.
    packed : m rows of bits, one per block: does the block of picture i differ visibly from picture i - 1?
    count : (m,) how many do.
    energy : (m,) summed strength of the blocks that moved at all, levels.
    values : per picture the luma means (levels) of its first `MOST_VALUES` changed blocks, in the order of
        `np.flatnonzero`. They tell whether a small thing blinks; memory must not grow with a long game.
    floor_levels, limits : the noise floor learned from the recording and the limits used.

    """

    shape: tuple[int, int]
    packed: list[U8]
    count: F64
    energy: F64
    values: list[U8]
    floor_levels: float
    limits: Limits

    def blocks(self, picture: int) -> Bools:
        """Return (rows, columns): True where a block of this picture changed."""
        size = self.shape[0] * self.shape[1]
        if not self.count[picture]:
            return np.zeros(self.shape, dtype=bool)
        return np.unpackbits(self.packed[picture], count=size).view(bool).reshape(self.shape)

    def changed_pictures(self) -> Iterator[int]:
        """Yield the indices of pictures with any change, rising."""
        yield from map(int, np.flatnonzero(self.count))


@dataclass(slots=True)
class _Tracker:
    """Walks over the pictures and carries what the noise model remembers."""

    shape: tuple[int, int]
    ignored: U8
    kept: U16
    before: U16
    recent: F32 = field(init=False)
    peak: F32 = field(init=False)
    last_ms: F64 = field(init=False)
    going: U8 = field(init=False)
    near: U8 = field(init=False)

    def __post_init__(self) -> None:
        cells = -(-self.shape[0] // CELL), -(-self.shape[1] // CELL)
        self.recent = np.zeros(self.shape, np.float32)
        self.peak = np.zeros(cells, np.float32)
        self.last_ms = np.full(cells, -np.inf)
        self.going, self.near = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)

    def step(self, means: U16, strength: U8, time_ms: float, limits: F64, *, anew: bool) -> tuple[U8, F32]:
        """Return (changed, strength in levels) of the next picture, both (rows, columns).

        `anew` says that the picture was coded anew: what it shifts without changing it visibly is no drift.
        """
        step = LEVELS[strength].reshape(self.shape)
        step[self.ignored.view(bool)] = 0
        drift, together, drifted = (np.empty(self.shape, np.float32) for _ in range(3))
        largest_difference(means, self.kept, self.ignored, drift)
        self._common(means, self.before, together)
        self._common(means, self.kept, drifted)
        changed, highest = np.empty(self.shape, np.uint8), np.empty_like(self.peak)
        peaks_around(self.peak, highest)
        cells_in_motion(self.last_ms, time_ms, -np.inf if anew else IN_MOTION_MS, self.going)
        decide(step, drift, together, drifted, self.recent, highest, self.going, limits, changed)
        cells_in_motion(self.last_ms, time_ms, np.inf if anew else CORRECTING_MS, self.near)
        follow(means, step, drifted, changed, self.near, self.kept, np.inf if anew else FADING)
        remember(step, changed, time_ms, DECAY, self.recent, self.peak, self.last_ms)
        self.before = means
        return changed, step

    def _common(self, means: U16, before: U16, out: F32) -> None:
        shift = np.empty(self.shape, np.float32)
        signed_difference(means, before, self.ignored, shift)
        common_shift(shift, REACH, out)


def find_changes(recording: Recording, ignored: Bools, limits: Limits | None = None) -> Changes:
    """Find the visibly changed blocks of every picture, leaving out the ignored ones."""
    limits = limits or Limits()
    times, ages = recording.picture_ms, _key_ages(recording)
    floor = learn_floor(recording.median, times, float(recording.time_ms[-1]))
    tracker: _Tracker | None = None
    found = Changes(recording.grid.shape, [], np.zeros(len(times)), np.zeros(len(times)), [], floor, limits)
    for index, (means, strength) in enumerate(recording.store):
        if tracker is None:
            tracker = _Tracker(recording.grid.shape, ignored.astype(np.uint8), means.copy(), means)
            changed, step = np.zeros(recording.grid.shape, np.uint8), None
        else:
            age = ages[index]
            own = limits.for_picture(
                float(recording.median[index]), float(recording.upper[index]), floor, age
            ).as_array()
            changed, step = tracker.step(means, strength, times[index], own, anew=age == "key")
        where = np.flatnonzero(changed)
        found.packed.append(np.packbits(changed) if len(where) else np.empty(0, np.uint8))
        found.values.append((means[0, where[:MOST_VALUES]] >> 6).astype(np.uint8))
        found.count[index] = len(where)
        found.energy[index] = 0.0 if step is None else step[step >= 2].sum()
    return found


def coded_anew(recording: Recording) -> Bools:
    """Return (m,): True for key frames, and for the last picture if a recorder held it and coded it once more."""
    anew = recording.key_frame.copy()
    anew[-1] |= _held(recording)
    return anew


def since_anew_ms(recording: Recording) -> F64:
    """Return (m,): ms since a picture was coded anew; infinite before the first."""
    times = recording.picture_ms
    return times - np.maximum.accumulate(np.where(coded_anew(recording), times, -np.inf))


def _key_ages(recording: Recording) -> list[KeyAge]:
    """Return for each picture whether it was coded anew or follows such a one at once."""
    young = since_anew_ms(recording) <= KEY_FRAME_MS
    return [
        "key" if key else "young" if new else "old" for key, new in zip(coded_anew(recording), young, strict=True)
    ]


def _held(recording: Recording) -> bool:
    """Return whether the last frame came alone: a recorder writes the last picture once more when it is stopped."""
    alone = len(recording.time_ms) > 1 and recording.time_ms[-1] - recording.time_ms[-2] >= HELD_MS
    return bool(recording.variable_rate and alone and recording.picture[-1] > recording.picture[-2])
