"""Where a small picture that moves over the screen is in every picture of a recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import cv2
import numpy as np

from analysis.arrays import F64, U8, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.footprints import Place, footprint, on_screen
from analysis.events.cursor.paths import POINTER, Path, Spot
from analysis.events.cursor.sprites import SPRITE, Sprite, cut, ground_around, stands_out, unlike
from analysis.kernels.loading import load
from analysis.video.areas import box_around, grow
from analysis.video.pixels import BLOCK_PX

Sight = tuple[float, Place]  # how unlike what is seen is, 0 to 1, and where
Step = tuple[int, Place, Place]  # the picture in which it had moved, from where, to where


@dataclass(frozen=True, slots=True)
class SightLimits:
    """When a sprite is seen, and where it is looked for."""

    unlike: float = 0.2  # of its pixels may differ: it lies half behind something, or an encoder blurs it
    goes_on: float = 0.3  # likewise, of one seen a picture before: what is none differed by 0.32 at least
    core: float = 0.5  # of what stands out most: such pixels show the same on any ground, a soft rim does not
    core_px: int = 24  # of them tell a sprite without its rim
    core_unlike: float = 0.2  # of them may differ, also of one seen a picture before
    exact: float = 0.05  # likewise, of one that is surely there: else it may lie partly beyond the screen's edge
    better: float = 0.5  # times as many differ where it went; a tick beside it makes it fit a pixel off as badly
    reach_blocks: int = 16  # from where it was last seen, in a picture that changes as a whole
    whole: float = 0.2  # of the screen, then
    candidates: int = 3  # the places that fit best are looked at


SIGHT = SightLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A sprite, and the row and column of its corner, in pixels, in each picture in which it was seen."""

    sprite: Sprite
    places: dict[int, Place]

    def steps(self) -> list[Step]:
        """Return the pictures, rising, in which it had moved, from where, and to where."""
        seen = sorted(self.places.items())
        return [(now, was, at) for (_, was), (now, at) in pairwise(seen) if at != was]


def follow(sprite: Sprite, changes: Changes, lumas: Mapping[int, U8]) -> Track:
    """Return where a sprite is: it stays where nothing changes, and is looked for where something does.

    It is followed both ways from where it is known to be: before that, something else may look like it.
    """
    pictures, places = sorted(lumas), dict[int, Place]()
    start, place = sprite.taken or (pictures[0], None)
    core = None
    if place is not None:
        places[start] = place
        core = _core(sprite, lumas[start], place)
    for picture in pictures[pictures.index(start) + (place is not None) :]:
        place = _seen(sprite, core, lumas[picture], changes.blocks(picture), place)
        if place is not None:
            places[picture] = place
    for later, picture in zip(pictures[::-1], pictures[-2::-1], strict=False):
        if picture not in places and (later in places or picture < start):
            found = _seen(sprite, core, lumas[picture], changes.blocks(later), places.get(later))
            if found is not None:
                places[picture] = found
    return Track(sprite, places)


def _core(sprite: Sprite, luma: U8, place: Place) -> Sprite | None:
    """Return a sprite without its soft rim, given where a picture shows it; None if too little is left to tell."""
    ground = ground_around(luma, sprite.mask, place)
    if ground is None:
        return None
    off = np.where(sprite.mask, np.abs(sprite.values - ground), 0)
    core = off >= SIGHT.core * off.max()
    return Sprite(sprite.values, core) if np.count_nonzero(core) >= SIGHT.core_px else None


def _seen(sprite: Sprite, core: Sprite | None, luma: U8, changed: Bools, last: Place | None) -> Place | None:
    """Return where a sprite is, given where it was, and the blocks that have changed since.

    Where it was seen just before and is not any more, its `core` is looked for: the ground behind it has changed.
    """
    place = _search(sprite, luma, changed, last, SIGHT.goes_on)
    if place is None and last is not None and core is not None:
        return _search(core, luma, changed, last, SIGHT.core_unlike)
    return place


def _search(sprite: Sprite, luma: U8, changed: Bools, last: Place | None, goes_on: float) -> Place | None:
    """Return where a sprite is, of which so many pixels may differ where it was seen a picture before."""
    here = None if last is None else footprint([(sprite, last)], luma.shape, 0)
    if last is not None and here is not None and not here.touches(changed):
        if unlike_at(sprite, luma, last) <= goes_on:
            return last
        last = here = None  # it left by steps that no block shows
    near = changed.copy()
    if here is not None:
        under = here.blocks(changed.shape)
        near |= under
        if near.mean() > SIGHT.whole:
            near &= grow(under, SIGHT.reach_blocks)
    elif near.mean() > SIGHT.whole:
        return None
    if not near.any():
        return None
    rows, columns = box_around(grow(near, 1))
    top, left = rows.start * BLOCK_PX, columns.start * BLOCK_PX
    part = luma[top : rows.stop * BLOCK_PX, left : columns.stop * BLOCK_PX].astype(np.float32)
    height, width = sprite.mask.shape
    if part.shape[0] < height or part.shape[1] < width:
        return None
    own, most = sprite.mask.astype(np.float32), SIGHT.unlike if last is None else goes_on
    off = cv2.matchTemplate(part, sprite.values, cv2.TM_SQDIFF, mask=own)
    found: Sight | None = None
    for _ in range(SIGHT.candidates):
        _, _, (x, y), _ = cv2.minMaxLoc(off)
        place = top + y, left + x
        off_by = unlike(sprite.values, cut(luma, place, sprite.mask.shape), sprite.mask)
        if off_by <= most and stands_out(luma, sprite.values, sprite.mask, place):
            found = off_by, place
            break
        off[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2] = np.inf
    if last is None:
        return found[1] if found else None
    if found is None or found[0] > SIGHT.exact:
        found = min((sight for sight in (found, _beyond_the_edge(sprite, luma, near, last)) if sight), default=None)
    if found is None:
        return None
    return last if _stays(sprite, luma, last, found[0]) else found[1]


def _beyond_the_edge(sprite: Sprite, luma: U8, near: Bools, last: Place) -> Sight | None:
    """Return where a sprite lies partly beyond an edge of the screen, None if it is not seen there.

    `near` (rows, columns) is where it may be. What of it is seen must be enough to tell.
    """
    reach = grow(near, 1)
    if not any(edge.any() for edge in (reach[0], reach[-1], reach[:, 0], reach[:, -1])):
        return None
    area = reach.view(np.uint8).repeat(BLOCK_PX, 0).repeat(BLOCK_PX, 1)[: luma.shape[0], : luma.shape[1]]
    places = np.array(list(_places_over_edges(sprite, area, last)), np.int64).reshape(-1, 2)
    if not len(places):
        return None
    off = np.empty(len(places))
    pixels = (np.ascontiguousarray(each) for each in (luma, sprite.values, sprite.mask))
    load().match(*pixels, places, float(SPRITE.levels), SPRITE.least_px, off)
    best = int(off.argmin())
    if off[best] > SIGHT.unlike:
        return None
    row, column = places[best].tolist()
    return float(off[best]), (row, column)


def _places_over_edges(sprite: Sprite, area: U8, last: Place) -> Iterator[Place]:
    """Yield the corners at which a sprite lies partly beyond one edge, not far from the last.

    What of it is on the screen is enough to tell, and lies where `area`, (height, width), is 1.
    """
    reach = SIGHT.reach_blocks * BLOCK_PX
    for axis in (0, 1):
        other = 1 - axis
        length, along = sprite.mask.shape[axis], sprite.mask.shape[other]
        first, stop = max(last[other] - reach, 0), min(last[other] + reach + along, area.shape[other])
        for hidden, before in product(range(1, length), (True, False)):
            at = -hidden if before else area.shape[axis] - length + hidden
            if abs(at - last[axis]) > reach or stop - first < along:
                continue
            place = (at, first) if axis == 0 else (first, at)
            _, mask, (top, left) = on_screen(sprite, place, area.shape)
            high, wide = (mask.shape[0], stop - first) if axis == 0 else (stop - first, mask.shape[1])
            strip = area[top : top + high, left : left + wide]
            if np.count_nonzero(mask) < SPRITE.least_px or not strip.any():
                continue
            left_out = cv2.matchTemplate((1 - strip).astype(np.float32), mask.astype(np.float32), cv2.TM_CCORR)
            for shift in np.flatnonzero(left_out.ravel() < 0.5).tolist():  # counts, by a Fourier transform
                yield (at, first + shift) if axis == 0 else (first + shift, at)


def unlike_at(sprite: Sprite, luma: U8, place: Place) -> float:
    """Return the share of a sprite's pixels, of those on the screen, that differ from what a place shows."""
    values, mask, corner = on_screen(sprite, place, luma.shape)
    return unlike(values, cut(luma, corner, mask.shape), mask)


def _stays(sprite: Sprite, luma: U8, last: Place, off_by: float) -> bool:
    """Return whether a sprite that something changes beside, or under, fits about as well where it was."""
    off = unlike_at(sprite, luma, last)
    return off <= SIGHT.unlike and off_by > SIGHT.better * off


def surely_in(track: Track, lumas: Mapping[int, U8]) -> list[int]:
    """Return the pictures in which a sprite is surely seen as it was, and in the picture before as well."""
    sure = {
        picture: unlike_at(track.sprite, lumas[picture], place) <= SIGHT.unlike
        for picture, place in track.places.items()
    }
    return [now for before, now in pairwise(sorted(lumas)) if sure.get(before) and sure.get(now)]


def paths_of(track: Track, times_ms: F64) -> list[Path]:
    """Return the movements of a sprite as paths, one after the other."""
    return [_path(track.sprite, steps) for steps in movements(track, times_ms)]


def movements(track: Track, times_ms: F64) -> list[list[Step]]:
    """Return the steps of a sprite, movement by movement: each as long as the hand does not rest."""
    found: list[list[Step]] = []
    pause_ms = _pause_ms(track, times_ms)
    for step in track.steps():
        if found and times_ms[step[0]] - times_ms[found[-1][-1][0]] <= pause_ms:
            found[-1].append(step)
        else:
            found.append([step])
    return found


def _pause_ms(track: Track, times_ms: F64) -> float:
    """Return how long a hand rests between two movements: longer than two pictures of a slow recorder."""
    gaps = np.diff(times_ms[sorted(track.places)])
    return max(POINTER.rest_ms, POINTER.missed * float(np.median(gaps)) if len(gaps) else 0.0)


def _path(sprite: Sprite, steps: Sequence[Step]) -> Path:
    half = np.array(sprite.mask.shape) / 2
    corners = [steps[0][1], *(at for _, _, at in steps)]
    centres = (np.array(corners) + half) / BLOCK_PX
    begin, end = (spot_of(sprite, corner) for corner in (corners[0], corners[-1]))
    return Path([picture for picture, _, _ in steps], centres, begin, end)


def spot_of(sprite: Sprite, corner: Place) -> Spot:
    """Return the blocks, first and last, that a sprite covers with its corner at a place, in pixels."""
    (top, left), (height, width) = corner, sprite.mask.shape
    return top // BLOCK_PX, left // BLOCK_PX, (top + height - 1) // BLOCK_PX, (left + width - 1) // BLOCK_PX
