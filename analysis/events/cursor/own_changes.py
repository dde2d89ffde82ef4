"""What a cursor changes by moving, and nothing else does: by its pixels, where it is followed, or by blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, U8, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.footprints import Place, footprint, on_screen
from analysis.events.cursor.paths import POINTER, box_of
from analysis.events.cursor.sightings import Step, Track
from analysis.events.cursor.sprites import Sprite
from analysis.video.areas import across, connected, grow

RIM_PX = 4  # an encoder carries a change this far, and a rim before its own colour is not seen
TRAIL_MS = 150.0  # so long an encoder may correct where it was


def own_changes(
    tracks: Sequence[Track], changes: Changes, lumas: Mapping[int, U8], times_ms: F64
) -> dict[int, Bools]:
    """Return the blocks (rows, columns) by picture that change because sprites move, and because of nothing else.

    Left out are blocks in which pixels change on which no sprite lies or has just lain, but for a stray block or
    two beside one that moves.
    """
    pictures, own = sorted(lumas), dict[int, Bools]()
    shape = lumas[pictures[0]].shape if pictures else (0, 0)
    lately: list[tuple[float, list[tuple[Sprite, Place]]]] = []  # when sprites moved, and which where
    for at, (before, now) in enumerate(pairwise(pictures)):
        moved: list[tuple[Sprite, Place]] = []
        for track in tracks:
            was, here = track.places.get(before), track.places.get(now)
            if here is None:
                here = _comes_in(track, pictures, at + 1, times_ms, shape)
            if was != here:
                moved += [(track.sprite, place) for place in (was, here) if place]
        lately = [(when, sights) for when, sights in lately if times_ms[now] - when <= TRAIL_MS]
        if moved:
            lately.append((float(times_ms[now]), moved))
        if not lately:
            continue
        around = footprint([sight for _, sights in lately for sight in sights], shape, RIM_PX)
        blocks = changes.blocks(now)
        if not blocks[around.box].any():
            continue
        found = blocks & around.blocks(changes.shape)
        found &= ~around.others(lumas[before], lumas[now], changes.shape)
        if moved:
            found |= _strays(blocks & ~found, footprint(moved, shape, RIM_PX).blocks(changes.shape))
        if found.any():
            own[now] = found
    return own


def _comes_in(
    track: Track, pictures: Sequence[int], at: int, times_ms: F64, shape: tuple[int, ...]
) -> Place | None:
    """Return where a sprite is seen next, if it soon comes in over the edge there: at first too little is seen.

    `at` is the place of the picture in which it is not seen.
    """
    for later in range(at + 1, len(pictures)):
        if times_ms[pictures[later]] - times_ms[pictures[at]] > TRAIL_MS:
            return None
        place = track.places.get(pictures[later])
        if place is not None:
            seen = on_screen(track.sprite, place, shape)[1]
            return place if seen.shape != track.sprite.mask.shape else None
    return None


def _strays(left: Bools, moved: Bools) -> Bools:
    """Return what is left of a step just beside what moved, if that is so little that an encoder did it."""
    beside = left & grow(moved, 1)
    few = np.count_nonzero(beside) < POINTER.stray_blocks
    return beside if few and not (left & grow(beside, 1) & ~beside).any() else np.zeros_like(beside)


def clean_share(track: Track, steps: Sequence[Step], changes: Changes, lumas: Mapping[int, U8]) -> float:
    """Return the share of some steps of a sprite that account for all that changes where it was and where it is."""
    pictures = sorted(lumas)
    before = dict(zip(pictures[1:], pictures, strict=False))
    clean = []
    for now, was, at in steps:
        luma = lumas[now]
        near = footprint([(track.sprite, was), (track.sprite, at)], luma.shape, RIM_PX)
        others = near.others(lumas[before[now]], luma, changes.shape)
        clean.append(not (changes.blocks(now) & grow(near.blocks(changes.shape), 1) & others).any())
    return float(np.mean(clean)) if clean else 0.0


def whole_circle(own: Bools, changed: Bools) -> Bools:
    """Return a circle with what of it lies where something goes on by itself, but for what reaches beyond one."""
    parts = [part for part in connected(changed) if (part & own).any() and fits_circle(part)]
    whole: Bools = np.any([own, *parts], axis=0)
    return whole


def with_steady(own: Bools, steady: Bools) -> Bools:
    """Return a step with what of it lies where something blinks or keeps time: by itself, that changes seldom."""
    if not (steady & ~own).any():
        return own
    most = POINTER.across(POINTER.with_halo_blocks)
    parts = [part for part in connected(own | steady) if (part & own).any() and across(part) <= most]
    whole: Bools = np.any([own, *parts], axis=0)
    return whole


def fits_circle(blocks: Bools) -> bool:
    """Return whether blocks lie within the width of a circle around a tip."""
    top, left, bottom, right = box_of(*np.nonzero(blocks))
    return max(bottom - top, right - left) < POINTER.ring_wide
