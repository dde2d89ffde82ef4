"""Judging which pictures between response and finish show something new, and which only repeat."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, I64, Bools
from analysis.detection.changes import Changes
from analysis.detection.noise import learn_floor
from analysis.kernels.loading import load
from analysis.video.recording import Recording

LEAST_LEVELS = 0.75
STIRRED_LEVELS = 2.0  # half of a visible step: coding again seldom moves the mean of a block further
GRAIN_SHARE, GRAIN_CAP = 3.0, 6.0
REACH = 3  # pictures: between two steps of a janky motion lie one or two repeats

# What a repeat, coded anew, does not reach: measured on recordings held to 2 to 5 Mbit/s whose lost slots are known
STEP_SHARE = 0.25  # of the energy of the steps before it: even a starved encoder corrects less at once
PEAK_SHARE = 0.2  # of their strongest block, if any block changed visibly
VISIBLE_SHARE = 0.5  # of the blocks that it stirs changes visibly: corrections lie scattered, a step does not
AGREEMENT = 0.25  # with a change near by: motion goes on, corrections are independent of each other
SWAYING = -0.2  # a cosine with its neighbour below this: the encoder goes to and fro between two pictures
EASING = 0.8  # the energy of a step may be so much less than that of the step before
RARE_SHARE = 0.01  # a repeat in a recording at a variable rate, which has bits enough, moves less than this
REPEAT_MS = 95.0  # scrcpy and others write the last picture again when nothing came for 100 ms
CORRECTION_SHARE = 0.01  # of the blocks that the motion changed
CORRECTION_MS = 150.0
ANEW_BLOCKS = 3  # a correction that fades may still lift one or two blocks over the limit


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
    weigh = load().weigh
    arrays = active.astype(np.uint8).ravel(), np.zeros((REACH + 1, planes * blocks), np.int16), facts, dots
    start = max(first - 1, 0)
    pictures = pairwise(recording.store.span(start, last))
    for index, ((before, _), (means, strength)) in enumerate(pictures, start + 1):
        place, slot = index - first, index % (REACH + 1)
        weigh(means, before, strength, least, max(STIRRED_LEVELS, least), slot, *arrays)
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


def corrections(changes: Changes, times_ms: F64, pictures: I64) -> Bools:
    """Return (pictures,) bool: whether a picture changes next to nothing of what moved just before it.

    That is the encoder's correction of a motion, and no part of it. Corrections fade while they go on: what can be
    seen again after a picture without any visible change is a step of the screen.
    """
    found = np.zeros(len(pictures), dtype=bool)
    for place, picture in enumerate(pictures):
        recent = (times_ms >= times_ms[picture] - CORRECTION_MS) & (times_ms < times_ms[picture])
        faint = changes.count[picture] < CORRECTION_SHARE * changes.count[recent].max(initial=0)
        anew = changes.count[picture] >= ANEW_BLOCKS and not changes.count[picture - 1]
        found[place] = faint and not anew
    return found


def shows_new(clues: Clues) -> Bools:
    """Return (n,) which pictures show something new; the first and the last always do.

    A recorder at a constant rate repeats a picture when the screen dropped one. Coded anew, the repeat is not quite
    equal: the encoder corrects what it coded coarsely. Any one of four clues is enough to tell a step from that.
    """
    new = clues.energy > 0
    swaying = clues.reversal <= SWAYING
    clear = (clues.visible >= VISIBLE_SHARE) | ((clues.agreement >= AGREEMENT) & ~swaying)
    energy, strongest = clues.energy[0], clues.strongest[0]
    for index in range(1, len(new) - 1):
        far = clues.visible[index] > 0 and clues.strongest[index] >= PEAK_SHARE * strongest
        new[index] &= clear[index] or far or clues.energy[index] >= STEP_SHARE * energy
        if new[index]:
            energy = max(clues.energy[index], EASING * energy)
            strongest = max(clues.strongest[index], EASING * strongest)
    new[[0, -1]] = True
    return new


def written_for_a_reason(clues: Clues, times_ms: F64) -> Bools:
    """Return (n,) which pictures a recorder at a variable rate wrote because the screen had changed.

    It writes a frame when something changed, however faintly. But some screens are composed anew without a change,
    and some recorders write again after a rest: a repeat moves next to nothing of what moved before and will move.
    """
    energy = clues.energy
    least = RARE_SHARE * np.minimum(_lately(energy), _lately(energy[::-1])[::-1])
    return (energy > 0) & (energy >= least) & (np.diff(times_ms, prepend=-np.inf) < REPEAT_MS)


def _lately(energy: F64) -> F64:
    """Return (n,): the largest energy so far, less by `EASING` with every picture since."""
    largest = energy.copy()
    for index in range(1, len(largest)):
        largest[index] = max(largest[index], EASING * largest[index - 1])
    return largest
