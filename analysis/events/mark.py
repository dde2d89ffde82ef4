"""What a recorder or a simulator draws where the user acts: it comes with the action, and goes as it came."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.faint import FAINT, strongest_of
from analysis.events.recurrence import difference, state
from analysis.video.areas import box_around, grow
from analysis.video.pixels import BLOCK_PX
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class MarkLimits:
    """When a small change is a mark of the action."""

    sooner_ms: float = 16.5  # after the action no screen shows an answer: it is drawn for its next frame at best
    slowest_ms: float = 40.0  # a slower recorder's first picture after the action may show an answer as well
    within: float = 0.98  # of a slot: so much later it is the next one
    rounded_ms: float = 8.0  # so far may an action lie beside the picture that it was chosen by: its very picture
    share: float = 0.02  # of the screen: two dots as wide as thumbs
    beside_blocks: int = 1  # it may go a little beside its place
    soft_blocks: int = 2  # likewise, where all is again as before: a rim that was too faint as it came
    astray: float = 0.25  # of the way back: it goes at once or fades, and shows no third picture
    answer: float = 0.01  # of the screen: so much changes with what lies under the mark, where a page answers
    lasts_ms: float = 600.0  # after the action: a finger that taps has left by then, and its mark has faded
    differs: int = 6  # levels: a pixel that does more shows something else
    corners: float = 0.9  # of the rectangle around it lies within its outline: of a round one's 0.79
    least_px: int = 12  # wide and high: smaller things have no outline to speak of


MARK = MarkLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """The picture in which a mark of the action comes, and its blocks (rows, columns).

    It is `sure` if no answer is so soon; a `ring` is drawn by no app (round_mark.py).
    """

    came: int
    blocks: Bools
    sure: bool
    ring: bool = False


def find_mark(
    recording: Recording, changes: Changes, times_ms: F64, action_ms: float, limits: MarkLimits = MARK
) -> Mark | None:
    """Return the mark of the action, None if nothing comes with it. `times_ms` (m,) says when each picture came.

    Whoever chose the action by eye chose that of the mark. One who knows it otherwise sees the mark in the first
    picture that a recorder at a constant rate takes after it. A slow one's may show an answer as well: there only
    what goes again before anything else changes is a mark, and has no corners as a button that lights up.
    """
    until_ms = action_ms + max(limits.sooner_ms, min(limits.within * recording.slot_ms, limits.slowest_ms))
    first, last = np.searchsorted(times_ms, (action_ms - limits.rounded_ms, until_ms))
    there = [at for at in range(max(int(first), 1), int(last)) if changes.count[at]]
    came = min(there, key=lambda at: abs(float(times_ms[at]) - action_ms), default=None)  # a clock may have ticked
    if came is None or (blocks := changes.blocks(came)).mean() > limits.share:
        return None
    mark = Mark(came, blocks, bool(times_ms[came] - action_ms < limits.sooner_ms))
    if mark.sure:
        return mark
    goes = _goes_first(recording, changes, mark, times_ms, limits)
    return mark if goes and not _has_corners(recording, mark, limits) else None


def _goes_first(recording: Recording, changes: Changes, mark: Mark, times_ms: F64, limits: MarkLimits) -> bool:
    """Return whether a mark goes without a trace, as soon as a finger that taps, before anything else changes."""
    last = int(np.searchsorted(times_ms, times_ms[mark.came] + limits.lasts_ms))
    for picture in range(mark.came + 1, last):
        blocks = changes.blocks(picture)
        if (blocks & ~grow(mark.blocks, limits.soft_blocks)).any():
            return False
        if blocks.any() and has_gone(recording, changes, mark.came, picture, limits):
            return True
    return False


def _has_corners(recording: Recording, mark: Mark, limits: MarkLimits) -> bool:
    """Return whether the largest thing that came with a mark's blocks fills the rectangle around it."""
    if recording.pixels is None:
        return False
    lumas = recording.pixels(recording, [mark.came - 1, mark.came], mark.came)
    rows, columns = box_around(grow(mark.blocks, 1))
    box = tuple(slice(side.start * BLOCK_PX, side.stop * BLOCK_PX) for side in (rows, columns))
    before, now = (lumas[picture][box].astype(np.int16) for picture in (mark.came - 1, mark.came))
    _, parts, sizes, _ = cv2.connectedComponentsWithStats((np.abs(now - before) > limits.differs).astype(np.uint8))
    if len(sizes) < 2:
        return False
    largest = 1 + int(sizes[1:, cv2.CC_STAT_AREA].argmax())
    wide, high = sizes[largest, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].tolist()
    if min(wide, high) < limits.least_px:
        return False
    outline = cv2.convexHull(np.argwhere(parts == largest).astype(np.int32))
    return bool(cv2.contourArea(outline) >= limits.corners * (wide - 1) * (high - 1))


def is_mark(
    recording: Recording,
    changes: Changes,
    mark: Mark,
    blocks: Bools,
    picture: int,
    after_ms: float,
    always: Bools,
    limits: MarkLimits = MARK,
) -> bool:
    """Return whether what these blocks, (rows, columns), do in a picture is a mark of the action, or its going.

    `after_ms` says how long after the action the picture came, `always` (rows, columns) what goes on by itself.
    """
    if picture <= mark.came:
        return picture == mark.came
    off = blocks & ~grow(mark.blocks, limits.beside_blocks)
    if not (blocks & mark.blocks).any() or (off & ~grow(mark.blocks, limits.soft_blocks)).any():
        return False
    then, before, now = (state(recording, blocks, at) for at in (mark.came - 1, picture - 1, picture))
    whole, left = difference(before, then), difference(now, then)
    if left < whole and left + difference(now, before) <= (1 + limits.astray) * whole:
        return True
    late = after_ms > limits.lasts_ms
    return not late and not off.any() and _goes_after_the_page(changes, mark, picture, always, limits)


def stirred_by_mark(
    recording: Recording, changes: Changes, mark: Mark, blocks: Bools, picture: int, limits: MarkLimits = MARK
) -> bool:
    """Return whether a mark goes in a picture, and what these blocks, (rows, columns), do besides is faint.

    An encoder of few bits takes what lies around from elsewhere, as it draws what was under the mark.
    """
    if picture <= mark.came:
        return False
    near = grow(mark.blocks, limits.soft_blocks)
    rest = blocks & ~near
    if rest.any() and strongest_of(recording, rest, picture) >= FAINT.correction_levels:
        return False
    here = changes.blocks(picture) & near
    if not (here & mark.blocks).any():
        return False
    then, before, now = (state(recording, here, at) for at in (mark.came - 1, picture - 1, picture))
    return difference(now, then) <= limits.astray * difference(before, then)


def _goes_after_the_page(changes: Changes, mark: Mark, picture: int, always: Bools, limits: MarkLimits) -> bool:
    """Return whether nothing changes but where the mark is, and by itself, after a page had answered under it.

    Then what was there before it does not come back.
    """
    if (changes.blocks(picture) & ~grow(mark.blocks, limits.beside_blocks) & ~always).any():
        return False
    between = (changes.blocks(at) for at in range(mark.came + 1, picture))
    return any(changed.mean() > limits.answer and (changed & mark.blocks).any() for changed in between)


def has_gone(recording: Recording, changes: Changes, came: int, last: int, limits: MarkLimits = MARK) -> bool:
    """Return whether a mark that `came` in one picture had gone without a trace in the last of its pictures."""
    then, shown, now = (state(recording, changes.blocks(came), at) for at in (came - 1, came, last))
    return difference(now, then) <= limits.astray * difference(shown, then)
