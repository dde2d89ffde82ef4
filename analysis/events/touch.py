"""What is the platform's and no response of the app: its dot under the finger (show taps), its bars."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.options import MeasureOptions
from analysis.video.areas import disc, grow
from analysis.video.grid import BlockGrid, Rect

MOVING = ("swipe", "scroll")  # where the finger moves; what it draws cannot be told from the dot


@dataclass(frozen=True, slots=True)
class DotLimits:
    """How large the dot is, and how fast a finger."""

    radius: float = (
        0.075  # of the screen's width: Android's is about 22 dp, on screens 360 to 430 dp wide, and blurred
    )
    rim_blocks: float = 0.5  # its edge may touch a block
    reach_radii: float = 4.0  # a fast fling moves a sixth of the screen's width in a sixtieth of a second
    most_dots: float = 2.0  # where it was and where it is


DOT = DotLimits()
TOP_SHARE, BOTTOM_SHARE = 0.06, 0.05  # of the screen's height: 24 dp of 640 or 59 pt of 932; a handle, an indicator
TARGET_BLOCKS = 8.0  # so near to the finger a change is an answer, wherever that is


def touch_dot(grid: BlockGrid, touch_xy: tuple[float, float]) -> Bools:
    """Return (rows, columns): the blocks that the dot at this place covers; `touch_xy` in pixels as shown."""
    x, y, _, _ = grid.to_coded((*touch_xy, *touch_xy))
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        return np.zeros(grid.shape, dtype=bool)
    return disc(grid.shape, (y / grid.size, x / grid.size), _radius(grid))


def touched(grid: BlockGrid, touch_xy: tuple[float, float] | None) -> Bools:
    """Return (rows, columns): what lies around where the finger went down; nothing if that is not known."""
    if touch_xy is None:
        return np.zeros(grid.shape, dtype=bool)
    x, y, _, _ = grid.to_coded((*touch_xy, *touch_xy))
    return disc(grid.shape, (y / grid.size, x / grid.size), TARGET_BLOCKS)


def system_bars(grid: BlockGrid, screen: Rect | None = None) -> Bools:
    """Return (rows, columns): where a system has its status bar and the handle of its navigation.

    `screen` is where the phone's screen is, in pixels of the picture as shown; all of it, if that is not said.
    """
    left, top, right, bottom = screen or grid.screen
    height = bottom - top
    bars = np.zeros(grid.shape, dtype=bool)
    for y0, y1 in ((top, top + TOP_SHARE * height), (bottom - BOTTOM_SHARE * height, bottom)):
        x0, y0, x1, y1 = (side / grid.size for side in grid.to_coded((left, y0, right, y1)))
        bars[math.ceil(y0) : math.ceil(y1), math.ceil(x0) : math.ceil(x1)] = True
    return bars


def dot_path(grid: BlockGrid, changes: Changes, pictures: Iterable[int], options: MeasureOptions) -> Bools:
    """Return (rows, columns): where the dot was seen to move with the finger, besides where it went down.

    None where the platform drew no dot, or the finger does not move. Walks over the pictures after the action as
    long as all that changes is as small as the dot in two places, and lies no further from where it was than a
    finger moves from one picture to the next. The first picture that changes something else is the app's answer.
    """
    path = np.zeros(grid.shape, dtype=bool)
    if not options.show_touches or options.touch_xy is None or options.interaction_type not in MOVING:
        return path
    radius, last = _radius(grid), touch_dot(grid, options.touch_xy)
    for picture in pictures:
        changed = changes.blocks(picture)
        most = DOT.most_dots * np.pi * (radius + 1) ** 2
        if changed.sum() > most or (changed & ~grow(last, round(DOT.reach_radii * radius))).any():
            break
        path |= changed
        last = changed
    return path


def _radius(grid: BlockGrid) -> float:
    return DOT.radius * min(grid.width, grid.height) / grid.size + DOT.rim_blocks
