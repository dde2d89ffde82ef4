"""Judging which pictures between response and finish show something new, and which only repeat."""

from __future__ import annotations

import numpy as np

from analysis.arrays import F64, I64, Bools
from analysis.changes import Changes
from analysis.levels import LEVELS
from analysis.noise import learn_floor
from analysis.recording import Recording

FRESH_SHARE = 0.06  # a repeat coded again moves less than this share of what its neighbours move
FADES = 0.87  # and the next repeat so much of that
LEAST_LEVELS = 0.75
GRAIN_SHARE, GRAIN_CAP = 3.0, 6.0
RARE_SHARE = 0.02  # a recorder at a variable rate seldom writes a repeat
CORRECTION_SHARE = 0.01  # of the blocks that the motion changed
CORRECTION_MS = 150.0


def corrections(changes: Changes, times_ms: F64, pictures: I64) -> Bools:
    """Return (pictures,) bool: whether a picture changes next to nothing of what moved just before it.

    That is the encoder's correction of a motion, and no part of it.
    """
    found = np.zeros(len(pictures), dtype=bool)
    for place, picture in enumerate(pictures):
        recent = (times_ms >= times_ms[picture] - CORRECTION_MS) & (times_ms < times_ms[picture])
        found[place] = changes.count[picture] < CORRECTION_SHARE * changes.count[recent].max(initial=0)
    return found


def motion_energy(recording: Recording, active: Bools, first: int, last: int) -> F64:
    """Return (last - first + 1,): summed strength in levels of the active blocks of pictures first … last.

    `active` is (rows, columns). Strengths that the recording's own noise reaches here and there count as nothing.
    """
    grain = learn_floor(recording.upper, recording.picture_ms, float(recording.time_ms[-1]))
    least = max(LEAST_LEVELS, min(GRAIN_SHARE * grain, GRAIN_CAP))
    where = active.ravel()
    energy = []
    for index, (_, strength) in enumerate(recording.store):
        if index > last:
            break
        if index >= first:
            inside = LEVELS[strength[where]]
            energy.append(inside[inside >= least].sum(dtype=float))
    return np.array(energy)


def shows_new(energy: F64, share: float = FRESH_SHARE) -> Bools:
    """Return which pictures show something new; the first and the last always do.

    A recorder at a constant rate repeats a picture when the screen dropped one. Coded anew, the repeat is not quite
    equal, but moves far less than the new picture before it, less with every further repeat, and less than some
    picture still to come.
    """
    new, noise = energy > 0, energy[0] * share
    coming = np.maximum.accumulate(energy[::-1])[::-1] * share
    for index in range(1, len(energy) - 1):
        new[index] &= energy[index] >= min(noise, coming[index + 1])
        noise = energy[index] * share if new[index] else noise * FADES
    new[[0, -1]] = True
    return new
