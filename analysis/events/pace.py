"""How often a screen that is filmed shows something new: a slow one may be recorded at a high rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64
from analysis.detection.changes import Changes
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class PaceLimits:
    """What tells how often something new is shown."""

    moving_ms: float = 250.0  # between pictures at most: a longer gap is a rest, and says nothing of the rate
    gaps: int = 2  # that short, at least


PACE = PaceLimits()


def gaps_in_motion_ms(recording: Recording, changes: Changes) -> F64:
    """Return (n,): the gaps between pictures while something moves, ms; none where too few tell.

    Asked are the pictures that change visibly: an encoder stirs in between. Where next to nothing moved, all
    pictures tell, or a recorder that keeps a rate.
    """
    times = recording.picture_ms
    for gaps in (np.diff(times[changes.count > 0]), np.diff(times)):
        short: F64 = gaps[gaps <= PACE.moving_ms]
        if len(short) >= PACE.gaps:
            return short
    gaps = np.zeros(0) if recording.variable_rate else np.diff(recording.time_ms)
    kept: F64 = gaps[gaps <= PACE.moving_ms]
    return kept


def slot_of_screen_ms(recording: Recording, changes: Changes) -> float:
    """Return how long the screen shows a picture while something moves, ms; 0 where that is not known."""
    gaps = gaps_in_motion_ms(recording, changes)
    return float(np.median(gaps)) if len(gaps) else 0.0
