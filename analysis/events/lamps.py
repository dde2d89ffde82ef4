"""Lamps in the system's bars: what goes and comes back there by itself, as a recorder's light does, however slowly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, I32, Bools
from analysis.detection.changes import Changes
from analysis.events.event import Event, is_at
from analysis.events.recurrence import RECURRENCE, states
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class LampLimits:
    """When what changes at a place goes to and fro between two pictures."""

    turn: tuple[float, float] = (0.3, 0.7)  # of the way from one to the other: beyond, it has turned to that one
    turns: int = 2  # before the action: it went, and came back
    events: int = 3  # at even intervals: fewer turns than those are enough, if one came before the action
    off_line: float = 0.35  # of that way: so far may a picture lie off it
    beside: float = 0.5  # of a later change: what may be left of it off that way, where a page has come behind it
    further: float = 1.25  # times that way, a later change
    least: float = 0.25  # of that way: nearer, it is what it was
    reach_blocks: int = 1  # a codec carries a change so far


LAMP = LampLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A place, (rows, columns), and the way between its two pictures, (planes, blocks) in 1/64 levels."""

    place: Bools
    way: F64

    def explains(self, change: I32, limits: LampLimits = LAMP) -> bool:
        """Return whether a change of its blocks, (planes, blocks), is some of its way, in whichever direction."""
        length = float(np.sqrt((self.way**2).sum()))
        far = float(np.sqrt((change.astype(float) ** 2).sum()))
        if far <= limits.least * length:
            return True
        share = float((change * self.way).sum()) / length**2
        off = float(np.sqrt(((change - share * self.way) ** 2).sum()))
        return abs(share) <= limits.further and off <= limits.beside * far


def find_lamps(
    recording: Recording, events: Sequence[Event], bars: Bools, little: float, action_ms: float
) -> tuple[Lamp, ...]:
    """Return the lamps: little things in the bars that went to and fro before the action.

    Two pictures and no third, from the one to the other and back; or only once, if it goes on at even intervals.
    What was used before the action, and is used again, has turned but once, and not evenly.
    """
    small = [event for event in events if event.share <= little and not (event.part & ~bars[event.box]).any()]
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


def goes_on(
    lamps: Sequence[Lamp], recording: Recording, changes: Changes, event: Event, blocks: Bools, picture: int
) -> bool:
    """Return whether these blocks, (rows, columns), only show a lamp that goes on.

    Looked at is what changed since something else did, or since the event began.
    """
    lamp = next((one for one in lamps if (one.place & blocks).any()), None)
    if lamp is None or (blocks & ~lamp.place).any():
        return False
    since = picture - 1
    while since >= event.first and not (changes.blocks(since) & ~lamp.place).any():
        since -= 1
    shown = states(recording, lamp.place, since, picture)
    return lamp.explains(shown[-1] - shown[0])


def _lamp(recording: Recording, there: Sequence[Event], action_ms: float, limits: LampLimits = LAMP) -> Lamp | None:
    """Return the lamp whose events these are, None if they are no lamp's."""
    earlier = [event for event in there if event.end_ms < action_ms]
    first, last = max(earlier[0].first - 1, 0), max(event.last for event in earlier)
    place = grow(np.any([event.place for event in earlier], axis=0), limits.reach_blocks)
    shown = states(recording, place, first, last).astype(float)
    out = shown[_farthest(shown, shown[0])]
    way = out - shown[_farthest(shown, out)]
    length = (way**2).sum()
    share = ((shown - (out - way)) * way).sum(axis=(1, 2)) / max(float(length), 1.0)
    off = ((shown - (out - way) - share[:, None, None] * way) ** 2).sum(axis=(1, 2))
    if (off > limits.off_line**2 * length).any():
        return None
    turned = share[(share <= limits.turn[0]) | (share >= limits.turn[1])] > limits.turn[1]
    turns = np.count_nonzero(np.diff(turned))
    gaps = np.diff([event.start_ms for event in there])
    even = len(there) >= limits.events and gaps.max() - gaps.min() <= RECURRENCE.even_blink * gaps.max()
    return Lamp(place, way) if turns >= limits.turns or even else None


def _farthest(shown: F64, one: F64) -> int:
    """Return the index of the state, of (pictures, planes, blocks), that lies farthest from one."""
    return int(((shown - one) ** 2).sum(axis=(1, 2)).argmax())
