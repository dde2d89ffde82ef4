"""Finding: which blocks of which picture changed visibly. Judging what that means is done in moments.py."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F64, U8, Bools
from analysis.detection.noise import NOISE, KeyAge, frozen_floor, learn_floor
from analysis.kernels.levels import CELL
from analysis.kernels.limits import BlockLimits
from analysis.kernels.loading import load
from analysis.video.recording import Recording
from analysis.video.reduce import Reduced

NOTHING = np.empty(0, np.uint8)


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """What is known of recorders and encoders in time."""

    held_ms: float = 500.0  # a frame after so long a rest, the last of the file, is the one that was held
    key_frame_ms: float = 50.0  # what a key frame stirs up settles within this


CHANGE = ChangeLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What changed, and how that was decided.

    Attributes
    ----------
    shape : (rows, columns) of blocks.
    packed : m rows of bits, one per block: does the block of picture i differ visibly from picture i - 1?
    count : (m,) how many do.
    energy : (m,) summed strength of the blocks that moved at all, levels.
    floor_levels, limits : the noise floor learned from the recording and the limits used.
    steps : pictures that stand out among those around them, shortly after a motion (steps.py).
    drifts : pictures in which something only goes on drifting (drifts.py): no step of it is seen.

    """

    shape: tuple[int, int]
    packed: list[U8]
    count: F64
    energy: F64
    floor_levels: float
    limits: BlockLimits
    steps: frozenset[int] = frozenset()
    drifts: frozenset[int] = frozenset()

    @property
    def least_levels(self) -> float:
        """What a block must change by from rest to be seen, levels."""
        return max(self.limits.isolated, NOISE.own_median * self.floor_levels)

    def blocks(self, picture: int) -> Bools:
        """Return (rows, columns): True where a block of this picture changed."""
        size = self.shape[0] * self.shape[1]
        if not self.count[picture]:
            return np.zeros(self.shape, dtype=bool)
        return np.unpackbits(self.packed[picture], count=size).view(bool).reshape(self.shape)

    def ever(self, pictures: Iterable[int] | None = None) -> Bools:
        """Return (rows, columns): what changes in any picture, or in any of these."""
        size = self.shape[0] * self.shape[1]
        changed = np.zeros(-(-size // 8), np.uint8)
        for picture in self.changed_pictures() if pictures is None else pictures:
            if self.count[picture]:
                changed |= self.packed[picture]
        return np.unpackbits(changed, count=size).view(bool).reshape(self.shape)

    def without(self, taken: Mapping[int, Bools]) -> Changes:
        """Return the changes without some blocks, (rows, columns) by picture."""
        if not taken:
            return self
        packed, count = list(self.packed), self.count.copy()
        for picture, blocks in taken.items():
            left = self.blocks(picture) & ~blocks
            count[picture] = left.sum()
            packed[picture] = np.packbits(left) if count[picture] else NOTHING
        return replace(self, packed=packed, count=count)

    def changed_pictures(self) -> Iterator[int]:
        """Yield the indices of pictures with any change, rising."""
        yield from map(int, np.flatnonzero(self.count))


class Finder:
    """Walks over the pictures of a recording, carries what the noise model remembers, and collects the changes.

    It decides about a picture when the next one comes: only then is it known not to be the last.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        planes: int,
        ignored: Bools,
        floor: float = 0.0,
        limits: BlockLimits | None = None,
    ) -> None:
        cells, blocks = tuple(-(-length // CELL) for length in shape), shape[0] * shape[1]
        self._shape, self._floor, self._limits = shape, floor, limits or BlockLimits()
        self._means, self._strength = np.zeros((planes, blocks), np.uint16), np.zeros(blocks, np.uint8)
        self._kept, self._before = np.zeros((planes, blocks), np.uint16), np.zeros((planes, blocks), np.uint16)
        self._changed, self._facts = np.zeros(shape, np.uint8), np.zeros(2)
        shift, low, high = (np.zeros(shape, np.int16) for _ in range(3))
        self._kernel = load().step_picture
        self._arrays = (
            self._means, self._strength, self._changed, self._facts,
            ignored.astype(np.uint8).ravel(), self._kept, self._before, shift, low, high,
            np.zeros(blocks, np.uint8), np.zeros((5, *shape), np.float32),
            np.full((2, shape[0] + 2, shape[1] + 2), -1, np.float32), np.zeros((2, *cells), np.float32),
            np.full(cells, -np.inf), np.zeros(cells, np.uint8), np.zeros((2, shape[1])),
        )  # fmt: skip
        self._known: dict[tuple[float, float, KeyAge], BlockLimits] = {}
        self._waiting: tuple[float, float, float, bool] | None = None
        self._last_anew_ms = -np.inf
        self._packed: list[U8] = []
        self._numbers: list[tuple[float, float]] = []

    def add(self, picture: Reduced, time_ms: float, key_frame: bool) -> None:
        """Take the next picture."""
        self._decide()
        np.copyto(self._means, picture.means)
        np.copyto(self._strength, picture.strength)
        self._waiting = time_ms, picture.median, picture.upper, key_frame

    def found(self, last_anew: bool) -> Changes:
        """Return the changes of all pictures; `last_anew` says that the last was coded anew."""
        if self._waiting is not None:
            self._waiting = *self._waiting[:3], last_anew
        self._decide()
        count, energy = np.array(self._numbers).reshape(-1, 2).T
        return Changes(self._shape, self._packed, count, energy, self._floor, self._limits)

    def _decide(self) -> None:
        """Decide which blocks of the picture that has been waiting changed visibly."""
        if self._waiting is None:
            return
        (time_ms, median, upper, anew), self._waiting = self._waiting, None
        if self._packed:
            limits = self._limits_for(median, upper, self._age(time_ms, anew))
            self._kernel(time_ms, anew, limits, *self._arrays)
        else:
            self._kept[:], self._before[:] = self._means, self._means
        self._last_anew_ms = time_ms if anew else self._last_anew_ms
        count, energy = self._facts.tolist()
        self._numbers.append((count, energy))
        self._packed.append(np.packbits(self._changed) if count else NOTHING)

    def _limits_for(self, median: float, upper: float, age: KeyAge) -> BlockLimits:
        """Return the limits of a picture; the same few strengths come over and over."""
        known = self._known.get((median, upper, age))
        if known is None:
            known = NOISE.for_picture(self._limits, median, upper, self._floor, age)
            self._known[median, upper, age] = known
        return known

    def _age(self, time_ms: float, anew: bool) -> KeyAge:
        if anew:
            return "key"
        return "young" if time_ms - self._last_anew_ms <= CHANGE.key_frame_ms else "old"


def find_changes(
    recording: Recording, ignored: Bools, limits: BlockLimits | None = None, floor: float = 0.0
) -> Changes:
    """Find the visibly changed blocks of every picture but the ignored ones; `floor` is its noise, levels."""
    finder = Finder(recording.grid.shape, recording.store.planes, ignored, floor, limits)
    times, anew = recording.picture_ms.tolist(), coded_anew(recording).tolist()
    numbers = zip(recording.median.tolist(), recording.upper.tolist(), strict=True)
    pictures = zip(recording.store, numbers, strict=True)
    for index, ((means, strength), (median, upper)) in enumerate(pictures):
        finder.add(Reduced(means, strength, median, upper), times[index], anew[index])
    return finder.found(anew[-1])


def above_noise(recording: Recording, clean: Changes, ignored: Bools, without: Collection[str] = ()) -> Changes:
    """Return what changes visibly above the recording's own noise; `clean` are the changes if it has none.

    A noisy recording is looked at again. `without` may name `frozen_grain`, for `benchmarks.ablation`.
    """
    grain = learn_floor(recording.median, recording.picture_ms, float(recording.time_ms[-1]))
    floor = grain if "frozen_grain" in without else max(grain, frozen_floor(recording, clean.energy))
    return find_changes(recording, ignored, floor=floor) if floor else clean


def coded_anew(recording: Recording) -> Bools:
    """Return (m,): True for key frames, and for the last picture if a recorder held it and coded it once more."""
    anew = recording.key_frame.copy()
    anew[-1] |= _held(recording)
    return anew


def since_anew_ms(recording: Recording) -> F64:
    """Return (m,): ms since a picture was coded anew; infinite before the first."""
    times = recording.picture_ms
    return times - np.maximum.accumulate(np.where(coded_anew(recording), times, -np.inf))


def _held(recording: Recording) -> bool:
    """Return whether the last frame came alone: a recorder writes the last picture once more when it is stopped."""
    alone = len(recording.time_ms) > 1 and recording.time_ms[-1] - recording.time_ms[-2] >= CHANGE.held_ms
    return bool(recording.variable_rate and alone and recording.picture[-1] > recording.picture[-2])
