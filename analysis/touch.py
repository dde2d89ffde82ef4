"""The platform's own dot under the finger (show taps): it is no response of the app."""

from __future__ import annotations

import numpy as np

from analysis.areas import disc
from analysis.arrays import Bools
from analysis.grid import BlockGrid

# Android draws the dot with a radius of about 22 dp, on screens 360 to 430 dp wide, and blurs its edge.
DOT_SHARE = 0.075


def touch_dot(grid: BlockGrid, touch_xy: tuple[float, float]) -> Bools:
    """Return (rows, columns): the blocks that the dot at this place covers; `touch_xy` in pixels as shown."""
    x, y, _, _ = grid.to_coded((*touch_xy, *touch_xy))
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        return np.zeros(grid.shape, dtype=bool)
    radius = DOT_SHARE * min(grid.width, grid.height) / grid.size + 0.5
    return disc(grid.shape, (y / grid.size, x / grid.size), radius)
