"""Judging what never stops: areas that were changing before the action, or still are at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, I64, Bools
from analysis.detection.changes import Changes
from analysis.events.recurrence import blinks, comes_again, comes_often, history, keeps_time
from analysis.video.areas import count_near, grow

REACH = 5  # blocks: what changes this near to an area that never stops belongs to it
RIM, CARET_RIM = 2, 1  # blocks
LITTLE = 0.005  # of the screen: a larger thing that blinks is no caret, and one that ticks is no clock


@dataclass(frozen=True, slots=True, eq=False)
class Restless:
    """Areas, (rows, columns), that do not decide a moment.

    Attributes
    ----------
    before : changing on its own when the user acted.
    timed : changing at even intervals over the whole recording (a clock, a carousel, a caret).
    at_end : still changing at the end, with all that belongs to it.
    caret : the part of it that only blinks; a screen with a blinking caret has settled.

    """

    before: Bools
    timed: Bools
    at_end: Bools
    caret: Bools

    @property
    def own_accord(self) -> Bools:
        """What changes of its own accord when the user acts, with its rim."""
        return self._rim(self.before | self.timed)

    @property
    def unsettled(self) -> Bools:
        """What still changes at the end, with its rim."""
        return self._rim(self.at_end)

    def _rim(self, area: Bools) -> Bools:
        """Return an area with its rim. A caret's is narrow: letters come right beside it."""
        caret = grow(self.caret, CARET_RIM)
        return grow(area & ~caret, RIM) | (caret & grow(area, CARET_RIM))

    @property
    def settles(self) -> bool:
        """Whether nothing but a caret goes on at the end."""
        return not (self.at_end & ~grow(self.caret, REACH)).any()


def find_restless(
    changes: Changes, times_ms: F64, stirring: tuple[Bools, Bools], span: tuple[float, float]
) -> Restless:
    """Return the restless areas.

    `stirring` is where the screen was in motion at the action and at the end; `span` is when that was, in ms.
    """
    action_ms, end_ms = span
    pictures = np.flatnonzero(changes.count)
    after = pictures[times_ms[pictures] >= action_ms]
    before = widen(changes, after, stirring[0])
    whole = history(changes, times_ms, pictures)
    over_and_over = comes_again(whole, end_ms).reshape(changes.shape)
    blinking = blinks(whole, end_ms).reshape(changes.shape) & ~grow(stirring[1], REACH)
    caret = _little(_whole(blinking, over_and_over))
    timed = caret | _together(keeps_time(whole, action_ms, end_ms).reshape(changes.shape))
    again = before & _together(over_and_over)
    often = _often(changes, times_ms, after, end_ms)
    seeds = (timed | again | often | stirring[1]) & ~grow(caret, CARET_RIM)
    return Restless(before, timed, widen(changes, after[::-1], seeds) | caret, caret)


def _often(changes: Changes, times_ms: F64, pictures: I64, end_ms: float) -> Bools:
    """Return the little areas that tick on after the action, a clock for one."""
    alone = comes_often(history(changes, times_ms, pictures), end_ms).reshape(changes.shape)
    with_neighbours = history(changes, times_ms, pictures, reach=1)
    ticking = keeps_time(with_neighbours, -np.inf, end_ms).reshape(changes.shape)
    return _little(_together(alone)) | _little(_together(ticking))


def widen(changes: Changes, pictures: Iterable[int], seeds: Bools) -> Bools:
    """Return the whole of the areas that `seeds` belong to.

    Walks over the pictures, forward from the action or back from the end. As long as all changes lie at an area,
    they are part of it (the other dots of a spinner, the next slide of a carousel). The first picture that changes
    something elsewhere ends the walk: it is the response, or the finish, of the rest of the screen.
    """
    if not seeds.any():
        return seeds
    area, near = seeds.copy(), grow(seeds, REACH)
    for picture in pictures:
        changed = changes.blocks(picture)
        if (changed & ~near).any():
            break
        area |= changed
        near = grow(area, REACH)
    return area


def outside(changes: Changes, pictures: I64, area: Bools) -> I64:
    """Return those of the pictures that change something outside the area."""
    there = [bool((changes.blocks(picture) & ~area).any()) for picture in pictures]
    return pictures[np.array(there, dtype=bool)]


def _little(blocks: Bools) -> Bools:
    return blocks if blocks.mean() <= LITTLE else np.zeros_like(blocks)


def _whole(blocks: Bools, among: Bools) -> Bools:
    """Return the blocks with those of `among` that hang together with them: a codec leaves some a little off."""
    for _ in range(REACH):
        blocks = blocks | (grow(blocks, 1) & among)
    return blocks


def _together(blocks: Bools) -> Bools:
    """Leave out single blocks: among thousands some keep time by chance."""
    return blocks & (count_near(blocks, 2) >= 2)
