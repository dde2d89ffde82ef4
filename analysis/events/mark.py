"""What a recorder or a simulator draws where the user acts: it comes with the action, and goes as it came."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.recurrence import difference, state
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class MarkLimits:
    """When a small change is a mark of the action."""

    sooner_ms: float = 16.5  # after the action no screen shows an answer: it is drawn for its next frame at best
    rounded_ms: float = 8.0  # before it: so far may an action lie beside the picture that it was chosen by
    share: float = 0.02  # of the screen: two dots as wide as thumbs
    beside_blocks: int = 1  # it may go a little beside its place
    astray: float = 0.25  # of the way back: it goes at once or fades, and shows no third picture
    answer: float = 0.01  # of the screen: so much changes with what lies under the mark, where a page answers
    lasts_ms: float = 600.0  # after the action: a finger that taps has left by then, and its mark has faded


MARK = MarkLimits()


def mark_of(
    changes: Changes, times_ms: F64, action_ms: float, limits: MarkLimits = MARK
) -> tuple[int, Bools] | None:
    """Return the picture in which a mark of the action comes, and its blocks (rows, columns); None if none does.

    `times_ms` (m,) says when each picture came. Whoever chose the action by eye chose that of the mark.
    """
    first, last = np.searchsorted(times_ms, (action_ms - limits.rounded_ms, action_ms + limits.sooner_ms))
    came = next((at for at in range(max(int(first), 1), int(last)) if changes.count[at]), None)
    if came is None or (mark := changes.blocks(came)).mean() > limits.share:
        return None
    return came, mark


def is_mark(
    recording: Recording,
    changes: Changes,
    blocks: Bools,
    picture: int,
    times_ms: F64,
    action_ms: float,
    limits: MarkLimits = MARK,
) -> bool:
    """Return whether what these blocks, (rows, columns), do in a picture is a mark of the action, or its going.

    `times_ms` (m,) says when each picture came.
    """
    found = mark_of(changes, times_ms, action_ms, limits)
    if found is None or picture < found[0]:
        return False
    came, mark = found
    if picture == came:
        return True
    if (blocks & ~grow(mark, limits.beside_blocks)).any() or not (blocks & mark).any():
        return False
    then, before, now = (state(recording, blocks, at) for at in (came - 1, picture - 1, picture))
    whole, left = difference(before, then), difference(now, then)
    if left < whole and left + difference(now, before) <= (1 + limits.astray) * whole:
        return True
    late = times_ms[picture] - action_ms > limits.lasts_ms
    return not late and _goes_after_the_page(changes, mark, came, picture, limits)


def _goes_after_the_page(changes: Changes, mark: Bools, came: int, picture: int, limits: MarkLimits) -> bool:
    """Return whether nothing changes but where the mark is, after a page had answered under it.

    Then what was there before it does not come back.
    """
    if (changes.blocks(picture) & ~grow(mark, limits.beside_blocks)).any():
        return False
    between = (changes.blocks(at) for at in range(came + 1, picture))
    return any(changed.mean() > limits.answer and (changed & mark).any() for changed in between)


def has_gone(recording: Recording, changes: Changes, came: int, last: int, limits: MarkLimits = MARK) -> bool:
    """Return whether a mark that `came` in one picture had gone without a trace in the last of its pictures."""
    then, shown, now = (state(recording, changes.blocks(came), at) for at in (came - 1, came, last))
    return difference(now, then) <= limits.astray * difference(shown, then)
