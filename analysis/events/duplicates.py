"""Which pictures between response and finish show something new, and which only repeat."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, I64, Bools
from analysis.detection.changes import Changes
from analysis.detection.noise import learn_floor
from analysis.kernels.levels import LEVELS
from analysis.kernels.loading import load
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class DuplicateLimits:
    """What a repeat, coded anew, does not reach: measured at 2 to 5 Mbit/s on recordings with known lost slots."""

    levels: float = 0.75  # what a block must move to count as energy
    grain_share: float = 3.0  # of the recording's own noise, which counts for nothing either
    grain_cap_levels: float = 6.0  # of that
    stirred_levels: float = 2.0  # half of a visible step: coding again seldom moves the mean of a block further
    near_pictures: int = 3  # between two steps of a janky motion lie one or two repeats
    visible_share: float = 0.5  # of the stirred blocks change visibly: corrections lie scattered, a step does not
    agreement: float = 0.25  # cosine with a change near by: motion goes on, corrections are independent
    swaying: float = -0.2  # of its neighbour is taken back: below, the encoder goes to and fro between two pictures
    energy_share: float = 0.25  # of the steps around it: even a starved encoder corrects less at once
    easing: float = 0.8  # the energy of a step may be so much less than that of the step before
    fading: float = 0.6  # a motion's corrections have so much less energy from one picture to the next
    clear_levels: float = 3.0  # what a block moves in a step that no encoder leaves out: `BlockLimits.moving`
    clear_blocks: int = 2  # do so in a clear step: a single one may sway
    catching_up: float = 1.5  # times the pace: what was lost comes on top of the next step
    pace_steps: int = 2  # before and after a gap tell the pace
    turned: float = -0.5  # cosine of the steps before and after a picture in which a motion turns back
    rare_share: float = 0.01  # of the motion around it: a variable rate has bits enough, its repeats move less
    repeat_ms: float = 95.0  # scrcpy and others write the last picture again when nothing came for 100 ms


DUPLICATE = DuplicateLimits()
CLUES = (
    "step_seen", "step_agrees", "step_to_and_fro", "step_energy", "step_turns", "step_faint", "step_written",
)  # fmt: skip
TURNING = 2  # pictures from the step before a turning point to the step after it


@dataclass(frozen=True, slots=True, eq=False)
class Clues:
    """Of each picture from response to finish, against the picture before; all (n,), levels of 8 bit.

    Attributes
    ----------
    energy : summed strength of the active blocks, without what the recording's own noise reaches.
    visible : blocks that changed visibly, as a share of those that stirred at all; may exceed 1 in a fade.
    agreement : the largest cosine between this change of the active blocks and one of the changes near by: 1 if
        both go the same way, about 0 for corrections.
    reversal : how much of the larger one this change and the one before or after take back of each other: −1 where
        an encoder sways between two pictures.
    length : of the change, √Σ shift².
    clear : how many blocks move so far that no encoder leaves them out.
    turn : the cosine between this change and the one two pictures before: −1 where a motion has turned back.

    """

    energy: F64
    visible: F64
    agreement: F64
    reversal: F64
    length: F64
    clear: F64
    turn: F64


def gather_clues(recording: Recording, changes: Changes, active: Bools, first: int, last: int) -> Clues:
    """Return the clues of the pictures first … last; `active` (rows, columns) are the blocks that count."""
    grain = learn_floor(recording.upper, recording.picture_ms, float(recording.time_ms[-1]))
    least = max(DUPLICATE.levels, min(DUPLICATE.grain_share * grain, DUPLICATE.grain_cap_levels))
    energy, visible, agreement, reversal, length, clear, turn = np.zeros((7, last - first + 1))
    blocks, planes, slots = active.size, recording.store.planes, DUPLICATE.near_pictures + 1
    facts, dots, lengths = np.zeros(2), np.zeros(slots), np.ones(slots)
    weigh, clear_code = load().weigh, int(np.searchsorted(LEVELS, max(DUPLICATE.clear_levels, least)))
    arrays = active.astype(np.uint8).ravel(), np.zeros((slots, planes * blocks), np.int16), facts, dots
    start, inside = max(first - 1, 0), active.ravel()
    pictures = pairwise(recording.store.span(start, last))
    for index, ((before, _), (means, strength)) in enumerate(pictures, start + 1):
        place, slot = index - first, index % slots
        weigh(means, before, strength, least, max(DUPLICATE.stirred_levels, least), slot, *arrays)
        energy[place], stirred = facts.tolist()
        visible[place] = int((changes.blocks(index) & active).sum()) / max(stirred, 1)
        clear[place] = np.count_nonzero(strength[inside] >= clear_code)
        lengths[slot] = max(float(np.sqrt(dots[slot])), 1.0)
        length[place] = lengths[slot] / 64
        cosines = dots / (lengths * lengths[slot])
        for lag in range(1, min(DUPLICATE.near_pictures, index - start - 1) + 1):
            other = (index - lag) % slots
            cosine = float(cosines[other])
            taken_back = cosine * min(lengths[slot], lengths[other]) / max(lengths[slot], lengths[other])
            for at in (place, place - lag):
                agreement[at] = max(agreement[at], cosine)
                if lag == 1:
                    reversal[at] = min(reversal[at], taken_back)
            if lag == TURNING:
                turn[place] = cosine
    return Clues(energy, visible, agreement, reversal, length, clear, turn)


def shows_new(clues: Clues, without: Collection[str] = ()) -> Bools:
    """Return (n,) which pictures show something new; the first and the last always do.

    A recorder at a constant rate repeats a picture when the screen dropped one. Coded anew, the repeat is not quite
    equal: the encoder corrects what it coded coarsely. Any one clue is enough to tell a step from that; energy is
    one only where something changes visibly, as what was coded coarsely in a still picture is sharpened at some
    time, too. `without` names clues to leave off, see `CLUES`.
    """
    new = clues.energy > 0
    goes_on = clues.agreement >= DUPLICATE.agreement
    if "step_to_and_fro" not in without:
        goes_on &= clues.reversal > DUPLICATE.swaying
    clear = np.zeros(len(new), dtype=bool)
    if "step_seen" not in without:
        clear |= clues.visible >= DUPLICATE.visible_share
    if "step_agrees" not in without:
        clear |= goes_on
    if "step_energy" not in without:
        energetic = clues.energy >= DUPLICATE.energy_share * _steps_around(clues.energy)
        clear |= energetic & (clues.visible > 0)
    new &= clear
    new[[0, -1]] = True
    if "step_turns" not in without:
        new |= _turns_back(clues, new)
    return new


def _turns_back(clues: Clues, new: Bools) -> Bools:
    """Return (n,) in which pictures a motion turns back: it slows down, stands, and goes the other way.

    What pulses stands still there for a moment, and no slot is lost. A flash that goes at once does not slow down.
    """
    turns, length = np.zeros(len(new), dtype=bool), clues.length
    if len(new) < 2 * TURNING + 1:
        return turns
    steps = new[:-4] & new[1:-3] & new[3:-1] & new[4:]
    slower = (length[1:-3] < length[:-4]) & (length[3:-1] < length[4:])
    turns[TURNING:-TURNING] = steps & slower & (clues.turn[3:-1] <= DUPLICATE.turned)
    return turns


def _steps_around(energy: F64) -> F64:
    """Return (n,): the energy that steps have at each place, given that of every picture.

    Just after a large motion its corrections are still to be told from steps. In a motion, steps come before and
    after; one thing that appears at once, or a page before a small icon that turns, says nothing of their energy.
    """
    before, after = np.append(0.0, energy[:-1]), np.append(energy[1:], 0.0)
    within = np.minimum(_lately(before, DUPLICATE.easing), _lately(after[::-1], DUPLICATE.easing)[::-1])
    return np.maximum(within, _lately(before, DUPLICATE.fading))


def too_faint_to_lose(clues: Clues, steps: I64) -> Bools:
    """Return (n - 1,): between which of the n `steps`, indices into the clues, nothing can be said to be lost.

    An encoder leaves out a step in which no block moves far, and a fade by less than a level may have none. Where
    slots were lost among such steps, the next one makes up for them: it is longer than those around.
    """
    faint = clues.clear[steps] < DUPLICATE.clear_blocks
    length, reach = clues.length[steps], DUPLICATE.pace_steps
    pace = np.array([np.median(length[max(at - reach + 1, 0) : at + reach + 1]) for at in range(len(steps) - 1)])
    return faint[:-1] & faint[1:] & (length[1:] <= DUPLICATE.catching_up * pace)


def written_for_a_reason(clues: Clues, times_ms: F64) -> Bools:
    """Return (n,) which pictures a recorder at a variable rate wrote because the screen had changed.

    It writes a frame when something changed, however faintly. But some screens are composed anew without a change,
    and some recorders write again after a rest: a repeat moves next to nothing of what moved before and will move.
    """
    energy = clues.energy
    around = np.minimum(_lately(energy, DUPLICATE.easing), _lately(energy[::-1], DUPLICATE.easing)[::-1])
    least = DUPLICATE.rare_share * around
    return (energy > 0) & (energy >= least) & (np.diff(times_ms, prepend=-np.inf) < DUPLICATE.repeat_ms)


def _lately(energy: F64, left: float) -> F64:
    """Return (n,): the largest energy so far, of which each picture since has `left` so much."""
    largest = energy.copy()
    for index in range(1, len(largest)):
        largest[index] = max(largest[index], left * largest[index - 1])
    return largest
