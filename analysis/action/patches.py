"""What appears and goes again, block by block: patches that may be a dot or a key, and marker flashes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from analysis.arrays import F32, U16, Bools
from analysis.detection.changes import Changes
from analysis.video.areas import grow
from analysis.video.grid import BlockGrid, Rect
from analysis.video.recording import Recording

LEVEL = 64.0  # block means are kept in so many parts of a grey level


@dataclass(frozen=True, slots=True)
class PatchLimits:
    """How large a dot or a key is, how long it stays, and what a flash is."""

    least_side: float = 0.025  # of the screen's shorter side: 14 px of 540, a dot that a script draws
    most_side: float = 0.28  # a key's popup with its neighbour blocks; Android's dot is 0.12, an iPhone's 0.15
    most_beside: int = 6  # patches in the same picture: more of them are a page that changes, not a finger
    most_patches: int = 400  # of a recording: a game has no end of them
    longest_ms: float = 5000.0  # a long press; what stays longer belongs to the page
    gone_share: float = 0.3  # of what it changed is left: an encoder takes its time with the rest
    flash_ms: float = 200.0  # six frames at 30 Hz; a page that opens white stays longer, or does not go back
    flash_levels: float = 48.0  # a fifth of the way from black to white, where a marker shows best
    flash_share: float = 0.9  # of the screen has one colour: a flash of the whole screen leaves the bars at most
    flash_more: float = 0.02  # of the screen changes that strongly: what a page that fades has left does not
    flat_levels: float = 6.0  # a marker has one colour
    back_levels: float = 12.0  # of what was there before the flash; encoders need a picture or two
    back_share: float = 0.7  # of the flash's blocks: the rest may be the app's answer
    corner_side: float = 0.04  # of the shorter side at least: smaller ones are icons
    around: int = 3  # blocks: an encoder stirs them where a marker comes and goes
    corner_filled: float = 0.85  # of its rectangle


PATCH = PatchLimits()


@dataclass(slots=True)
class Patch:
    """A small area that changed with one picture. `gone` is the first picture in which it is as before."""

    picture: int
    rows: slice
    columns: slice
    before: F32
    first: float
    gone: int | None = None
    beyond: int | None = None  # the first picture from then on in which something above it changed


@dataclass(frozen=True, slots=True)
class Flash:
    """A marker: a corner or the whole screen in one colour for some frames, then as before.

    `on` is None where the recording begins with it. `blocks` (rows, columns) is where, `gone` the first picture
    without it.
    """

    on: int | None
    gone: int
    blocks: Bools
    whole: bool


@dataclass(slots=True)
class _Lit:
    on: int | None
    blocks: Bools
    before: F32 | None
    whole: bool
    strong: Bools | None = None


@dataclass(slots=True)
class Found:
    """Everything that appeared and may be a sign of the action."""

    patches: list[Patch] = field(default_factory=list)
    flashes: list[Flash] = field(default_factory=list)


def find_patches(recording: Recording, changes: Changes) -> Found:
    """Go once over the pictures' blocks; holds two pictures and what is open at the time."""
    found, open_, lit = Found(), list[Patch](), list[_Lit]()
    times, shape = recording.picture_ms, changes.shape
    before: U16 | None = None
    for index, (means, _) in enumerate(recording.store):
        now = means[0].reshape(shape)
        colours = means.reshape(len(means), *shape)
        blocks = changes.blocks(index)
        if before is None:
            lit += _lit_at_start(colours)
        elif changes.count[index]:
            open_ = [patch for patch in open_ if not _ended(patch, now, blocks, index, times)]
            lit = [flash for flash in lit if not _over(flash, colours, index, times, found)]
            lit += _lit(colours, before, blocks, index, recording.grid)
            if len(found.patches) < PATCH.most_patches:
                fresh = list(_patches(now, before[0], blocks, index, recording.grid))
                open_ += fresh
                found.patches += fresh
        before = colours
    return found


def rect_of(grid: BlockGrid, patch: Patch) -> Rect:
    """Return the rectangle of a patch, in pixels of the picture as shown."""
    blocks = np.zeros(grid.shape, dtype=bool)
    blocks[patch.rows, patch.columns] = True
    rect = grid.rect_of(blocks)
    assert rect is not None
    return rect


def _patches(now: U16, before: U16, blocks: Bools, index: int, grid: BlockGrid) -> Iterator[Patch]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(blocks.view(np.uint8), connectivity=8)
    if count - 1 > PATCH.most_beside:
        return
    side = min(grid.width, grid.height) / grid.size
    for left, top, width, height, _ in stats[1:].tolist():
        if max(width, height) < PATCH.least_side * side or max(width, height) - 2 > PATCH.most_side * side:
            continue
        rows, columns = slice(top, top + height), slice(left, left + width)
        was = before[rows, columns].astype(np.float32) / LEVEL
        strength = float(np.abs(now[rows, columns] / LEVEL - was).mean())
        yield Patch(index, rows, columns, was, strength)


def _ended(patch: Patch, now: U16, blocks: Bools, index: int, times: np.ndarray) -> bool:
    """Note what became of a patch; True if no more can be learned of it."""
    left = float(np.abs(now[patch.rows, patch.columns] / LEVEL - patch.before).mean())
    if patch.beyond is None and blocks[: patch.rows.start].any():
        patch.beyond = index
    if patch.gone is None and left < PATCH.gone_share * patch.first:
        patch.gone = index
    return bool(times[index] - times[patch.picture] > PATCH.longest_ms)


def _lit_at_start(colours: U16) -> list[_Lit]:
    """Return a flash that the first picture shows: its beginning is not in the recording."""
    plain = _plain(colours)
    return [_Lit(None, plain, None, whole=True)] if plain.mean() >= PATCH.flash_share else []


def _lit(colours: U16, before: U16, blocks: Bools, index: int, grid: BlockGrid) -> list[_Lit]:
    """Return the flashes that begin with this picture."""
    was, plain = before.astype(np.float32) / LEVEL, _plain(colours)
    strong = blocks & (np.abs(colours[0] / np.float32(LEVEL) - was[0]) >= PATCH.flash_levels)
    if not strong.any():
        return []
    if plain.mean() >= PATCH.flash_share and strong.mean() >= PATCH.flash_more:
        return [_Lit(index, plain, was, whole=True, strong=strong)]
    for changed in (blocks, strong):  # at a low bitrate what lies around changes a little as well
        found = [part for part in _corners(changed, grid) if strong[part].any() and _flat(colours, part)]
        if found:
            return [_Lit(index, grow(part, PATCH.around), was, whole=False) for part in found]
    return []


def _corners(changed: Bools, grid: BlockGrid) -> Iterator[Bools]:
    """Yield the rectangles that changed in a corner of the screen."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed.view(np.uint8), connectivity=4)
    (rows, columns), least = grid.shape, PATCH.corner_side * min(grid.width, grid.height) / grid.size
    for number in range(1, min(count, 2 * PATCH.most_beside)):
        left, top, width, height, area = stats[number].tolist()
        corner = (left == 0) + (left + width >= columns) == 1 and (top == 0) + (top + height >= rows) == 1
        if corner and min(width, height) >= least and area >= PATCH.corner_filled * width * height:
            yield labels == number


def _plain(colours: U16) -> Bools:
    """Return (rows, columns): where the screen has the one colour that most of it has."""
    apart = np.abs(colours / np.float32(LEVEL) - np.median(colours, axis=(1, 2), keepdims=True) / LEVEL)
    plain: Bools = (apart <= PATCH.flat_levels).all(axis=0)
    return plain


def _flat(colours: U16, part: Bools) -> bool:
    """Return whether an area has one colour, but for its rim."""
    inner = cv2.erode(part.view(np.uint8), np.ones((3, 3), np.uint8), borderValue=1).view(bool)
    area = inner if inner.any() else part
    return all(float(plane[area].std()) / LEVEL <= PATCH.flat_levels for plane in colours)


def _over(flash: _Lit, colours: U16, index: int, times: np.ndarray, found: Found) -> bool:
    """Keep a flash that ends with this picture; True if it is over, whatever it was."""
    since = times[index] - (times[flash.on] if flash.on is not None else times[0])
    if since > PATCH.flash_ms:
        return True
    if flash.before is None:
        if _plain(colours).mean() >= PATCH.flash_share:
            return False
        found.flashes.append(Flash(None, index, flash.blocks, whole=True))
        return True
    off = np.abs(colours.astype(np.float32) / LEVEL - flash.before).max(axis=0) > PATCH.back_levels
    if off[flash.blocks if flash.strong is None else flash.strong].mean() > 1 - PATCH.back_share:
        return False
    assert flash.on is not None
    found.flashes.append(Flash(flash.on, index, flash.blocks, flash.whole))
    return True
