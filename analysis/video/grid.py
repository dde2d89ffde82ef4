"""The grid of blocks that a picture is cut into, and its geometry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools
from analysis.video.masks import Mask

Rect = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """Square blocks of `size` pixels over a coded picture of `width` × `height`; edge blocks may be smaller.

    `rotation` is the clockwise turn (0, 90, 180, 270 degrees) that a player applies before it shows the picture.
    """

    width: int
    height: int
    size: int
    rotation: int = 0

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of blocks."""
        return -(-self.height // self.size), -(-self.width // self.size)

    @property
    def shown_size(self) -> tuple[int, int]:
        """(width, height) of the picture as shown."""
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def to_shown(self, rect: Rect) -> Rect:
        """Turn a rectangle of the coded picture into one of the picture as shown."""
        x0, y0, x1, y1 = rect
        if self.rotation == 90:
            return self.height - y1, x0, self.height - y0, x1
        if self.rotation == 180:
            return self.width - x1, self.height - y1, self.width - x0, self.height - y0
        if self.rotation == 270:
            return y0, self.width - x1, y1, self.width - x0
        return rect

    def to_coded(self, rect: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Turn a rectangle of the picture as shown into one of the coded picture."""
        x0, y0, x1, y1 = rect
        if self.rotation == 90:
            return y0, self.height - x1, y1, self.height - x0
        if self.rotation == 180:
            return self.width - x1, self.height - y1, self.width - x0, self.height - y0
        if self.rotation == 270:
            return self.width - y1, x0, self.width - y0, x1
        return rect

    def rect_of(self, blocks: Bools) -> Rect | None:
        """Return the rectangle (pixels as shown) around the True blocks of a (rows, columns) array."""
        rows, columns = np.nonzero(blocks.any(axis=1))[0], np.nonzero(blocks.any(axis=0))[0]
        if not len(rows):
            return None
        x0, y0 = int(columns[0]) * self.size, int(rows[0]) * self.size
        x1 = min((int(columns[-1]) + 1) * self.size, self.width)
        y1 = min((int(rows[-1]) + 1) * self.size, self.height)
        return self.to_shown((x0, y0, x1, y1))

    def masked(self, masks: Iterable[Mask]) -> Bools:
        """Return (rows, columns): True where a block touches a mask."""
        covered = np.zeros(self.shape, dtype=bool)
        for mask in masks:
            x0, y0, x1, y1 = self.to_coded(mask.pixels(*self.shown_size))
            covered[
                int(y0 // self.size) : -int(-y1 // self.size), int(x0 // self.size) : -int(-x1 // self.size)
            ] = True
        return covered


def block_size(width: int, height: int) -> int:
    """Return the block edge: 8 px on a 540 px wide phone picture, in proportion on a larger one.

    The same button covers the same number of blocks at every resolution.
    """
    return max(8, 8 * round(min(width, height) / 540))
