"""Finding: a phone's screen within the picture: drawn in the frame of a device, or as a window before one colour.

Nothing ever changes around it, and what lies there is even along each side: a ground, a rim, a shadow. Where
another colour begins after as much on both sides, and above and below, the screen begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, Bools
from analysis.detection.changes import Changes
from analysis.video.grid import Rect
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class InsetLimits:
    """What the surroundings of a screen look like."""

    sides: float = 0.2  # of the picture's height above and below is not asked of its sides: corners are round
    corners: float = 0.08  # likewise of the screen's width, where a clock and icons stand
    even_levels: float = 4.0  # from block to block along a side
    range_levels: float = 12.0  # along all of it: light falls off
    step_levels: float = 8.0  # from line to line: a ground ends, or a rim
    least: tuple[int, int] = (3, 2)  # blocks above and below; left and right: a page has a margin there as well
    alike_blocks: int = 2  # the same on both sides
    tall: tuple[float, float] = (1.5, 2.4)  # a phone's height by its width


INSET = InsetLimits()


def find_screen(recording: Recording, changes: Changes, action_ms: float) -> Rect:
    """Return where the phone's screen is, in pixels of the picture as shown: all of it, if nothing lies around."""
    grid = recording.grid
    picture = max(int(np.searchsorted(recording.picture_ms, action_ms, side="right")) - 1, 0)
    (levels,) = recording.levels(picture, picture)
    still = ~changes.ever()
    if grid.rotation in (90, 270):
        levels, still = levels.transpose(0, 2, 1), still.T
    rows, columns = still.shape
    found = []
    for left, right in _insets(levels.transpose(0, 2, 1), still.T, _within(0, rows, INSET.sides), INSET.least[1]):
        within = _within(left, columns - right, INSET.corners)
        for above, below in _insets(levels, still, within, INSET.least[0]):
            high, wide = rows - above - below, columns - left - right
            if INSET.tall[0] <= high / max(wide, 1) <= INSET.tall[1]:
                found.append((above + left, (above, rows - below), (left, columns - right)))
    if not found:
        return grid.screen
    _, (top, bottom), (left, right) = max(found)
    if grid.rotation in (90, 270):
        top, bottom, left, right = left, right, top, bottom
    return grid.to_shown((left * grid.size, top * grid.size, right * grid.size, bottom * grid.size))


def _within(first: int, last: int, left_out: float) -> slice:
    """Return what lies between two lines but for a share on both sides."""
    aside = round(left_out * (last - first))
    return slice(first + aside, last - aside)


def _insets(levels: F32, still: Bools, part: slice, least: int) -> Iterator[tuple[int, int]]:
    """Yield how many rows may lie before the screen, and behind it as many; a part of each row is asked.

    `levels` is (planes, rows, columns), `still` (rows, columns) where nothing ever changes.
    """
    asked: F32 = levels[:, :, part]
    if not asked.size:
        return
    even: Bools = np.all(still, axis=1)
    last = list(_edges(asked[:, ::-1], even[::-1]))
    for before in _edges(asked, even):
        after = min(last, key=lambda rows: abs(rows - before), default=0)
        if min(before, after) >= least and abs(before - after) <= INSET.alike_blocks:
            yield before, after


def _edges(levels: F32, still: Bools) -> Iterator[int]:
    """Yield after how many rows from the first another colour begins, as long as rows are even and nothing changes.

    `still` (rows,) says in which nothing ever does. What begins in a part of a row is no edge.
    """
    for row in range(1, levels.shape[1]):
        before, line = levels[:, row - 1], levels[:, row]
        if np.median(np.abs(line - before), axis=1).max() > INSET.step_levels:
            yield row
        uneven = np.abs(np.diff(line, axis=1)).max(initial=0) > INSET.even_levels
        if uneven or not still[row] or np.ptp(line, axis=1).max() > INSET.range_levels:
            return
