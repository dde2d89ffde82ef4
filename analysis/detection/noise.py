"""The noise model: what a lossy recorder does to a screen that does not change.

Causes, and the limit that answers each (levels of 8-bit luma or chroma; measured figures in docs/metrics.md):

- Rounding of a transform block: a few levels at most, on single blocks → `moving`, `isolated`, `support`.
- After a motion the encoder corrects what it coded coarsely. The correction is a small share of the motion itself
  and fades while it is repeated → `share_recent`, `share_peak`; where a picture comes alone after a rest, all
  corrections come at once → `share_isolated`.
- A key frame codes everything anew: every textured block moves a little → limits by `KeyAge`, and the picture's own
  strengths as the scale → `own_median`, `own_upper`. So does the last held frame of many recorders.
- Grain and dithering move every block in every picture → the recording's own floor, learned by `learn_floor`.
- None of these moves a whole neighbourhood of blocks the same way; a fade does, however faint → `coherent`.

The limits of a block are in analysis/kernels/limits.py; here they are raised for pictures that are noisy by nature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.arrays import F32, F64
from analysis.kernels.limits import BlockLimits

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

    def for_picture(
        self, limits: BlockLimits, median: float, upper: float, floor: float, age: KeyAge
    ) -> BlockLimits:
        """Return the limits of one picture, given median and upper quantile of its strengths and the floor."""
        at = ("key", "young", "old").index(age)
        grain = self.own_median * floor
        own = max(grain, min(max(self.own_share[at] * median, self.own_upper * upper), self.own_most[at]))
        return limits._replace(
            moving=max(limits.moving * self.factor[at], grain),
            isolated=max(limits.isolated * self.factor[at], own),
            drift=max(limits.drift * self.factor[at], own),
            coherent=max(limits.coherent, floor, self.coherent[at]),
            coherent_isolated=max(limits.coherent_isolated, floor, self.coherent[at]),
        )


NOISE = NoiseLimits()


def learn_floor(medians: F32, picture_ms: F64, end_ms: float) -> float:
    """Return the recording's own noise floor in levels: what half of all blocks move in its calmest tenth of time.

    `medians` is (m,), the median strength of the blocks of each distinct picture, shown from `picture_ms` on. Grain
    moves every picture; a fade over the whole screen does not last, and a game that never rests moves more than any
    grain (`most_grain`). 0 for a clean recording.
    """
    if len(medians) < 2:
        return 0.0
    shown_ms = np.diff(picture_ms, append=end_ms)
    still_ms = np.maximum(shown_ms - NOISE.grain_ms, 0).sum()
    order = np.argsort(medians[1:])
    passed = still_ms + np.cumsum(np.minimum(shown_ms[1:], NOISE.grain_ms)[order])
    calm_ms = NOISE.calm_share * passed[-1]
    if still_ms >= calm_ms:
        return 0.0
    calmest = float(medians[1:][order][np.searchsorted(passed, calm_ms)])
    return calmest if calmest <= NOISE.most_grain else 0.0
