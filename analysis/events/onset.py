"""Judging where a change began: it is found when it has gone some way, and may have begun a little earlier."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.judging import Judged, never_counting
from analysis.events.mark import MARK
from analysis.events.scene import Scene
from analysis.kernels.levels import LEVELS
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class OnsetLimits:
    """How far back from where a change was found it may have begun."""

    fade_blocks: int = 25  # the mean of so many blocks tells a shift far below what a single block can
    fade_levels: float = 0.25  # what that mean must have left its value by
    fade_share: float = 0.05  # of its whole shift: an encoder errs by less where it errs for many blocks alike
    against_levels: float = 0.1  # a fade does not go back by more
    rest_ms: float = 95.0  # without any block that stirs: then an encoder has nothing left to correct
    stir_levels: float = 2.0  # what moves at all
    stir_blocks: int = 2  # a single one may sway
    stir_reach_blocks: int = 2  # from the blocks of the response
    stir_pictures: int = 3  # as long as it may take from the first stir to what is visible in itself
    stir_ms: float = 50.0  # likewise: of what a slow recorder shows earlier, more would be seen


ONSET = OnsetLimits()


@dataclass(frozen=True, slots=True)
class Onset:
    """The picture in which the response began, and how that was found."""

    picture: int
    found_by: str


VISIBLE = "the first picture in which blocks change visibly"
FADE = "where the mean of the changed area left its value"
STIR = "the first picture after a rest that stirs there"
SEARCHES = ("fade", "first_stir")


def began(scene: Scene, judged: Sequence[Judged], found: int, without: Collection[str] = ()) -> Onset:
    """Return where the response began that was found in picture `found`."""
    recording, changes = scene.recording, scene.changes
    own = never_counting(scene, "response", without) | scene.background.near_caret
    blocks = ~own & _deciding(changes, judged, found)
    if not blocks.any():  # a letter beside a caret: it comes at once, and what came before it blinked
        return Onset(found, VISIBLE)
    left = [
        event.pictures_left_by(key, "response")
        for event in judged
        for key in ("brings_back", "caret", "cursor", "mark", "first")
    ]
    echoes = [picture for pictures in [*left, scene.crosshair.steps] for picture in pictures if picture < found]
    since_ms = max([scene.action_ms, *(scene.times_ms[echoes] + 1)])
    answers_ms = max(since_ms, scene.action_ms + MARK.rounded_ms)  # the action's own picture shows no answer
    if "fade" not in without:  # which has left what was there before that picture, and what it shows
        faded = max(fade_began(recording, blocks, found, ms) for ms in (since_ms, answers_ms))
        if faded < found:
            return Onset(faded, FADE)
    if "first_stir" not in without:
        fronts = [scene.times_ms[picture] + 1 for picture in scene.focus if picture < found]
        stirred = first_stir(recording, changes, blocks, found, max([answers_ms, *fronts]))
        if stirred < found:
            return Onset(stirred, STIR)
    return Onset(found, VISIBLE)


def _deciding(changes: Changes, judged: Sequence[Judged], found: int) -> Bools:
    """Return (rows, columns): what decides in picture `found`; a light in the bars may change in it as well."""
    blocks = np.zeros(changes.shape, dtype=bool)
    for event in judged:
        if event.counting("response") == found:
            blocks |= event.event.blocks(changes, found)
    return blocks


def fade_began(recording: Recording, blocks: Bools, found: int, action_ms: float) -> int:
    """Return the picture in which the change of these blocks, found in picture `found`, began.

    Walks back from there as long as the mean of the blocks lies off its value at the action, on the same side; but
    never past a key frame, which shifts blocks a little by itself.
    """
    if blocks.sum() < ONSET.fade_blocks:
        return found
    start = min(max(int(np.searchsorted(recording.picture_ms, action_ms)) - 1, 0), found)
    shift = _means(recording, blocks, start, found)
    shift = (shift - shift[0]) * np.sign(shift[-1] - shift[0])
    least = max(ONSET.fade_levels, ONSET.fade_share * shift[-1])
    picture = found
    while picture - 1 > start and shift[picture - 1 - start] >= least and not recording.key_frame[picture]:
        if shift[picture - start] < shift[picture - 1 - start] - ONSET.against_levels:
            break
        picture -= 1
    return picture


def first_stir(recording: Recording, changes: Changes, blocks: Bools, found: int, action_ms: float) -> int:
    """Return the first picture after a rest that stirs near these blocks, if it comes just before `found`.

    An encoder that has corrected nothing for a while has nothing left to correct: what it writes next is the
    screen's, however faint. Only the place is asked for, so that it belongs to the response. A recorder at a
    variable rate wrote nothing during the rest, and corrects in the first frame after it.
    """
    if recording.variable_rate:
        return found
    times, stirs = recording.picture_ms, changes.energy > 0
    stirred = np.append(np.flatnonzero(stirs[:found]), found)
    place = np.flatnonzero(np.diff(times[stirred], prepend=-np.inf) >= ONSET.rest_ms)[-1]
    start = int(stirred[place])
    too_long = len(stirred) - 1 - place > ONSET.stir_pictures or times[found] - times[start] > ONSET.stir_ms + 1
    if too_long or times[start] < action_ms or recording.key_frame[start:found].any():
        return found
    near = grow(blocks, ONSET.stir_reach_blocks).ravel()
    for picture, (_, strength) in enumerate(recording.store.span(start, found - 1), start):
        if np.count_nonzero(LEVELS[strength[near]] >= ONSET.stir_levels) >= ONSET.stir_blocks:
            return picture
    return found


def _means(recording: Recording, blocks: Bools, first: int, last: int) -> F64:
    """Return (last - first + 1,): luma mean of the blocks in pictures first … last, levels."""
    where = blocks.ravel()
    return np.array([float(means[0, where].mean()) / 64 for means, _ in recording.store.span(first, last)])
