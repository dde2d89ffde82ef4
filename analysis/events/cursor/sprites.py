"""Small pictures that move over the screen pixel for pixel, as a mouse cursor's does, at whatever rate of filming.

At 8 to 25 pictures a second a cursor leaps: no path can be followed from block to block, but what was drawn where
it was is drawn again where it is. Two pictures of a recording that differ in two small places show it: the pixels
that left the one place are those that came to the other. That holds for every pixel that either place changed,
whatever lies behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice, permutations

import cv2
import numpy as np

from analysis.arrays import F32, F64, U8, Bools
from analysis.detection.changes import Changes
from analysis.kernels.loading import load
from analysis.video.areas import across, box_around, connected, grow
from analysis.video.pixels import BLOCK_PX


@dataclass(frozen=True, slots=True)
class SpriteLimits:
    """How small a cursor is, and how exactly it is drawn again."""

    widest_px: int = 48  # at a width of 540: arrows and hands are 8 × 13 to 16 × 24, large ones twice that
    narrowest_px: int = 4  # a caret is narrower, and the letters that it passes move it
    widest_blocks: int = 8  # in blocks: where it was and where it is, side by side
    few: int = 2  # of them, where it may lie over where it was: whatever else there is hides that
    parts: int = 6  # small things that differ between two pictures: more are a page that changes
    levels: int = 24  # a pixel that differs by more shows something else
    least_px: int = 14  # that differ: an encoder's spots are smaller
    unlike: float = 0.12  # of its pixels may differ where it is drawn again: an encoder, letters that came with it
    stands_out: float = 30.0  # levels, in the mean: from what is around it, or it cannot be told from the screen
    ring_px: int = 2  # around it
    shift_px: int = 10  # at most, where it lies over where it was; further than that it lies clear a picture later
    sizes_px: int = 6  # by how much two sights may differ in size: a white body is not seen on white
    apart_pictures: int = 3  # that follow each other: after a few small steps it lies clear of where it was
    apart_ms: float = 900.0  # likewise
    most_pairs: int = 120  # of pictures that are compared
    before_ms: float = 3000.0  # the action: from there on first
    enough: int = 16  # sights: more tell no more
    shared: float = 0.8  # of the smaller of two sights: one before white shows no white body
    sights: int = 2  # from one place to another, of the same sprite: one may be chance
    aside_px: int = 2  # each way: what an app moves goes along one axis, a hand never quite
    most: int = 3  # sprites of a recording: an arrow, a hand, and what looks like one


SPRITE = SpriteLimits()
Corner = tuple[int, int]  # row and column, pixels


@dataclass(slots=True)
class Sprite:
    """A small picture: `values` (height, width) luma levels, of which `mask` is its own.

    `seen` says from which corner to which it moved so far: what stays where it came to is seen once. `taken` is a
    picture that shows it, and at which corner, if one is known.
    """

    values: F32
    mask: Bools
    seen: set[tuple[Corner, Corner]] = field(default_factory=set)
    taken: tuple[int, Corner] | None = None

    @property
    def sights(self) -> int:
        """How often it was seen to move."""
        return len(self.seen)

    @property
    def leaps(self) -> bool:
        """Whether it was seen to go aside both ways, clear of where it was: that is no chance."""
        ways = (np.abs(np.subtract(now, was)) for was, now in self.seen)
        return any(way.min() >= SPRITE.aside_px and (way >= self.mask.shape).any() for way in ways)


@dataclass(frozen=True, slots=True)
class Part:
    """A small place where two pictures differ: its first row and column in pixels, and which of its pixels do."""

    top: int
    left: int
    mask: Bools


def find_sprites(changes: Changes, lumas: Mapping[int, U8], times_ms: F64, action_ms: float = 0.0) -> list[Sprite]:
    """Return the small pictures that moved, the one that was seen most often first.

    `lumas` holds pictures by their number. A long recording is looked at from shortly before the action on, then
    what was before that.
    """
    sprites: list[Sprite] = []
    pictures = sorted(lumas)
    first = int(np.searchsorted(times_ms[pictures], action_ms - SPRITE.before_ms))
    pairs = chain.from_iterable(_pairs(changes, part, times_ms) for part in (pictures[first:], pictures[:first]))
    for one, other, blocks in islice(pairs, SPRITE.most_pairs):
        parts = list(_parts(lumas[one], lumas[other], blocks))
        if not 1 <= len(parts) <= SPRITE.parts:
            continue
        fresh = [_moved(lumas[one], here, lumas[other], there) for here, there in permutations(parts, 2)]
        if other == one + 1 and len(parts) <= SPRITE.few and not any(fresh):
            fresh = [_shifted(lumas[one], lumas[other], part) for part in parts]
        for sprite in fresh:
            if sprite is not None:
                ((was, _),) = sprite.seen
                sprite.taken = one, was
                _keep(sprites, sprite)
        if any(sprite.sights >= SPRITE.enough for sprite in sprites):
            break
    known = [sprite for sprite in sprites if sprite.sights >= SPRITE.sights or sprite.leaps]
    return sorted(known, key=lambda sprite: -sprite.sights)[: SPRITE.most]


def _pairs(changes: Changes, pictures: Sequence[int], times_ms: F64) -> Iterator[tuple[int, int, Bools]]:
    """Yield pairs of pictures soon after each other, and the small areas in which they differ, (rows, columns)."""

    @lru_cache(maxsize=SPRITE.apart_pictures)
    def small(picture: int) -> Bools:
        return small_parts(changes.blocks(picture))

    for at, one in enumerate(pictures):
        differ = np.zeros(changes.shape, dtype=bool)
        for other in pictures[at + 1 : at + 1 + SPRITE.apart_pictures]:
            if times_ms[other] - times_ms[one] > SPRITE.apart_ms:
                break
            differ |= small(other)
            if differ.any():
                yield one, other, differ


def small_parts(changed: Bools) -> Bools:
    """Return the parts of what changed, (rows, columns), that are no larger than a cursor's step."""
    small = np.zeros_like(changed)
    for part in connected(changed):
        if across(part) <= SPRITE.widest_blocks:
            small |= part
    return small


def _parts(one: U8, other: U8, blocks: Bools) -> Iterator[Part]:
    """Yield the small places where two pictures differ, within and just beside some blocks."""
    rows, columns = box_around(grow(blocks, 1))
    box = (
        slice(rows.start * BLOCK_PX, min(rows.stop * BLOCK_PX, one.shape[0])),
        slice(columns.start * BLOCK_PX, min(columns.stop * BLOCK_PX, one.shape[1])),
    )
    near = grow(blocks, 1)[rows, columns].view(np.uint8).repeat(BLOCK_PX, 0).repeat(BLOCK_PX, 1)
    differ = (cv2.absdiff(one[box], other[box]) > SPRITE.levels).view(np.uint8)
    differ &= near[: differ.shape[0], : differ.shape[1]]
    count, labels, facts, _ = cv2.connectedComponentsWithStats(cv2.dilate(differ, np.ones((3, 3), np.uint8)))
    for label in range(1, count):
        left, top, width, height, _ = facts[label].tolist()
        if max(width, height) - 2 > SPRITE.widest_px:
            continue
        inside = np.s_[top : top + height, left : left + width]
        mask = (labels[inside] == label) & (differ[inside] > 0)
        if np.count_nonzero(mask) >= SPRITE.least_px:
            inner = box_around(mask)
            corner = box[0].start + top + inner[0].start, box[1].start + left + inner[1].start
            if min(mask[inner].shape) >= SPRITE.narrowest_px:
                yield Part(*corner, mask[inner])


def _moved(one: U8, here: Part, other: U8, there: Part) -> Sprite | None:
    """Return what was `here` in one picture and is `there` in the other, None if that is not the same thing.

    Looked at is every pixel that belongs to either of them.
    """
    (high, wide), (tall, broad) = here.mask.shape, there.mask.shape
    sizes = high - tall, wide - broad
    if max(map(abs, sizes)) > SPRITE.sizes_px:
        return None
    shifts = np.array(list(_shifts(sizes)), np.int64)
    corners = np.array((here.top, here.left, there.top, there.left), np.int64)
    off = np.empty(len(shifts))
    pixels = (np.ascontiguousarray(each) for each in (one, other, here.mask, there.mask))
    load().lay_over(*pixels, corners, shifts, float(SPRITE.levels), off)
    best = int(off.argmin())
    if off[best] > SPRITE.unlike:
        return None
    dy, dx = shifts[best].tolist()
    y0, x0 = min(0, dy), min(0, dx)
    mask = np.zeros((max(high, dy + tall) - y0, max(wide, dx + broad) - x0), dtype=bool)
    mask[-y0 : high - y0, -x0 : wide - x0] |= here.mask
    mask[dy - y0 : dy + tall - y0, dx - x0 : dx + broad - x0] |= there.mask
    was, now = (here.top + y0, here.left + x0), (there.top + y0 - dy, there.left + x0 - dx)
    values = cut(one, was, mask.shape)
    return Sprite(values, mask, {(was, now)}) if stands_out(one, values, mask, was) else None


def _shifted(one: U8, other: U8, part: Part) -> Sprite | None:
    """Return what moved within a part by less than its size, None if nothing did: it lies over where it was."""
    height, width = part.mask.shape
    corner, least = (part.top, part.left), SPRITE.narrowest_px
    was, now = cut(one, corner, part.mask.shape), cut(other, corner, part.mask.shape)
    down, across = (min(SPRITE.shift_px, length - least) for length in (height, width))
    best, mask = np.empty(3), np.ascontiguousarray(part.mask)
    load().slide(was, *_half_a_pixel_off(now), mask, down, across, float(SPRITE.levels), best)
    if best[0] > SPRITE.unlike / 2:
        return None
    dy, dx = best[1:].astype(int).tolist()
    old = np.s_[max(-dy, 0) : height - max(dy, 0), max(-dx, 0) : width - max(dx, 0)]
    new = np.s_[max(dy, 0) : height - max(-dy, 0), max(dx, 0) : width - max(-dx, 0)]
    if np.count_nonzero(part.mask[old] | part.mask[new]) < SPRITE.least_px:
        return None
    mask = _body(part.mask[old], part.mask[new])
    inner = box_around(mask)
    before, after = (
        (part.top + where[0].start + inner[0].start, part.left + where[1].start + inner[1].start)
        for where in (old, new)
    )
    values, mask = was[old][inner], mask[inner]
    return Sprite(values, mask, {(before, after)}) if stands_out(one, values, mask, before) else None


def _body(left: Bools, came: Bools) -> Bools:
    """Return (height, width): the pixels of what lies over where it was, given those that change in either picture.

    Its outline changes where it was and where it is; what lies beside that, in one of both alone: there the screen
    behind it is seen. Within the outline all is its own, also where it is of one colour.
    """
    outline = cv2.copyMakeBorder((left & came).view(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    closed = cv2.morphologyEx(outline, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    rims, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.drawContours(np.zeros_like(closed), rims, -1, 1, cv2.FILLED)[1:-1, 1:-1] > 0
    return whole if np.count_nonzero(whole) >= SPRITE.least_px else left | came


def unlike(one: F32, other: F32, mask: Bools) -> float:
    """Return the share of a sprite's pixels that differ between two pictures of it, 0 to 1.

    It may have moved by half a pixel besides, where a recorder made its pictures smaller: a pixel is like another
    if it lies between that one and half the way to what is beside it.
    """
    return _share_beyond(one, *_half_a_pixel_off(other), mask)


def _half_a_pixel_off(values: F32) -> tuple[F32, F32]:
    """Return (height, width) twice: the least and the most that each pixel shows when it moves by half a pixel."""
    beside = np.ones((3, 3), np.uint8)
    low, high = ((values + near(values, beside)) / 2 for near in (cv2.erode, cv2.dilate))
    return low.astype(np.float32, copy=False), high.astype(np.float32, copy=False)


def _share_beyond(values: F32, low: F32, high: F32, mask: Bools) -> float:
    """Return the share of the pixels of a mask that lie clearly below the one or above the other, 0 to 1."""
    off = ((low - values > SPRITE.levels) | (values - high > SPRITE.levels)) & mask
    looked_at = int(np.count_nonzero(mask))
    return int(np.count_nonzero(off)) / looked_at if looked_at else 1.0


def cut(luma: U8, corner: tuple[int, int], shape: tuple[int, ...]) -> F32:
    """Return (height, width) of a picture from a corner (row, column) on, levels."""
    part = luma[corner[0] : corner[0] + shape[0], corner[1] : corner[1] + shape[1]]
    return part.astype(np.float32)


def stands_out(luma: U8, values: F32, mask: Bools, corner: tuple[int, int]) -> bool:
    """Return whether a sprite that lies at a corner (row, column) can be told from what is around it."""
    ground = ground_around(luma, mask, corner)
    return ground is not None and bool(np.abs(values[mask] - ground).mean() >= SPRITE.stands_out)


def ground_around(luma: U8, mask: Bools, corner: tuple[int, int]) -> float | None:
    """Return the level of the screen just around a sprite at a corner (row, column), None if none is seen."""
    reach = SPRITE.ring_px
    (top, left), (height, width) = corner, mask.shape
    y0, x0 = max(top - reach, 0), max(left - reach, 0)
    around = luma[y0 : top + height + reach, x0 : left + width + reach]
    own = np.zeros(around.shape, dtype=bool)
    own[top - y0 : top - y0 + height, left - x0 : left - x0 + width] = mask
    ring = grow(own, reach) & ~own
    return middle(around[ring]) if ring.any() else None


def middle(values: U8 | F32) -> float:
    """Return the median of some values; NumPy's own takes four times as long for so few."""
    half = values.size // 2
    around = np.partition(values, (half - 1, half), axis=None)[half - 1 : half + 1]
    return float(around.mean(dtype=np.float64) if values.size % 2 == 0 else around[-1])


def _keep(sprites: list[Sprite], fresh: Sprite) -> None:
    """Add a sprite to those that are known, or another sight of one of them."""
    for known in sprites:
        if _same(known, fresh):
            known.seen |= fresh.seen
            return
    sprites.append(fresh)


def _same(known: Sprite, fresh: Sprite) -> bool:
    """Return whether two sprites are one, seen before two backgrounds; the known one is what shows more of it."""
    (high, wide), (tall, broad) = known.mask.shape, fresh.mask.shape
    if max(abs(high - tall), abs(wide - broad)) > SPRITE.sizes_px:
        return False
    least = SPRITE.shared * min(np.count_nonzero(known.mask), np.count_nonzero(fresh.mask))
    for top, left in _shifts((high - tall, wide - broad)):
        y0, x0, y1, x1 = max(top, 0), max(left, 0), min(high, top + tall), min(wide, left + broad)
        here, there = np.s_[y0:y1, x0:x1], np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
        both = known.mask[here] & fresh.mask[there]
        if np.count_nonzero(both) < least:
            continue
        if unlike(known.values[here], fresh.values[there], both) <= SPRITE.unlike:
            if np.count_nonzero(fresh.mask) > np.count_nonzero(known.mask):
                known.values, known.mask, known.taken = fresh.values, fresh.mask, fresh.taken
            return True
    return False


def _shifts(sizes: tuple[int, int]) -> set[tuple[int, int]]:
    """Return by how much the corners of two places of these sizes apart may differ: level at one end, or nearly."""
    ends = [(0, 0), (sizes[0], 0), (0, sizes[1]), sizes]
    return {(dy + ey, dx + ex) for dy, dx in ends for ey in (-1, 0, 1) for ex in (-1, 0, 1)}
