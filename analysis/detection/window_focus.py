"""The window of a simulator or a mirrored phone comes to the front as it is clicked: its frame and shadow change.

A desktop draws that, no app: all around the picture a thin band changes, and what it frames does not; or, where no
more than the window is filmed, its title alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.video.areas import box_around, connected, grow

CAME_TO_THE_FRONT = "a desktop's window comes to the front as it is clicked: its frame and its shadow do not count"


@dataclass(frozen=True, slots=True)
class FocusLimits:
    """When what changes is a window's frame."""

    until_ms: float = 1000.0  # after the action: a click gives it the focus, and its shadow may fade in
    most_share: float = 0.35  # of the picture: a title and a soft shadow around a small window
    high: float = 0.85  # of the picture's height: who films a window films little else
    wide: float = 0.6  # likewise of its width
    band: float = 0.15  # of the window, on each side, in which its frame and shadow lie
    least_blocks: int = 4  # so deep a band at least: a shadow of some pixels in a small picture
    thin: float = 0.12  # of the window, or half as deep as the band: what changes on a side, in the mean
    closed: float = 0.9  # of each side changes
    corner: float = 0.1  # of a side is left out at its ends: corners are round
    inside: float = 0.02  # of what is framed, at most, hangs together with it
    answer: float = 0.03  # of the screen that changes besides: the app has answered
    edge_blocks: int = 2  # from the outer edge: all that hangs together with what lies there is the frame
    title: float = 0.06  # of the picture's height: a title
    title_blocks: float = 1.5  # high in the mean, at least: a line that loads is thinner
    title_ms: float = 150.0  # after the action: a click gives the focus at once
    follows_ms: float = 1500.0  # after it: the app answers
    fades_ms: float = 150.0  # a title takes so long at most
    again: float = 0.1  # of it, at most, changes from then on
    gap_blocks: int = 2  # in it: where the shadow is too faint
    sides: int = 3  # at least are closed: on one its shadow may be too faint to be seen


FOCUS = FocusLimits()


def find_focus(
    changes: Changes, times_ms: F64, action_ms: float, limits: FocusLimits = FOCUS
) -> Mapping[int, Bools]:
    """Return what of each picture, blocks (rows, columns), is a window's frame as the window comes to the front.

    It does so before the app answers: what frames a dialog, as a page goes on dimming around it, is the app's.
    `times_ms` (m,) says when each picture came.
    """
    first, last = np.searchsorted(times_ms, (action_ms, action_ms + limits.until_ms))
    found: dict[int, Bools] = {}
    for picture in range(int(first), int(last)):
        blocks = changes.blocks(picture)
        frame = _frame(blocks, limits) if changes.count[picture] else None
        if frame is None and times_ms[picture] <= action_ms + limits.title_ms:
            frame = _title(changes, times_ms, picture, limits)
        if frame is not None:
            found[picture] = frame
        if (blocks if frame is None else blocks & ~frame).mean() > limits.answer:
            break
    return found


def _frame(blocks: Bools, limits: FocusLimits) -> Bools | None:
    """Return what of these blocks, (rows, columns), is the frame of a window, None if there is none."""
    rows, columns = blocks.shape
    least = limits.closed * (limits.high * rows + limits.wide * columns)
    if not least <= np.count_nonzero(blocks) <= limits.most_share * blocks.size:
        return None
    for part in connected(grow(blocks, limits.gap_blocks)):
        if _is_frame(part & blocks, limits):
            return _at_its_edge(part & blocks, limits)
    return None


def _title(changes: Changes, times_ms: F64, picture: int, limits: FocusLimits) -> Bools | None:
    """Return the title of a window, (rows, columns), if nothing else changes in a picture; None if there is none.

    It changes once, and something else follows: a bar that slides in at the top goes on, or is the answer.
    """
    blocks = changes.blocks(picture)
    rows, columns = blocks.shape
    high = max(limits.least_blocks, round(limits.title * rows))
    edge = np.ones_like(blocks)
    edge[high:-1, 1:-1] = False
    filled = blocks[:high].any(axis=0).mean() >= limits.closed and blocks[: limits.edge_blocks].any(axis=1).any()
    if not filled or (blocks & ~edge).any() or blocks[:high].sum() < limits.title_blocks * columns:
        return None
    last = int(np.searchsorted(times_ms, times_ms[picture] + limits.follows_ms))
    after = [later for later in range(picture + 1, last) if changes.count[later]]
    rested = [later for later in after if times_ms[later] - times_ms[picture] > limits.fades_ms]
    again = any(changes.blocks(later)[blocks].mean() > limits.again for later in rested)
    follows = any((changes.blocks(later) & ~edge).mean() > limits.answer for later in after)
    return blocks if follows and not again else None


def _at_its_edge(part: Bools, limits: FocusLimits) -> Bools:
    """Return what of a frame reaches its outer edge: what does not, but lies near by, may be a word that pales."""
    rows, columns = box_around(part)
    edge = np.ones_like(part)
    inset = limits.edge_blocks
    edge[rows.start + inset : rows.stop - inset, columns.start + inset : columns.stop - inset] = False
    own = np.zeros_like(part)
    for piece in connected(part):
        if (piece & edge).any():
            own |= piece
    return own


def _is_frame(part: Bools, limits: FocusLimits) -> bool:
    rows, columns = box_around(part)
    window = part[rows, columns]
    height, width = window.shape
    if height < limits.high * part.shape[0] or width < limits.wide * part.shape[1]:
        return False
    down, along = (max(limits.least_blocks, round(limits.band * side)) for side in (height, width))
    if height <= 2 * down or width <= 2 * along or window[down:-down, along:-along].mean() > limits.inside:
        return False
    closed = 0
    for side, deep in ((window, down), (window[::-1], down), (window.T, along), (window.T[::-1], along)):
        corner = round(limits.corner * side.shape[1])
        band = side[:deep, corner : side.shape[1] - corner]
        closed += bool(band.any(axis=0).mean() >= limits.closed)
        if band.sum(axis=0).mean() > max(limits.thin * side.shape[0], deep / 2):
            return False
    return closed >= limits.sides
