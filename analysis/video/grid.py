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
    """Square blocks of `size` pixels over a screen of `width` × `height`; edge blocks may be smaller.

    The screen is all of the coded picture; or, if `whole` (width, height) of that is said, what lies `left` and
    `top` px within it (margins.py). `rotation` is the clockwise turn (0, 90, 180, 270 degrees) that a player
    applies before it shows the picture.
    """

    width: int
    height: int
    size: int
    rotation: int = 0
    left: int = 0
    top: int = 0
    whole: tuple[int, int] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of blocks."""
        return -(-self.height // self.size), -(-self.width // self.size)

    @property
    def shown_size(self) -> tuple[int, int]:
        """(width, height) of the picture as shown, with what lies around the screen."""
        width, height = self._coded_size
        return (height, width) if self.rotation in (90, 270) else (width, height)

    @property
    def screen(self) -> Rect:
        """Where the screen is, in pixels of the picture as shown."""
        return self.to_shown((0, 0, self.width, self.height))

    @property
    def within(self) -> Rect | None:
        """Where the screen is in the coded picture, px; None if it is all of it."""
        return (self.left, self.top, self.left + self.width, self.top + self.height) if self.whole else None

    @property
    def _coded_size(self) -> tuple[int, int]:
        return self.whole or (self.width, self.height)

    def to_shown(self, rect: Rect) -> Rect:
        """Turn a rectangle of the coded screen into one of the picture as shown."""
        width, height = self._coded_size
        x0, y0, x1, y1 = rect[0] + self.left, rect[1] + self.top, rect[2] + self.left, rect[3] + self.top
        if self.rotation == 90:
            return height - y1, x0, height - y0, x1
        if self.rotation == 180:
            return width - x1, height - y1, width - x0, height - y0
        if self.rotation == 270:
            return y0, width - x1, y1, width - x0
        return x0, y0, x1, y1

    def to_coded(self, rect: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Turn a rectangle of the picture as shown into one of the coded screen; it may lie around that."""
        width, height = self._coded_size
        x0, y0, x1, y1 = rect
        if self.rotation == 90:
            x0, y0, x1, y1 = y0, height - x1, y1, height - x0
        elif self.rotation == 180:
            x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
        elif self.rotation == 270:
            x0, y0, x1, y1 = width - y1, x0, width - y0, x1
        return x0 - self.left, y0 - self.top, x1 - self.left, y1 - self.top

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
            first, last = (
                (max(int(y), 0), max(int(x), 0))
                for y, x in ((y0 // self.size, x0 // self.size), (-(-y1 // self.size), -(-x1 // self.size)))
            )
            covered[first[0] : last[0], first[1] : last[1]] = True
        return covered


def block_size(width: int, height: int) -> int:
    """Return the block edge: 8 px on a 540 px wide phone picture, in proportion on a larger one.

    The same button covers the same number of blocks at every resolution.
    """
    return max(8, 8 * round(min(width, height) / 540))
