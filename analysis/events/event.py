"""Events: the visible changes of a recording, each with a place and a span.

Blocks that change near each other, and soon after each other, belong to one event. What happens again at the same
place after a rest is another event: `Place` tells which events share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from analysis.arrays import F64, I32, I64, Bools
from analysis.detection.changes import Changes
from analysis.video.areas import box_around, connected, grow


@dataclass(frozen=True, slots=True)
class EventLimits:
    """When two changes belong to one event, and when two events share a place."""

    apart_ms: float = 100.0  # a janky motion shows something new at least this often; a caret rests longer
    reach_blocks: int = 2  # beyond the edge of each: a line of text, digits of a clock hang together
    shared: float = 0.5  # of the later event's blocks: a codec leaves some blocks of a caret below the limit
    rim_blocks: int = 1  # what comes again may do so a little beside its place


EVENT = EventLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A change connected in space and time.

    A long game has tens of thousands of them: each keeps no more of the screen than the box around it.

    Attributes
    ----------
    pictures : (n,) indices of the pictures in which it changes something, rising.
    start_ms, end_ms : when the first and the last of them came, ms of the recording.
    shape : (rows, columns) of the screen.
    corner : the first row and the first column that it changes.
    part : the blocks that it changes, cut to the box around them, beginning at `corner`.

    """

    pictures: I64
    start_ms: float
    end_ms: float
    shape: tuple[int, int]
    corner: tuple[int, int]
    part: Bools

    @property
    def first(self) -> int:
        """The picture in which it begins."""
        return int(self.pictures[0])

    @property
    def last(self) -> int:
        """The picture of its last change."""
        return int(self.pictures[-1])

    @property
    def key(self) -> tuple[bytes, tuple[int, int], tuple[int, ...], bytes]:
        """What it changes and when: alike for two events that change the same in the same pictures."""
        return self.pictures.tobytes(), self.corner, self.part.shape, self.part.tobytes()

    @property
    def share(self) -> float:
        """The part of the screen that it changes, 0 to 1."""
        return float(np.count_nonzero(self.part)) / (self.shape[0] * self.shape[1])

    @property
    def box(self) -> tuple[slice, slice]:
        """Where `part` lies on the screen."""
        (y, x), (height, width) = self.corner, self.part.shape
        return slice(y, y + height), slice(x, x + width)

    @property
    def place(self) -> Bools:
        """(rows, columns): the blocks that it changes."""
        whole = np.zeros(self.shape, dtype=bool)
        whole[self.box] = self.part
        return whole

    def blocks(self, changes: Changes, picture: int) -> Bools:
        """Return (rows, columns): what it changes in this picture."""
        found = np.zeros(self.shape, dtype=bool)
        found[self.box] = changes.blocks(picture)[self.box] & self.part
        return found


@dataclass(slots=True)
class _Growing:
    """An event that may go on; `last_ms` is when it changed something last."""

    place: Bools
    pictures: list[int] = field(default_factory=list)
    last_ms: float = -np.inf

    def take(self, other: _Growing) -> None:
        self.place |= other.place
        self.pictures = sorted({*self.pictures, *other.pictures})

    def finished(self, times_ms: F64) -> Event:
        pictures = np.array(self.pictures, np.int64)
        start, end = (float(times_ms[pictures[at]]) for at in (0, -1))
        rows, columns = np.flatnonzero(self.place.any(axis=1)), np.flatnonzero(self.place.any(axis=0))
        corner = int(rows[0]), int(columns[0])
        part = self.place[corner[0] : int(rows[-1]) + 1, corner[1] : int(columns[-1]) + 1].copy()
        return Event(pictures, start, end, (self.place.shape[0], self.place.shape[1]), corner, part)


def find_events(changes: Changes, times_ms: F64, limits: EventLimits = EVENT) -> list[Event]:
    """Return the events of a recording by their start; `times_ms` is (m,), when each picture came."""
    owner = np.zeros(changes.shape, np.int32)  # which event changed a block last, 0 for none
    when = np.zeros(changes.shape, np.int32)  # in which picture
    growing: dict[int, _Growing] = {}
    found: list[Event] = []
    keys, oldest = count(1), 0  # the oldest picture whose changes go on in this one
    for picture in changes.changed_pictures():
        now, blocks = float(times_ms[picture]), changes.blocks(picture)
        while now - times_ms[oldest] > limits.apart_ms:
            oldest += 1
        lately = owner * (when >= oldest)
        for key in [key for key, event in growing.items() if now - event.last_ms > limits.apart_ms]:
            found.append(growing.pop(key).finished(times_ms))
        wide = grow(blocks, limits.reach_blocks)
        for whole in connected(wide):
            box = box_around(whole)
            near = whole[box]
            part = blocks[box] & near
            known = _owners(lately[box], near)
            key = known[0] if known else next(keys)
            event = growing.setdefault(key, _Growing(np.zeros_like(blocks)))
            for other in known[1:]:
                event.take(growing.pop(other))
                owner[owner == other] = lately[lately == other] = key
            event.place[box] |= part
            if not event.pictures or event.pictures[-1] != picture:
                event.pictures.append(picture)
            event.last_ms = now
            owner[box] += (key - owner[box]) * part  # faster than by a mask, where it is ragged
            when[box] += (picture - when[box]) * part
    found += [event.finished(times_ms) for event in growing.values()]
    return sorted(found, key=lambda event: (event.first, event.last))


def _owners(lately: I32, near: Bools) -> list[int]:
    """Return which events, rising, changed some of these blocks lately; 0 stands for none."""
    theirs = lately * near
    last = int(theirs.max())
    if ((theirs == last) | (theirs == 0)).all():  # as nearly always: then there is nothing to sort
        return [last] if last else []
    several: list[int] = np.unique(theirs[theirs > 0]).tolist()
    return several


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The events at one place, latest first. The latest says where it is."""

    events: Sequence[Event]
    starts_ms: F64

    @property
    def blocks(self) -> Bools:
        """(rows, columns): where it is, and what the earlier events changed in and beside it."""
        latest = self.events[0].place
        near = grow(latest, EVENT.rim_blocks)
        changed: Bools = np.any([event.place for event in self.events], axis=0)
        return latest | (near & changed)

    def gaps_ms(self, most: int) -> F64:
        """Return the latest gaps between the starts, latest first, at most so many."""
        return -np.diff(self.starts_ms[: most + 1])


def find_places(events: Sequence[Event], depth: int, limits: EventLimits = EVENT) -> list[Place]:
    """Return the places at which something happened more than once, each with its `depth` latest events.

    An event is at the place of a later one if it changed `limits.shared` of that one's blocks or blocks beside.
    """
    boxes = np.array([_edges(event) for event in events]).reshape(-1, 4)
    taken = np.zeros(len(events), dtype=bool)
    places = []
    for latest in range(len(events) - 1, -1, -1):
        if taken[latest]:
            continue
        reach = limits.rim_blocks
        y0, x0, y1, x1 = boxes[latest]
        touching = (
            (boxes[:latest, 0] <= y1 + reach) & (boxes[:latest, 2] >= y0 - reach)
            & (boxes[:latest, 1] <= x1 + reach) & (boxes[:latest, 3] >= x0 - reach)
        )  # fmt: skip
        members = [latest]
        for earlier in np.flatnonzero(touching)[::-1].tolist():
            if is_at(events[earlier], events[latest], limits):
                members.append(earlier)
                if events[earlier].share <= 2 * events[latest].share:
                    taken[earlier] = True
            if len(members) == depth:
                break
        if len(members) > 1:
            chosen = [events[index] for index in members]
            places.append(Place(chosen, np.array([event.start_ms for event in chosen])))
    return places


def is_at(earlier: Event, later: Event, limits: EventLimits = EVENT) -> bool:
    """Return whether an event is at the place of a later one; looks at the blocks around that one alone."""
    reach, (height, width) = limits.rim_blocks, later.part.shape
    dy, dx = (there - here + reach for there, here in zip(earlier.corner, later.corner, strict=True))
    high, wide = earlier.part.shape
    if not (-high < dy < height + 2 * reach and -wide < dx < width + 2 * reach):
        return False
    around = np.zeros((height + 2 * reach, width + 2 * reach), dtype=bool)
    y0, x0 = max(dy, 0), max(dx, 0)
    seen = earlier.part[max(-dy, 0) : max(around.shape[0] - dy, 0), max(-dx, 0) : max(around.shape[1] - dx, 0)]
    around[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] = seen
    shared = grow(around, reach)[reach : reach + height, reach : reach + width] & later.part
    return bool(np.count_nonzero(shared) >= limits.shared * np.count_nonzero(later.part))


def _edges(event: Event) -> tuple[int, int, int, int]:
    """Return the first row, first column, last row and last column of an event."""
    (y, x), (height, width) = event.corner, event.part.shape
    return y, x, y + height - 1, x + width - 1
