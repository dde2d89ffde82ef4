"""The noise model: what a lossy recorder does to a screen that does not change.

Causes, and the limit that answers each (levels of 8-bit luma or chroma; measured figures in docs/metrics.md):

- Rounding of a transform block: a few levels at most, on single blocks → `moving`, `isolated`, `support`.
- After a motion the encoder corrects what it coded coarsely. The correction is a small share of the motion itself
  and fades while it is repeated → `share_recent`, `share_peak`; where a picture comes alone after a rest, all
  corrections come at once → `share_isolated`.
- A key frame codes everything anew: every textured block moves a little → limits of `KEY_FRAMES`, and the
  picture's own strengths as the scale → `OWN_MEDIAN`, `OWN_UPPER`. So does the last held frame of many recorders.
- Grain and dithering move every block in every picture → the recording's own floor, learned by `learn_floor`.
- None of these moves a whole neighbourhood of blocks the same way; a fade does, however faint → `coherent`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.arrays import F32, F64

KeyAge = Literal["key", "young", "old"]  # a key frame, a picture that follows one at once, any other
# Per age: factor on what a single block must reach, least coherent shift (levels), and the picture's own noise as a
# multiple of its median strength and as a cap (levels).
KEY_FRAMES: dict[KeyAge, tuple[float, float, float, float]] = {
    "key": (2.0, 5.0, 8.0, 24.0),
    "young": (1.7, 2.5, 6.0, 12.0),
    "old": (1.0, 0.0, 6.0, 12.0),
}
OWN_UPPER = 2.0
OWN_MEDIAN = 6.0  # a normal deviate exceeds 6 of its medians of |x| (4 sigma) once in 16,000 blocks
FLOOR_SHARE = 0.1
MOST_GRAIN = 4.0  # levels in the mean of a block: grain of 30 levels in its pixels
GRAIN_MS = 50.0  # grain changes at least this often


@dataclass(frozen=True, slots=True)
class Limits:
    """What a block must reach to count as changed; see the module's text for the causes."""

    moving: float = 3.0
    isolated: float = 6.0
    drift: float = 8.0
    share_recent: float = 0.07
    share_peak: float = 0.04
    share_isolated: float = 0.10
    coherent: float = 0.8
    coherent_isolated: float = 1.5
    support: float = 3.0
    strong: float = 2.5
    strong_isolated: float = 1.5
    share_coherent: float = 0.03

    def for_picture(self, median: float, upper: float, floor: float, age: KeyAge) -> Limits:
        """Return the limits of one picture, given median and upper quantile of its strengths and the floor."""
        factor, coherent, share, cap = KEY_FRAMES[age]
        grain = OWN_MEDIAN * floor
        own = max(grain, min(max(share * median, OWN_UPPER * upper), cap))
        return replace(
            self,
            moving=max(self.moving * factor, grain),
            isolated=max(self.isolated * factor, own),
            drift=max(self.drift * factor, own),
            coherent=max(self.coherent, floor, coherent),
            coherent_isolated=max(self.coherent_isolated, floor, coherent),
        )

    def as_array(self) -> F64:
        """Return the limits in the order that kernels.deciding reads them."""
        return np.array(
            [
                self.moving, self.isolated, self.drift, self.share_recent, self.share_peak, self.share_isolated,
                self.coherent, self.coherent_isolated, self.support, self.strong,
                self.share_coherent, self.strong_isolated,
            ]
        )  # fmt: skip


def learn_floor(medians: F32, picture_ms: F64, end_ms: float) -> float:
    """Return the recording's own noise floor in levels: what half of all blocks move in its calmest tenth of time.

    `medians` is (m,), the median strength of the blocks of each distinct picture, shown from `picture_ms` on. Grain
    moves every picture; a fade over the whole screen does not last, and a game that never rests moves more than any
    grain (`MOST_GRAIN`). 0 for a clean recording.
    """
    if len(medians) < 2:
        return 0.0
    shown_ms = np.diff(picture_ms, append=end_ms)
    still_ms = np.maximum(shown_ms - GRAIN_MS, 0).sum()
    order = np.argsort(medians[1:])
    passed = still_ms + np.cumsum(np.minimum(shown_ms[1:], GRAIN_MS)[order])
    if still_ms >= FLOOR_SHARE * passed[-1]:
        return 0.0
    calmest = float(medians[1:][order][np.searchsorted(passed, FLOOR_SHARE * passed[-1])])
    return calmest if calmest <= MOST_GRAIN else 0.0
