"""Finding: what tells a picture that shows something new from one that an encoder only coded again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis import native
from analysis.arrays import F64, Bools
from analysis.changes import Changes
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
    energy, strongest, visible, agreement, reversal = np.zeros((5, last - first + 1))
    blocks, planes, facts, dots = active.size, recording.store.planes, np.zeros(3), np.zeros(REACH + 1)
    lengths = np.ones(REACH + 1)
    weigh = native.weigh.partial(
        active.astype(np.uint8).ravel(), np.zeros((REACH + 1, planes * blocks), np.int16), facts, dots
    )
    start = max(first - 1, 0)
    pictures = pairwise(recording.store.span(start, last))
    for index, ((before, _), (means, strength)) in enumerate(pictures, start + 1):
        place, slot = index - first, index % (REACH + 1)
        weigh(means, before, strength, least, max(STIRRED_LEVELS, least), slot)
        energy[place], strongest[place], stirred = facts.tolist()
        visible[place] = int((changes.blocks(index) & active).sum()) / max(stirred, 1)
        lengths[slot] = max(float(np.sqrt(dots[slot])), 1.0)
        cosines = dots / (lengths * lengths[slot])
        for lag in range(1, min(REACH, index - start - 1) + 1):
            cosine = float(cosines[(index - lag) % (REACH + 1)])
            for at in (place, place - lag):
                agreement[at] = max(agreement[at], cosine)
                if lag == 1:
                    reversal[at] = min(reversal[at], cosine)
    return Clues(energy, strongest, visible, agreement, reversal)
