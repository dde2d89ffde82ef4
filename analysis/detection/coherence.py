"""Finding: faint changes that no block shows alone, but a whole neighbourhood shows together.

Where something large moved before, a single block must move far to count: an encoder may correct by a tenth of the
motion after a rest. But its corrections are independent of each other. A halo that fades there moves its blocks the
same way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class CoherenceLimits:
    """What a neighbourhood must show together."""

    reach: int = 3  # blocks: 7 × 7 of them are wider than any transform block, which may err as a whole
    least: float = 2.0  # levels in the mean: in the rest of 400 recordings, corrections that agree reach 1.3
    per_floor: float = 2.0  # times the noise floor: an encoder that lets go of frozen grain shifts a whole patch
    agree: float = 12.0  # (Σ shift)² / Σ shift²: 1 for independent shifts, the number of blocks for equal ones

    @property
    def least_energy(self) -> float:
        """Return the summed strength (levels) below which a picture need not be looked at."""
        return self.least * self.agree


COHERENCE = CoherenceLimits()


def reveal_faint(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with those added that neighbourhoods show together after the action.

    Looked for in pictures without any visible change, but not where a picture was coded anew.
    """
    times = recording.picture_ms
    anew = since_anew_ms(recording) <= CHANGE.key_frame_ms
    wanted = (times >= action_ms) & (changes.count == 0) & (changes.energy >= COHERENCE.least_energy) & ~anew
    packed, count = list(changes.packed), changes.count.copy()
    for picture in map(int, np.flatnonzero(wanted)):
        (before, _), (means, _) = recording.store.span(picture - 1, picture)
        shift = (means[0].astype(float) - before[0]).reshape(changes.shape) / 64
        blocks = moves_together(
            np.where(ignored, 0.0, shift), max(COHERENCE.least, COHERENCE.per_floor * changes.floor_levels)
        )
        count[picture] = blocks.sum()
        if count[picture]:
            packed[picture] = np.packbits(blocks)
    return replace(changes, packed=packed, count=count)


def moves_together(shift: F64, least: float) -> Bools:
    """Return (rows, columns): the blocks of neighbourhoods that move together by `least` levels in the mean."""
    size = (2 * COHERENCE.reach + 1) ** 2
    total, square = _around(shift), _around(shift * shift)
    together = (total**2 >= COHERENCE.agree * square) & (np.abs(total) >= least * size)
    return grow(together, COHERENCE.reach) & (np.abs(shift) >= least / 2)


def _around(values: F64) -> F64:
    """Return the sum over the neighbourhood of each block; what lies beyond the edge is 0."""
    before, after = COHERENCE.reach + 1, COHERENCE.reach
    step = before + after
    wide: F64 = np.pad(values, (before, after)).cumsum(axis=0).cumsum(axis=1)
    return wide[step:, step:] - wide[:-step, step:] - wide[step:, :-step] + wide[:-step, :-step]
