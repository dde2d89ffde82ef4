"""Lamps in the system's bars: what goes and comes back there by itself, as a recorder's light does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, I32, Bools
from analysis.events.event import Event, is_at
from analysis.events.recurrence import RECURRENCE, states
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class LampLimits:
    """When what changes at a place goes to and fro between two pictures."""

    most: float = 0.01  # of the screen: the time on a red ground, as systems show it while they record
    turn: tuple[float, float] = (0.3, 0.7)  # of the way from one to the other: beyond, it has turned to that one
    turns: int = 2  # before the action: it went, and came back
    events: int = 3  # at even intervals: fewer turns than those are enough, if one came before the action
    off_line: float = 0.35  # of that way: so far may a picture lie off it
    often: float = 0.9  # of the pictures lie on it: an encoder may take some time to get there
    further: float = 2.0  # times that way, a later change: another page may lie behind it
    start_ms: float = 250.0  # after the first picture, which the encoder still sharpens
    reach_blocks: int = 2  # a codec carries a change so far into what lies beside it


LAMP = LampLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A place, (rows, columns), and the way between its two pictures, (planes, blocks) in 1/64 levels."""

    place: Bools
    way: F64

    def explains(self, change: I32, limits: LampLimits = LAMP) -> bool:
        """Return whether a change of its blocks, (planes, blocks), is no more than its own."""
        return bool((change.astype(float) ** 2).sum() <= limits.further**2 * (self.way**2).sum())


def find_lamps(recording: Recording, events: Sequence[Event], bars: Bools, action_ms: float) -> tuple[Lamp, ...]:
    """Return the lamps: little things in the bars that went to and fro before the action.

    Two pictures and no third, from the one to the other and back; or only once, if it goes on at even intervals.
    What was used before the action, and is used again, has turned but once, and not evenly.
    """
    small = [event for event in events if event.share <= LAMP.most and not (event.part & ~bars[event.box]).any()]
    known = np.zeros(bars.shape, dtype=bool)
    lamps = []
    for event in (one for one in reversed(small) if one.end_ms < action_ms):
        if (event.place & known).any():
            continue
        there = [other for other in small if is_at(other, event) or is_at(event, other)]
        lamp = _lamp(recording, there, action_ms)
        if lamp is not None:
            known |= lamp.place
            lamps.append(lamp)
    return tuple(lamps)


def goes_on(lamps: Sequence[Lamp], recording: Recording, blocks: Bools, picture: int) -> bool:
    """Return whether what these blocks, (rows, columns), do in a picture is a lamp's, which goes on."""
    lamp = next((one for one in lamps if (one.place & blocks).any()), None)
    if lamp is None or (blocks & ~lamp.place).any():
        return False
    before, after = states(recording, lamp.place, picture - 1, picture)
    return lamp.explains(after - before)


def _lamp(recording: Recording, there: Sequence[Event], action_ms: float, limits: LampLimits = LAMP) -> Lamp | None:
    """Return the lamp whose events these are, None if they are no lamp's."""
    earlier = [event for event in there if event.end_ms < action_ms]
    times = recording.picture_ms
    first = max(earlier[0].first - 1, int(np.searchsorted(times, limits.start_ms)) - 1, 0)
    last = max(int(np.searchsorted(times, action_ms)) - 1, first)
    place = grow(np.any([event.place for event in earlier], axis=0), limits.reach_blocks)
    shown = states(recording, place, first, last).astype(float)
    out = shown[_farthest(shown, shown[0])]
    way = out - shown[_farthest(shown, out)]
    length = (way**2).sum()
    share = ((shown - (out - way)) * way).sum(axis=(1, 2)) / max(float(length), 1.0)
    off = ((shown - (out - way) - share[:, None, None] * way) ** 2).sum(axis=(1, 2))
    if not length or np.mean(off <= limits.off_line**2 * length) < limits.often:
        return None
    turned = share[(share <= limits.turn[0]) | (share >= limits.turn[1])] > limits.turn[1]
    turns = np.count_nonzero(np.diff(turned))
    return Lamp(place, way) if turns >= limits.turns or _evenly(recording, there, place, limits) else None


def _evenly(recording: Recording, there: Sequence[Event], place: Bools, limits: LampLimits) -> bool:
    """Return whether each event takes the place back, rather than further, and they come at even intervals."""
    gaps = np.diff([event.start_ms for event in there])
    if len(there) < limits.events or gaps.max() - gaps.min() > RECURRENCE.even_blink * gaps.max():
        return False
    ends = (states(recording, place, event.first - 1, event.last)[[0, -1]].astype(float) for event in there)
    steps = [after - before for before, after in ends]
    return all((one * other).sum() < 0 for one, other in pairwise(steps))


def _farthest(shown: F64, one: F64) -> int:
    """Return the index of the state, of (pictures, planes, blocks), that lies farthest from one."""
    return int(((shown - one) ** 2).sum(axis=(1, 2)).argmax())
