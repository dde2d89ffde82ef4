"""Where a small picture that moves over the screen is in every picture of a recording, and what it accounts for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import cv2
import numpy as np

from analysis.arrays import F32, F64, I64, U8, Bools
from analysis.detection.changes import Changes
from analysis.events.paths import POINTER, Path
from analysis.events.sprites import SPRITE, Sprite, cut, stands_out, unlike
from analysis.video.areas import box_around, grow
from analysis.video.pixels import BLOCK_PX

Place = tuple[int, int]
Sight = tuple[float, Place]  # how unlike what is seen is, 0 to 1, and where
Step = tuple[int, Place, Place]  # the picture in which it had moved, from where, to where


@dataclass(frozen=True, slots=True)
class SightLimits:
    """When a sprite is seen, and which changes are its own."""

    unlike: float = 0.2  # of its pixels may differ: it lies half behind something, or an encoder blurs it
    goes_on: float = 0.3  # likewise, of one seen a picture before: what is none differed by 0.32 at least
    exact: float = 0.05  # likewise, of one that is surely there: else it may lie partly beyond the screen's edge
    better: float = 0.5  # times as many differ where it went; a tick beside it makes it fit a pixel off as badly
    reach_blocks: int = 16  # from where it was last seen, in a picture that changes as a whole
    whole: float = 0.2  # of the screen, then
    candidates: int = 3  # the places that fit best are looked at
    rim_px: int = 4  # an encoder carries a change this far, and a rim before its own colour is not seen
    trail_ms: float = 150.0  # so long an encoder may correct where it was
    other_px: int = 6  # pixels of a block, off the sprite, that change clearly: something else changes there
    other_levels: float = 3.0  # or so much in the mean of the block


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
    if place is not None:
        places[start] = place
    for picture in pictures[pictures.index(start) + (place is not None) :]:
        place = _seen(sprite, lumas[picture], changes.blocks(picture), place)
        if place is not None:
            places[picture] = place
    for later, picture in zip(pictures[::-1], pictures[-2::-1], strict=False):
        if picture not in places and (later in places or picture < start):
            found = _seen(sprite, lumas[picture], changes.blocks(later), places.get(later))
            if found is not None:
                places[picture] = found
    return Track(sprite, places)


def _seen(sprite: Sprite, luma: U8, changed: Bools, last: Place | None) -> Place | None:
    """Return where a sprite is, given where it was, and the blocks that have changed since."""
    if last is not None and not (changed & _blocks(_area(sprite, [last], luma.shape, 0), changed.shape)).any():
        if _unlike_at(sprite, luma, last) <= SIGHT.goes_on:
            return last
        last = None  # it left by steps that no block shows
    near = changed.copy()
    if last is not None:
        here = _blocks(_area(sprite, [last], luma.shape, 0), changed.shape)
        near |= here
        if near.mean() > SIGHT.whole:
            near &= grow(here, SIGHT.reach_blocks)
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
    own, most = sprite.mask.astype(np.float32), SIGHT.unlike if last is None else SIGHT.goes_on
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
    best: Sight | None = None
    reach = grow(near, 1)
    if not any(edge.any() for edge in (reach[0], reach[-1], reach[:, 0], reach[:, -1])):
        return None
    area = reach.view(np.uint8).repeat(BLOCK_PX, 0).repeat(BLOCK_PX, 1)[: luma.shape[0], : luma.shape[1]]
    for place in _places_over_edges(sprite, area, last):
        values, mask, corner = _on_screen(sprite, place, luma.shape)
        shown = cut(luma, corner, mask.shape)
        telling = mask & (np.abs(values - np.median(shown)) > SPRITE.levels)  # white before white tells nothing
        if np.count_nonzero(telling) < SPRITE.least_px:
            continue
        off_by = unlike(values, shown, telling)
        if off_by <= SIGHT.unlike and (best is None or off_by < best[0]):
            best = off_by, place
    return best


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
            _, mask, (top, left) = _on_screen(sprite, place, area.shape)
            high, wide = (mask.shape[0], stop - first) if axis == 0 else (stop - first, mask.shape[1])
            strip = area[top : top + high, left : left + wide]
            if np.count_nonzero(mask) < SPRITE.least_px or not strip.any():
                continue
            left_out = cv2.matchTemplate((1 - strip).astype(np.float32), mask.astype(np.float32), cv2.TM_CCORR)
            for shift in np.flatnonzero(left_out.ravel() < 0.5).tolist():  # counts, by a Fourier transform
                yield (at, first + shift) if axis == 0 else (first + shift, at)


def _on_screen(sprite: Sprite, place: Place, shape: tuple[int, ...]) -> tuple[F32, Bools, Place]:
    """Return what of a sprite lies on the screen: its values, its mask, and the corner of that."""
    (top, left), (height, width) = place, sprite.mask.shape
    rows = slice(max(-top, 0), min(height, shape[0] - top))
    columns = slice(max(-left, 0), min(width, shape[1] - left))
    return sprite.values[rows, columns], sprite.mask[rows, columns], (max(top, 0), max(left, 0))


def _unlike_at(sprite: Sprite, luma: U8, place: Place) -> float:
    """Return the share of a sprite's pixels, of those on the screen, that differ from what a place shows."""
    values, mask, corner = _on_screen(sprite, place, luma.shape)
    return unlike(values, cut(luma, corner, mask.shape), mask)


def _stays(sprite: Sprite, luma: U8, last: Place, off_by: float) -> bool:
    """Return whether a sprite that something changes beside, or under, fits about as well where it was."""
    off = _unlike_at(sprite, luma, last)
    return off <= SIGHT.unlike and off_by > SIGHT.better * off


def own_changes(
    tracks: Sequence[Track], changes: Changes, lumas: Mapping[int, U8], times_ms: F64
) -> dict[int, Bools]:
    """Return the blocks (rows, columns) by picture that change because sprites move, and because of nothing else.

    Left out are blocks in which pixels change on which no sprite lies or has just lain, but for a stray block or
    two beside one that moves.
    """
    pictures, own = sorted(lumas), dict[int, Bools]()
    shape = lumas[pictures[0]].shape if pictures else (0, 0)
    lately: list[tuple[float, Bools]] = []  # when sprites moved, and the pixels where
    for before, now in pairwise(pictures):
        area = np.zeros(shape, dtype=bool)
        for track in tracks:
            was, at = track.places.get(before), track.places.get(now)
            if at is None:
                at = _comes_in(track, pictures, now, times_ms, shape)
            if was != at:
                area |= _area(track.sprite, [place for place in (was, at) if place], shape, SIGHT.rim_px)
        lately = [(when, where) for when, where in lately if times_ms[now] - when <= SIGHT.trail_ms]
        if area.any():
            lately.append((float(times_ms[now]), area))
        if not lately:
            continue
        around = np.any([where for _, where in lately], axis=0)
        found = changes.blocks(now) & _blocks(around, changes.shape)
        found &= ~_other(lumas[before], lumas[now], around, changes.shape)
        found |= _strays(changes.blocks(now) & ~found, _blocks(area, changes.shape))
        if found.any():
            own[now] = found
    return own


def _comes_in(
    track: Track, pictures: Sequence[int], now: int, times_ms: F64, shape: tuple[int, ...]
) -> Place | None:
    """Return where a sprite is seen next, if it soon comes in over the edge there: at first too little is seen."""
    for picture in pictures[pictures.index(now) + 1 :]:
        if times_ms[picture] - times_ms[now] > SIGHT.trail_ms:
            return None
        place = track.places.get(picture)
        if place is not None:
            seen = _on_screen(track.sprite, place, shape)[1]
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
        area = _area(track.sprite, [was, at], luma.shape, SIGHT.rim_px)
        near = changes.blocks(now) & grow(_blocks(area, changes.shape), 1)
        clean.append(not (near & _other(lumas[before[now]], luma, area, changes.shape)).any())
    return float(np.mean(clean)) if clean else 0.0


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
    return max(POINTER.rest_ms, 2.2 * float(np.median(gaps)) if len(gaps) else 0.0)


def _path(sprite: Sprite, steps: Sequence[Step]) -> Path:
    half = np.array(sprite.mask.shape) / 2
    corners = [steps[0][1], *(at for _, _, at in steps)]
    centres = (np.array(corners) + half) / BLOCK_PX
    begin, end = (_spot(sprite, corner) for corner in (corners[0], corners[-1]))
    return Path([picture for picture, _, _ in steps], centres, begin, end)


def _spot(sprite: Sprite, corner: Place) -> tuple[int, int, int, int]:
    (top, left), (height, width) = corner, sprite.mask.shape
    return top // BLOCK_PX, left // BLOCK_PX, (top + height - 1) // BLOCK_PX, (left + width - 1) // BLOCK_PX


def _area(sprite: Sprite, places: Sequence[Place], shape: tuple[int, ...], rim: int) -> Bools:
    """Return (height, width): the pixels of a sprite at some places, and so many around."""
    area = np.zeros(shape[:2], dtype=bool)
    for place in places:
        _, mask, (top, left) = _on_screen(sprite, place, shape)
        area[top : top + mask.shape[0], left : left + mask.shape[1]] |= mask
    return grow(area, rim) if rim else area


def _blocks(pixels: Bools, shape: tuple[int, int]) -> Bools:
    """Return (rows, columns): the blocks that any of these pixels lies in."""
    return _sums(pixels.view(np.uint8), shape) > 0


def _other(before: U8, now: U8, around: Bools, shape: tuple[int, int]) -> Bools:
    """Return (rows, columns): blocks near these pixels in which clearly something changes outside of them."""
    found = np.zeros(shape, dtype=bool)
    if not around.any():
        return found
    box = _blocks_near(around, shape)
    pixels = tuple(slice(side.start * BLOCK_PX, side.stop * BLOCK_PX) for side in box)
    change = np.where(around[pixels], np.uint8(0), cv2.absdiff(before[pixels], now[pixels]))
    clearly = _sums((change > SPRITE.levels).view(np.uint8), found[box].shape)
    found[box] = clearly >= SIGHT.other_px
    found[box] |= _sums(change, found[box].shape) >= SIGHT.other_levels * BLOCK_PX**2
    return found


def _blocks_near(pixels: Bools, shape: tuple[int, int]) -> tuple[slice, slice]:
    """Return the rows and columns of the blocks in which these pixels lie, and one more on each side."""
    rows, columns = (
        slice(max(side.start // BLOCK_PX - 1, 0), min(-(-side.stop // BLOCK_PX) + 1, most))
        for side, most in zip(box_around(pixels), shape, strict=True)
    )
    return rows, columns


def _sums(pixels: U8, shape: tuple[int, int]) -> I64:
    """Return (rows, columns): the sum of the pixels of each block, along columns first, as that is quick."""
    rows, columns = shape
    whole = np.zeros((rows * BLOCK_PX, columns * BLOCK_PX), np.uint8)
    height, width = min(whole.shape[0], pixels.shape[0]), min(whole.shape[1], pixels.shape[1])
    whole[:height, :width] = pixels[:height, :width]
    strips = whole.reshape(rows, BLOCK_PX, -1).sum(axis=1, dtype=np.uint16)
    found: I64 = strips.reshape(rows, columns, BLOCK_PX).sum(axis=2, dtype=np.int64)
    return found
