"""Judging where a motion comes to rest: what glides there goes on at last by parts of a pixel, or by a few levels.

Blocks do not show that. Text that moves by half a pixel, the rim of a card, or a thin arrow whose fade slows down
stir them less than what an encoder corrects after a motion. Pixels tell them apart: what has moved differs from
where it comes to rest by its displacement, and so does each of its steps (analysis/detection/displacement.py); what
fades goes on as it went (analysis/detection/course.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import U8, Bools
from analysis.detection.course import course
from analysis.detection.displacement import displacement
from analysis.events.judging import never_counting
from analysis.events.scene import Scene
from analysis.kernels.levels import LEVELS
from analysis.video.areas import grow


@dataclass(frozen=True, slots=True)
class GlideLimits:
    """When what follows the last visible step of a motion still belongs to it."""

    before_ms: float = 150.0  # up to that step: a motion takes more than one
    reach_blocks: int = 2  # around what it changed
    apart_ms: float = 60.0  # from step to step: after longer it is at rest; a slower recorder shows too few steps
    lasts_ms: float = 300.0  # after the last visible step
    rest_ms: float = 500.0  # after it, what is shown is what it came to: an encoder has corrected it by then
    stir_levels: float = 0.5  # by which a step stirs a block at least
    clear_levels: float = 1.5  # by which an early step stirs so many blocks: that is worth decoding once more
    clear_blocks: int = 2
    off_px: float = 0.4  # from where it comes to rest: less is not seen by everybody
    step_px: float = 0.05  # from picture to picture: an encoder leaves what rests where it is
    explained: float = 0.75  # of a step, and of what it is off; of noise, and what is drawn finer, about two thirds
    alike: float = 0.9  # is a fade's step to what is still missing, pixel by pixel: an encoder is astray in some
    went: float = 0.8  # is that to the step that was seen
    share: tuple[float, float] = (0.05, 0.9)  # of what is missing goes a step: a correction comes all at once
    window_px: int = 4  # that differ visibly in a window: fewer tell nothing
    all_px: float = 12.0  # that differ visibly in all such windows


GLIDE = GlideLimits()
IN_WINDOWS = 4  # each block lies in so many


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """Where a motion came to rest: the picture, the one in which its last step was visible, and what still moved.

    `blocks` (rows, columns) is None where nothing went on after that step.
    """

    picture: int
    visible: int
    blocks: Bools | None = None


def came_to_rest(scene: Scene, found: int, without: Collection[str] = ()) -> Ending:
    """Return where the motion ended whose last visible step is picture `found`; `without` as for the rules.

    In a noisy recording it is there: what pixels differ by is its noise's.
    """
    recording, times = scene.recording, scene.times_ms
    end = found + 1
    while end < len(times) and _follows(scene, found, end):
        end += 1
    if "glide" in without or recording.pixels is None or scene.changes.floor_levels or end == found + 1:
        return Ending(found, found)
    rest = int(np.searchsorted(times, times[found] + GLIDE.rest_ms, side="right")) - 1
    area = _in_motion(scene, found, rest, without)
    soon = (picture for picture in range(found + 1, end) if times[picture] - times[found] <= GLIDE.apart_ms)
    if not any(_stirs_clearly(scene, area, picture) for picture in soon):
        return Ending(found, found)
    lumas = recording.pixels(recording, sorted({*range(max(found - 1, 0), end), rest}), found)
    ending, last_ms = Ending(found, found), times[found]
    for picture in range(found, end - 1):
        if times[picture] - last_ms > GLIDE.apart_ms:
            break
        if any(at not in lumas for at in (picture, picture + 1, rest)):
            continue
        stirred = area & grow(_stirred(scene, area, picture + 1), 1)
        gliding = _gliding(lumas, stirred, picture, rest)
        if not gliding.any() and "fades_on" not in without:
            gliding = _fading(lumas, stirred, picture, rest, found)
        if gliding.any():
            ending, last_ms = Ending(picture + 1, found, gliding), times[picture]
    return ending


def _stirs_clearly(scene: Scene, area: Bools, picture: int) -> bool:
    """Return whether a picture stirs an area enough to look closely at it."""
    return int(np.count_nonzero(_stirred(scene, area, picture, GLIDE.clear_levels))) >= GLIDE.clear_blocks


def _follows(scene: Scene, found: int, picture: int) -> bool:
    """Return whether a picture comes so soon that a motion may go on in it."""
    times = scene.times_ms
    soon = times[picture] - times[picture - 1] <= GLIDE.apart_ms
    return bool(soon and times[picture] - times[found] <= GLIDE.lasts_ms)


def _in_motion(scene: Scene, found: int, rest: int, without: Collection[str]) -> Bools:
    """Return (rows, columns): where a motion ended with picture `found`; not what changes for another reason."""
    changes = scene.changes
    first = int(np.searchsorted(scene.times_ms, scene.times_ms[found] - GLIDE.before_ms))
    steps = [changes.blocks(picture) for picture in range(first, found + 1) if changes.count[picture]]
    if len(steps) < 2:
        return np.zeros(changes.shape, dtype=bool)
    area = grow(np.any(steps, axis=0), GLIDE.reach_blocks)
    area &= ~(never_counting(scene, "finish", without) | scene.background.near_caret)
    others = [changes.blocks(picture) for picture in range(found + 1, rest + 1) if changes.count[picture]]
    drawn = [blocks for picture, blocks in scene.crosshair.steps.items() if found <= picture <= rest]
    for other in (*others, *drawn, scene.pointer.path_between(first, rest)):
        area &= ~grow(other, 1)
    return area


def _stirred(scene: Scene, area: Bools, picture: int, levels: float = GLIDE.stir_levels) -> Bools:
    """Return (rows, columns): the blocks of an area that a picture stirs."""
    _, codes = scene.recording.store.at(picture)
    return area & (LEVELS[codes] >= levels).reshape(area.shape)


def _gliding(lumas: Mapping[int, U8], stirred: Bools, picture: int, rest: int) -> Bools:
    """Return (rows, columns): where a picture still lies off what it comes to `rest` at, and leaves for that."""
    nothing = np.zeros_like(stirred)
    if not stirred.any():
        return nothing
    step = displacement(lumas[picture], lumas[picture + 1], stirred, lumas[rest])
    moves = (step.px >= GLIDE.step_px) & (step.explained >= GLIDE.explained)
    if not moves.any():
        return nothing
    off = displacement(lumas[picture], lumas[rest], stirred)
    gliding = moves & (off.px >= GLIDE.off_px) & (off.explained >= GLIDE.explained)
    gliding &= off.differing >= GLIDE.window_px
    return gliding if off.differing[gliding].sum() / IN_WINDOWS >= GLIDE.all_px else nothing


def _fading(lumas: Mapping[int, U8], stirred: Bools, picture: int, rest: int, found: int) -> Bools:
    """Return (rows, columns): where a picture goes on to what it comes to `rest` at, as picture `found` did."""
    nothing = np.zeros_like(stirred)
    if not stirred.any() or any(at not in lumas for at in (found - 1, found)):
        return nothing
    seen = lumas[found - 1], lumas[found]
    told = course(seen, lumas[picture], lumas[picture + 1], lumas[rest], stirred, GLIDE.all_px)
    if told is None:
        return nothing
    least, most = GLIDE.share
    fading = (told.alike >= GLIDE.alike) & (told.went >= GLIDE.went) & (told.differing >= GLIDE.window_px)
    fading &= (told.share >= least) & (told.share <= most)
    return fading if told.differing[fading].sum() / IN_WINDOWS >= GLIDE.all_px else nothing
