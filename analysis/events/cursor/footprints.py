"""The pixels that small pictures lie on, and the blocks that these are in; only what is near them is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from analysis.arrays import F32, I64, U8, Bools
from analysis.events.cursor.sprites import SPRITE, Sprite
from analysis.video.areas import grow
from analysis.video.pixels import BLOCK_PX

Place = tuple[int, int]  # row and column of a corner, pixels; negative where it lies beyond the screen's edge
OTHER_PX = 6  # pixels of a block, off the sprite, that change clearly: something else changes there
OTHER_LEVELS = 3.0  # or so much in the mean of the block


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """Where sprites lie: `mask` (height, width) are pixels of a box of whole blocks, `box` its rows and columns."""

    box: tuple[slice, slice]
    mask: Bools

    @property
    def pixels(self) -> tuple[slice, slice]:
        """The box's rows and columns in pixels; the last may lie beyond the screen's edge."""
        rows, columns = (slice(side.start * BLOCK_PX, side.stop * BLOCK_PX) for side in self.box)
        return rows, columns

    def touches(self, blocks: Bools) -> bool:
        """Return whether any of these blocks, (rows, columns) of the screen, holds a pixel of it."""
        return bool((blocks[self.box] & self._inside()).any())

    def blocks(self, shape: tuple[int, int]) -> Bools:
        """Return the blocks, (rows, columns) of the screen, that hold any pixel of it."""
        found = np.zeros(shape, dtype=bool)
        found[self.box] = self._inside()
        return found

    def _inside(self) -> Bools:
        rows, columns = (side.stop - side.start for side in self.box)
        return sums(self.mask.view(np.uint8), (rows, columns)) > 0

    def others(self, before: U8, now: U8, shape: tuple[int, int]) -> Bools:
        """Return the blocks of its box, (rows, columns) of the screen, in which clearly something else changes."""
        found = np.zeros(shape, dtype=bool)
        change: U8 = cv2.absdiff(before[self.pixels], now[self.pixels]).astype(np.uint8, copy=False)
        change[self.mask[: change.shape[0], : change.shape[1]]] = 0
        inside = found[self.box]
        inside |= sums((change > SPRITE.levels).view(np.uint8), inside.shape) >= OTHER_PX
        inside |= sums(change, inside.shape) >= OTHER_LEVELS * BLOCK_PX**2
        return found


def footprint(sights: Sequence[tuple[Sprite, Place]], shape: tuple[int, ...], rim: int) -> Footprint:
    """Return where sprites lie on a screen of (height, width) pixels, and `rim` pixels around, less than a block.

    The box is one block wider on every side, so far as the screen goes. There is one sprite at least.
    """
    parts = [(mask, corner) for _, mask, corner in (on_screen(sprite, place, shape) for sprite, place in sights)]
    box, pixels = [], []
    for axis in (0, 1):
        first = min(corner[axis] for _, corner in parts) - rim
        last = max(corner[axis] + mask.shape[axis] for mask, corner in parts) + rim
        most = -(-shape[axis] // BLOCK_PX)
        box.append(slice(max(first // BLOCK_PX - 1, 0), min(-(-last // BLOCK_PX) + 1, most)))
        pixels.append((box[-1].stop - box[-1].start) * BLOCK_PX)
    whole = np.zeros(pixels, dtype=bool)
    y0, x0 = (side.start * BLOCK_PX for side in box)
    for mask, (top, left) in parts:
        whole[top - y0 : top - y0 + mask.shape[0], left - x0 : left - x0 + mask.shape[1]] |= mask
    if rim:
        whole = grow(whole, rim)
    whole[shape[0] - y0 :], whole[:, shape[1] - x0 :] = False, False
    return Footprint((box[0], box[1]), whole)


def on_screen(sprite: Sprite, place: Place, shape: tuple[int, ...]) -> tuple[F32, Bools, Place]:
    """Return what of a sprite lies on the screen: its values, its mask, and the corner of that."""
    (top, left), (height, width) = place, sprite.mask.shape
    rows = slice(max(-top, 0), min(height, shape[0] - top))
    columns = slice(max(-left, 0), min(width, shape[1] - left))
    return sprite.values[rows, columns], sprite.mask[rows, columns], (max(top, 0), max(left, 0))


def sums(pixels: U8, shape: tuple[int, ...]) -> I64:
    """Return (rows, columns): the sum of the pixels of each block, along columns first, as that is quick."""
    rows, columns = shape
    whole = np.zeros((rows * BLOCK_PX, columns * BLOCK_PX), np.uint8)
    height, width = min(whole.shape[0], pixels.shape[0]), min(whole.shape[1], pixels.shape[1])
    whole[:height, :width] = pixels[:height, :width]
    strips = whole.reshape(rows, BLOCK_PX, -1).sum(axis=1, dtype=np.uint16)
    found: I64 = strips.reshape(rows, columns, BLOCK_PX).sum(axis=2, dtype=np.int64)
    return found
