"""The noise model: what a lossy recorder does to a screen that does not change.

Causes, and the limit that answers each (levels of 8-bit luma or chroma; measured figures in docs/metrics.md):

- Rounding of a transform block: a few levels at most, on single blocks → `moving`, `isolated`, `support`.
- After a motion the encoder corrects what it coded coarsely. The correction is a small share of the motion itself
  and fades while it is repeated → `share_recent`, `share_peak`; where a picture comes alone after a rest, all
  corrections come at once → `share_isolated`.
- A key frame codes everything anew: every textured block moves a little → limits by `KeyAge`, and the picture's own
  strengths as the scale → `own_median`, `own_upper`. So does the last held frame of many recorders.
- Grain and dithering move every block in every picture → the recording's own floor, learned by `learn_floor`.
- An encoder freezes grain where it skips blocks, and codes it anew now and then, here and there → the floor of the
  blocks that were coded, learned by `frozen_floor`.
- None of these moves a whole neighbourhood of blocks the same way; a fade does, however faint → `coherent`.

The limits of a block are in analysis/kernels/limits.py; here they are raised for pictures that are noisy by nature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.arrays import F32, F64, U8
from analysis.kernels.levels import LEVELS
from analysis.kernels.limits import BlockLimits
from analysis.video.areas import by_cells
from analysis.video.recording import Recording

KeyAge = Literal["key", "young", "old"]  # a key frame, a picture that follows one at once, any other


@dataclass(frozen=True, slots=True)
class NoiseLimits:
    """How the limits of a block rise with the noise of its picture, and how the noise of a recording is learned.

    The first four go by `KeyAge`: coding anew moves more blocks, and further, than coding a difference.
    """

    factor: tuple[float, float, float] = (2.0, 1.7, 1.0)  # times what a single block must reach
    coherent: tuple[float, float, float] = (5.0, 2.5, 0.0)  # levels: the least shift of a neighbourhood
    own_share: tuple[float, float, float] = (8.0, 6.0, 6.0)  # times the median strength: the picture's own noise
    own_most: tuple[float, float, float] = (24.0, 12.0, 12.0)  # levels: what is stronger is no noise
    own_upper: float = 2.0  # times the upper quantile: where most blocks rest, the median says nothing
    own_median: float = 6.0  # times the median: a normal deviate exceeds it (4 sigma) once in 16,000 blocks
    calm_share: float = 0.1  # of the time: grain is there in the calmest tenth as well, a fade or a game is not
    most_grain: float = 4.0  # levels in the mean of a block: grain of 30 levels in its pixels
    grain_ms: float = 50.0  # grain changes at least this often
    own_frozen: float = 2.0  # times the floor, at most: grain that an encoder freezes comes in some pictures more

    def for_picture(
        self, limits: BlockLimits, median: float, upper: float, floor: float, age: KeyAge
    ) -> BlockLimits:
        """Return the limits of one picture, given median and upper quantile of its strengths and the floor."""
        at = ("key", "young", "old").index(age)
        grain = self.own_median * max(floor, min(FROZEN.per_coded * upper, self.own_frozen * floor))
        own = max(grain, min(max(self.own_share[at] * median, self.own_upper * upper), self.own_most[at]))
        return limits._replace(
            moving=max(limits.moving * self.factor[at], grain),
            isolated=max(limits.isolated * self.factor[at], own),
            drift=max(limits.drift * self.factor[at], own),
            coherent=max(limits.coherent, floor, self.coherent[at]),
            coherent_isolated=max(limits.coherent_isolated, floor, self.coherent[at]),
        )


@dataclass(frozen=True, slots=True)
class FrozenLimits:
    """How grain is learned that an encoder codes only now and then, here and there."""

    calm: float = 0.3  # of the time and of the pictures that stir: the calmest, in which the screen is still
    most_pictures: int = 60  # of them: as many tell as much as more
    least_pictures: int = 8  # fewer tell nothing
    start_ms: float = 250.0  # after the first picture, which the encoder still sharpens
    quantile: float = 0.97  # of the strengths of coded blocks: leaves out the few that stand out
    per_coded: float = 0.5  # of that quantile is as much as a median: of grain, medians are half as strong
    everywhere: float = 0.5  # of the parts of the screen must stir, or it is a motion
    apart: int = 2  # blocks: a transform of 16 or 32 pixels errs as a whole, and no further
    together: float = 0.2  # correlation of blocks so far apart: of films and games 0.2 to 0.6, of noise below 0.1
    most: float = 20.0  # levels: no sensor is worse, and with limits of 120 nothing is found


FROZEN = FrozenLimits()
NOISE = NoiseLimits()


def learn_floor(medians: F32, picture_ms: F64, end_ms: float) -> float:
    """Return the recording's own noise floor in levels: what half of all blocks move in its calmest tenth of time.

    `medians` is (m,), the median strength of the blocks of each distinct picture, shown from `picture_ms` on. Grain
    moves every picture; a fade over the whole screen does not last, and a game that never rests moves more than any
    grain (`most_grain`). 0 for a clean recording.
    """
    calmest = calmest_share(medians, picture_ms, end_ms, NOISE.calm_share)
    return calmest if calmest <= NOISE.most_grain else 0.0


def calmest_share(values: F32 | F64, picture_ms: F64, end_ms: float, share: float) -> float:
    """Return what `values` (m,), one for each distinct picture, do not exceed in this share of the time.

    0 where the screen rests for so long: a picture that is shown for more than `grain_ms` holds no grain.
    """
    if len(values) < 2:
        return 0.0
    shown_ms = np.diff(picture_ms, append=end_ms)
    still_ms = np.maximum(shown_ms - NOISE.grain_ms, 0).sum()
    order = np.argsort(values[1:])
    passed = still_ms + np.cumsum(np.minimum(shown_ms[1:], NOISE.grain_ms)[order])
    calm_ms = share * passed[-1]
    if still_ms >= calm_ms:
        return 0.0
    return float(values[1:][order][np.searchsorted(passed, calm_ms)])


def frozen_floor(recording: Recording, energy: F64) -> float:
    """Return the noise floor in levels of grain that the encoder freezes in most blocks; 0 for a clean recording.

    `energy` is (m,), the summed strength of what moves in each picture. Grain stirs blocks all over the screen even
    in its calmest pictures, each on its own: what moves in one place, or all together, is no grain. The floor is
    `per_coded` of what the blocks reach that were coded at all.
    """
    if not calmest_share(energy, recording.picture_ms, float(recording.time_ms[-1]), FROZEN.calm):
        return 0.0
    codes, shifts = _calm_pictures(recording, energy)
    if len(codes) < FROZEN.least_pictures:
        return 0.0
    stirred = LEVELS[codes.max(axis=0)]
    level = float(np.quantile(LEVELS[codes[codes > 0]], FROZEN.quantile)) if codes.any() else 0.0
    floor = FROZEN.per_coded * level
    if not 0 < floor <= FROZEN.most:
        return 0.0
    everywhere = float((by_cells(stirred) >= floor).mean()) >= FROZEN.everywhere
    return floor if everywhere and float(np.median(_together(shifts))) <= FROZEN.together else 0.0


def _calm_pictures(recording: Recording, energy: F64) -> tuple[U8, F32]:
    """Return (n, rows, columns) the coded strengths and the shifts (levels) of the calmest pictures that stir."""
    start = max(int(np.searchsorted(recording.picture_ms, FROZEN.start_ms)), 1)
    stirs = start + np.flatnonzero(energy[start:])
    order = stirs[np.argsort(energy[stirs], kind="stable")]
    chosen = np.sort(order[: min(max(FROZEN.least_pictures, int(FROZEN.calm * len(order))), FROZEN.most_pictures)])
    shape = (-1, *recording.grid.shape)
    codes, shifts = [], []
    for picture in chosen.tolist():
        (before, _), (means, strength) = recording.store.span(picture - 1, picture)
        codes.append(strength)
        shifts.append((means[0].astype(np.float32) - before[0]) / 64)
    return np.array(codes, np.uint8).reshape(shape), np.array(shifts, np.float32).reshape(shape)


def _together(shifts: F32) -> F32:
    """Return (n,): how far blocks of each picture that lie `apart` move the same way, −1 to 1; 0 for noise."""
    apart = FROZEN.apart
    beside = (shifts[:, :, apart:] * shifts[:, :, :-apart]).mean(axis=(1, 2))
    below = (shifts[:, apart:] * shifts[:, :-apart]).mean(axis=(1, 2))
    together: F32 = (beside + below) / 2 / np.maximum((shifts**2).mean(axis=(1, 2)), 1e-9)
    return together
