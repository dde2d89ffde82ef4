"""The dot that a recorder or a simulator draws under a finger that moves: it comes with the action, and goes along.

Like a mark that stays (mark.py) it is no answer, and neither is where it goes: it is followed pixel by pixel, and
what it leaves shows again what was there, or what the app shows there by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.own_changes import own_changes
from analysis.events.cursor.paths import POINTER
from analysis.events.cursor.sightings import Track, follow
from analysis.events.cursor.sprites import SPRITE, Sprite, stands_out
from analysis.events.mark import Mark
from analysis.events.recurrence import state
from analysis.video.areas import box_around, grow
from analysis.video.pixels import BLOCK_PX
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class DragLimits:
    """When a mark of the action may move, so that its pixels are worth looking at."""

    sooner_ms: float = 250.0  # after it came, or went on: a finger that rests for longer does not swipe
    lasts_ms: float = 1500.0  # after it came: so long a finger drags
    times: float = 3.0  # as many blocks as the mark: where it was and where it is, and what an encoder leaves
    reach_blocks: int = 8  # from where it was: a fling at 60 Hz
    stray_blocks: int = 2  # further off: a codec's, which tell nothing
    pictures: int = 2  # in which it goes on: one may be a mark that fades
    faint_blocks: int = 18  # at most, of what is too faint for its pixels: where it was and where it is
    returned: float = 0.35  # of a block's change, or so many levels: what may be left where it has gone
    returned_levels: float = 2.0
    light: tuple[float, float] = (0.5, 2.0)  # times as much is drawn where it is as was where it was


DRAG = DragLimits()


def find_dragged(recording: Recording, changes: Changes, times_ms: F64, mark: Mark | None) -> Mapping[int, Bools]:
    """Return what changes, blocks (rows, columns) by picture, because the mark of the action moves.

    Nothing where it stays. `times_ms` (m,) says when each picture came.
    """
    if mark is None:
        return {}
    exact = _by_pixels(recording, changes, times_ms, mark)
    return exact or _by_blocks(recording, changes, times_ms, mark)


def _by_blocks(recording: Recording, changes: Changes, times_ms: F64, mark: Mark) -> Mapping[int, Bools]:
    """Return the same of a mark that is too faint to be told by its pixels, as long as nothing else changes.

    What it leaves shows again what was there before it came, and it draws as much where it goes to.
    """
    found: dict[int, Bools] = {}
    place, last = mark.blocks, mark.came
    for picture in changes.changed_pictures():
        if picture <= mark.came:
            continue
        if times_ms[picture] - times_ms[last] > DRAG.sooner_ms:
            break
        blocks = changes.blocks(picture)
        if np.count_nonzero(blocks) > DRAG.faint_blocks or (blocks & ~grow(place, DRAG.reach_blocks)).any():
            break
        then, before, now = (state(recording, blocks, at) for at in (mark.came - 1, picture - 1, picture))
        was, is_now = (np.abs(one - then).sum(axis=0) for one in (before, now))
        least = np.maximum(DRAG.returned * np.maximum(was, is_now), 64 * DRAG.returned_levels)
        left, come = (was > is_now) & (is_now <= least), (is_now > was) & (was <= least)
        drawn = is_now.sum() / max(was.sum(), 1)
        if not left.any() or not come.any() or not DRAG.light[0] <= drawn <= DRAG.light[1]:
            break
        found[picture], last = blocks, picture
        place = np.zeros_like(blocks)
        place[blocks] = is_now > least
    return found


def _by_pixels(recording: Recording, changes: Changes, times_ms: F64, mark: Mark) -> Mapping[int, Bools]:
    """Return the same of a mark that stands out, pixel by pixel, also where other things change."""
    if recording.pixels is None or not _goes_along(changes, times_ms, mark):
        return {}
    came = mark.came
    last = int(np.searchsorted(times_ms, times_ms[came] + DRAG.lasts_ms))
    wanted = [picture for picture in changes.changed_pictures() if came <= picture < last]
    lumas = recording.pixels(recording, sorted({came - 1, *wanted}), came)
    rows, columns = box_around(grow(mark.blocks, 1))
    box = np.s_[rows.start * BLOCK_PX : rows.stop * BLOCK_PX, columns.start * BLOCK_PX : columns.stop * BLOCK_PX]
    before, now = (lumas[picture][box].astype(np.float32) for picture in (came - 1, came))
    drawn = np.abs(now - before) > SPRITE.levels
    if np.count_nonzero(drawn) < SPRITE.least_px:
        return {}
    inner = box_around(drawn)
    corner = rows.start * BLOCK_PX + inner[0].start, columns.start * BLOCK_PX + inner[1].start
    sprite = Sprite(now[inner], drawn[inner], taken=(came, corner))
    if not stands_out(lumas[came], sprite.values, sprite.mask, corner):
        return {}
    track = follow(sprite, changes, {picture: luma for picture, luma in lumas.items() if picture >= came})
    if len(track.steps()) < DRAG.pictures:
        return {}
    own = own_changes([track], changes, lumas, times_ms)
    return {at: blocks | left_within(track, at, changes.blocks(at), blocks) for at, blocks in own.items()}


def left_within(track: Track, picture: int, changed: Bools, own: Bools) -> Bools:
    """Return what of a step's blocks (rows, columns) is not its own, if it is little and lies within what moves.

    So a cursor goes along in a ring. Where more is left, or something elsewhere, nothing is returned.
    """
    left = changed & ~own
    if not 0 < np.count_nonzero(left) <= POINTER.part_blocks:
        return np.zeros_like(left)
    seen = sorted(track.places)
    places = [track.places[at] for at in seen if at <= picture][-2:]
    within = np.zeros_like(left)
    for place in places:
        rows, columns = (
            slice(max(low, 0) // BLOCK_PX, max(low + size - 1, 0) // BLOCK_PX + 1)
            for low, size in zip(place, track.sprite.mask.shape, strict=True)
        )
        within[rows, columns] = True
    return np.zeros_like(left) if (left & ~within).any() else left


def _goes_along(changes: Changes, times_ms: F64, mark: Mark) -> bool:
    """Return whether soon after a mark came no more changes than it may by moving, and not in its place alone."""
    for picture in changes.changed_pictures():
        if picture <= mark.came:
            continue
        blocks = changes.blocks(picture)
        little = np.count_nonzero(blocks) <= DRAG.times * np.count_nonzero(mark.blocks)
        near = np.count_nonzero(blocks & ~grow(mark.blocks, DRAG.reach_blocks)) <= DRAG.stray_blocks
        if times_ms[picture] - times_ms[mark.came] > DRAG.sooner_ms or not little or not near:
            return False
        if (blocks & ~mark.blocks).any():  # where it only fades, as a tap's dot does, no pixels are worth decoding
            return True
    return False
