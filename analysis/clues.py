"""Finding: what tells a picture that shows something new from one that an encoder only coded again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, F64, Bools
from analysis.changes import Changes
from analysis.levels import LEVELS
from analysis.noise import learn_floor
from analysis.recording import Recording

LEAST_LEVELS = 0.75
STIRRED_LEVELS = 2.0  # half of a visible step: coding again seldom moves the mean of a block further
GRAIN_SHARE, GRAIN_CAP = 3.0, 6.0
REACH = 3  # pictures: between two steps of a janky motion lie one or two repeats


@dataclass(frozen=True, slots=True, eq=False)
class Clues:
    """Of each picture from response to finish, against the picture before; all (n,), levels of 8 bit.

    Attributes
    ----------
    energy : summed strength of the active blocks, without what the recording's own noise reaches.
    strongest : the largest strength of an active block.
    visible : blocks that changed visibly, as a share of those that stirred at all; may exceed 1 in a fade.
    agreement : the largest cosine between this change of the active blocks and one of the changes near by: 1 if
        both go the same way, about 0 for corrections.
    reversal : the smallest cosine with the change before or after: −1 where an encoder sways between two pictures.

    """

    energy: F64
    strongest: F64
    visible: F64
    agreement: F64
    reversal: F64


def gather_clues(recording: Recording, changes: Changes, active: Bools, first: int, last: int) -> Clues:
    """Return the clues of the pictures first … last; `active` (rows, columns) are the blocks that count."""
    grain = learn_floor(recording.upper, recording.picture_ms, float(recording.time_ms[-1]))
    least = max(LEAST_LEVELS, min(GRAIN_SHARE * grain, GRAIN_CAP))
    where = np.flatnonzero(active)
    energy, strongest, visible, agreement, reversal = np.zeros((5, last - first + 1))
    directions: deque[F32] = deque(maxlen=REACH)
    before = None
    start = max(first - 1, 0)
    for index, (means, strength) in enumerate(recording.store.span(start, last), start):
        place, inside = index - first, means[:, where].astype(np.float32)
        if before is not None:
            levels = LEVELS[strength[where]]
            energy[place] = levels[levels >= least].sum(dtype=float)
            strongest[place] = levels.max(initial=0)
            stirred = int((levels > max(STIRRED_LEVELS, least)).sum())
            visible[place] = int((changes.blocks(index) & active).sum()) / max(stirred, 1)
            _compare(inside - before, directions, place, agreement, reversal)
        before = inside
    return Clues(energy, strongest, visible, agreement, reversal)


def _compare(change: F32, directions: deque[F32], place: int, agreement: F64, reversal: F64) -> None:
    """Note how the change of the picture at `place` agrees with those before it, and they with it."""
    length = float(np.sqrt(np.vdot(change, change)))
    direction = (change / max(length, 1.0)).ravel()
    for lag, earlier in enumerate(reversed(directions), 1):
        cosine = float(np.dot(direction, earlier))
        for at in (place, place - lag):
            agreement[at] = max(agreement[at], cosine)
            if lag == 1:
                reversal[at] = min(reversal[at], cosine)
    directions.append(direction)
