"""What an encoder does by itself, as rules ask for it: it sharpens, corrects, refines and codes anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.events.bars import in_bars
from analysis.events.event import EVENT, Event
from analysis.events.faint import (
    FAINT,
    goes_astray,
    is_faint,
    is_left_over,
    is_stray,
    is_tail,
    is_unseen,
    most_of,
    stays_unseen,
    strongest_of,
)
from analysis.events.ongoing_motion import own_levels
from analysis.events.recurrence import RECURRENCE, state, states
from analysis.events.refreshing import REFRESH, is_refresh
from analysis.events.scene import Scene, Step
from analysis.kernels.levels import CELL, LEVELS
from analysis.video.areas import by_cells, grow


@dataclass(frozen=True, slots=True)
class CodingLimits:
    """When a small change is an encoder's work."""

    first_ms: float = 500.0  # of a recording: so long an encoder may sharpen its first picture
    first_rest_ms: float = 50.0  # without any block that stirs: then it has done
    first_share: float = 0.25  # of what it changes: what stirs less has come to rest
    first_levels: float = 24.0  # what is stronger is no noise, not even of a key frame
    correction_ms: float = 150.0  # before a correction, in which the motion was
    anew_blocks: int = 3  # a correction that fades may still lift one or two blocks over the limit
    beside_blocks: int = 1  # around what it changes
    refreshed_blocks: int = 9  # at most: a few among thousands pass a limit by chance, with those beside them
    motion_times: float = 10.0  # as many blocks as what may correct it are of a motion
    rested_levels: float = 1.0  # of a block in such pictures: there is nothing to correct
    restored_levels: float = 2.0  # of a block's mean, as before a key frame: no picture is coded twice alike
    refreshed_share: float = 0.25  # of the parts of the screen stir as strongly without a visible change
    stirs_levels: float = 2.0  # of a block's strongest change at most: nobody sees that
    stirs_ms: float = 1000.0  # before the action
    stirs_pictures: int = 2  # at least that change no block further


CODING = CodingLimits()


def corrects(step: Step, scene: Scene) -> bool:
    """Return whether a picture changes next to nothing of what moved just before it: an encoder corrects that.

    Corrections fade while they go on: what changes again after a picture without any change, and not too faintly to
    be seen, is a step of the screen, and so is what stands out from the pictures around it. A recorder at a
    variable rate has bits enough, and its last frame may be the last step; but not where a cursor goes on, nor
    where nobody can see it.
    """
    recording, count, times, picture = scene.recording, scene.changes.count, scene.times_ms, step.picture
    least = scene.changes.limits.moving
    if picture in scene.changes.steps:
        return False
    if strongest_of(recording, step.blocks, picture) <= FAINT.levels:
        apart = scene.changes.blocks(picture) & ~scene.background.near_end | step.blocks
        if is_tail(recording, count, apart, picture, times, least):
            return True
    own = scene.pointer.steps.get(picture)
    if own is not None and is_stray(recording, count, step.blocks & ~own, picture, times, least):
        return True
    if scene.variable_rate:
        return False
    recent = (times >= times[picture] - CODING.correction_ms) & (times < times[picture])
    faint = count[picture] < FAINT.correction_share * count[recent].max(initial=0)
    anew = count[picture] >= CODING.anew_blocks and not count[picture - 1]
    if not faint or _rested(step, scene):
        return False
    return strongest_of(recording, step.blocks, picture) < (FAINT.levels if anew else FAINT.correction_levels)


def _rested(step: Step, scene: Scene) -> bool:
    """Return whether what a step changes most had rested while the screen moved: there is nothing to correct."""
    recording, count, times, picture = scene.recording, scene.changes.count, scene.times_ms, step.picture
    recent = np.flatnonzero((times >= times[picture] - FAINT.tail_ms) & (times < times[picture]))
    motion = recent[count[recent] >= CODING.motion_times * count[picture]]
    if not motion.size or np.count_nonzero(step.blocks) < RECURRENCE.least_blocks:
        return False
    _, codes = recording.store.at(picture)
    most = np.flatnonzero(step.blocks)
    most = most[np.argmax(codes[most])]
    stirred = max(LEVELS[recording.store.at(moved)[1][most]] for moved in motion.tolist())
    return bool(stirred < CODING.rested_levels)


def faint(event: Event, scene: Scene) -> bool:
    """Return whether the whole event is too faint to be seen, whatever goes on beside it: it answers nothing."""
    return is_faint(event, scene.recording)


def unseen(event: Event, scene: Scene) -> bool:
    """Return whether the whole event is too faint to be seen, when all else rests, and comes to nothing."""
    if scene.changes.drifts.issuperset(event.pictures.tolist()):
        return False  # no step of it is seen, but what came of it
    others = (
        other
        for other in scene.company.of(event, EVENT.apart_ms)
        if other.start_ms < event.start_ms and not in_bars(other, scene.bars)
    )
    return is_unseen(event, others, scene.recording, scene.times_ms, scene.pointer.steps)


def left_over(step: Step, scene: Scene) -> bool:
    """Return whether what an event still does from a step on, but for a cursor there, is too faint to be seen.

    Beside a cursor that moves it need not be the last of anything: pictures of few colours draw all around it anew.
    """
    own = scene.pointer.steps.get(step.picture)
    blocks = step.blocks if own is None else step.blocks & ~own
    if not blocks.any():
        return False
    if own is not None and (step.blocks & own).any():
        return stays_unseen(scene.recording, blocks, step.picture, step.event.last)
    return is_left_over(scene.recording, blocks, step.picture, step.event.last, scene.times_ms)


def astray(step: Step, scene: Scene) -> bool:
    """Return whether a step that no single block shows leaves the way on which its place went. No drift does."""
    if step.picture in scene.changes.drifts:
        return False  # the rim of what drifts has little way to go
    least = scene.changes.limits.moving
    return goes_astray(scene.recording, step.blocks, step.picture, scene.times_ms, least)


def refreshed(step: Step, scene: Scene) -> bool:
    """Return whether a few blocks do no more than a quarter of the screen does without a visible change.

    An encoder goes on refining a photograph or grain long after it was shown, everywhere a little. Among thousands
    of blocks some pass a limit; a change of the screen stands out of its picture.
    """
    event = step.event
    if np.count_nonzero(event.part) > CODING.refreshed_blocks:
        return False
    _, codes = scene.recording.store.at(step.picture)
    codes = codes.reshape(event.shape)  # which rise with the strength that they stand for
    strongest = codes[grow(step.blocks, CODING.beside_blocks)].max()
    visible = scene.changes.blocks(step.picture)
    if step.picture in scene.focus:
        visible = visible | scene.focus[step.picture]
    quiet = np.where(visible, 0, codes) >= strongest
    if np.count_nonzero(quiet) < CODING.refreshed_share * -(-quiet.size // CELL**2):
        return False  # however they lie
    return bool(by_cells(quiet.astype(np.float32)).mean() >= CODING.refreshed_share)


def stirs_as_before(step: Step, scene: Scene) -> bool:
    """Return whether nobody sees a step, and what had stirred by itself before the action was as faint.

    Of what a camera's grain and light make of a screen at rest an encoder draws a little now and then. The first
    step of a fade may be as faint, but follows no such stirs.
    """
    if strongest_of(scene.recording, step.blocks, step.picture) > CODING.stirs_levels:
        return False
    times = scene.times_ms
    recent = (times >= scene.action_ms - CODING.stirs_ms) & (times < scene.action_ms)
    pictures = np.flatnonzero(recent & (scene.changes.count > 0)).tolist()
    strongest = (strongest_of(scene.recording, scene.changes.blocks(picture), picture) for picture in pictures)
    return sum(levels <= CODING.stirs_levels for levels in strongest) >= CODING.stirs_pictures


def dithers(step: Step, scene: Scene) -> bool:
    """Return whether no block moves further than a few times what all of the picture stirs."""
    _, codes = scene.recording.store.at(step.picture)
    strongest = float(LEVELS[codes[step.blocks.ravel()]].max())
    return strongest <= float(own_levels(scene.recording.upper[[step.picture]])[0])


def coded_anew(step: Step, scene: Scene) -> bool:
    """Return whether an encoder coded the whole picture anew, and the step is part of that alone."""
    return is_refresh(scene.recording, step.blocks, step.picture, scene.times_ms)


def restored(step: Step, scene: Scene) -> bool:
    """Return whether a key frame disturbs all of the picture, and the next pictures bring back what was there."""
    recording, times, picture = scene.recording, scene.times_ms, step.picture
    keys = np.flatnonzero(recording.key_frame[: picture + 1])  # of which the first stirs nothing
    if not keys.size or times[picture] - times[keys[-1]] > REFRESH.corrected_ms:
        return False
    key = int(keys[-1])
    if recording.upper[key] < REFRESH.stir_levels:
        return False
    until = int(np.searchsorted(times, times[key] + REFRESH.corrected_ms, side="right")) - 1
    before = state(recording, step.blocks, key - 1)
    off = np.abs(states(recording, step.blocks, picture, until) - before).max(axis=1) / 64
    return bool((most_of(off) <= CODING.restored_levels).any())


def sharpens_the_first(step: Step, scene: Scene) -> bool:
    """Return whether the picture that a recording began with is still being sharpened.

    It has stirred ever since, and weakly: no screen answers a finger with the first picture that is filmed. What is
    clear to see, where next to nothing had stirred for a while, is no sharpening, which fades.
    """
    times = scene.times_ms
    if times[step.picture] - times[0] > CODING.first_ms:
        return False
    stirs = scene.changes.energy[: step.picture + 1] > 0
    if _rests(stirs, times):
        return False
    near = grow(step.blocks, CODING.beside_blocks).ravel()
    levels = np.array([LEVELS[codes[near]].max() for _, codes in scene.recording.store.span(0, step.picture)])
    if levels[-1] >= CODING.first_levels:
        return False
    return levels[-1] < FAINT.correction_levels or not _rests(levels >= CODING.first_share * levels[-1], times)


def _rests(stirs: Bools, times_ms: F64) -> bool:
    """Return whether nothing had stirred for a while by one of these pictures, the first of a recording."""
    return bool(np.diff(times_ms[np.flatnonzero(stirs)], prepend=times_ms[0]).max(initial=0) > CODING.first_rest_ms)
