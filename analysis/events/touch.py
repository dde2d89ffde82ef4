"""The platform's own dot under the finger (show taps): it is no response of the app."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.video.areas import disc, grow
from analysis.video.grid import BlockGrid

# Android draws the dot with a radius of about 22 dp, on screens 360 to 430 dp wide, and blurs its edge.
DOT_SHARE = 0.075
REACH = 4.0  # radii: a fast fling moves a sixth of the screen's width in a sixtieth of a second
DOT = "the platform's dot under the finger"  # why its place does not count, in the evidence
MOVING = ("swipe", "scroll")  # where the finger moves; what it draws cannot be told from the dot


def touch_dot(grid: BlockGrid, touch_xy: tuple[float, float]) -> Bools:
    """Return (rows, columns): the blocks that the dot at this place covers; `touch_xy` in pixels as shown."""
    x, y, _, _ = grid.to_coded((*touch_xy, *touch_xy))
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        return np.zeros(grid.shape, dtype=bool)
    return disc(grid.shape, (y / grid.size, x / grid.size), _radius(grid))


def dot_path(grid: BlockGrid, changes: Changes, pictures: Iterable[int], touch_xy: tuple[float, float]) -> Bools:
    """Return (rows, columns): where the dot was seen to move, from where the finger went down.

    Walks over the pictures after the action as long as all that changes is as small as the dot in two places, and
    lies no further from where it was than a finger moves from one picture to the next. The first picture that
    changes something else is the answer of the app.
    """
    radius = _radius(grid)
    path, last = np.zeros(grid.shape, dtype=bool), touch_dot(grid, touch_xy)
    for picture in pictures:
        changed = changes.blocks(picture)
        most = 2 * np.pi * (radius + 1) ** 2
        if changed.sum() > most or (changed & ~grow(last, round(REACH * radius))).any():
            break
        path |= changed
        last = changed
    return path


def _radius(grid: BlockGrid) -> float:
    return DOT_SHARE * min(grid.width, grid.height) / grid.size + 0.5
