"""Events: the visible changes of a recording, each with a place and a span.

Blocks that change near each other, and soon after each other, belong to one event. What happens again at the same
place after a rest is another event: `Place` tells which events share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import cv2
import numpy as np

from analysis.arrays import F64, I64, Bools
from analysis.detection.changes import Changes
from analysis.video.areas import grow


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

    Attributes
    ----------
    pictures : (n,) indices of the pictures in which it changes something, rising.
    start_ms, end_ms : when the first and the last of them came, ms of the recording.
    place : (rows, columns) the blocks that it changes.
    share : the part of the screen that it changes, 0 to 1.

    """

    pictures: I64
    start_ms: float
    end_ms: float
    place: Bools
    share: float

    @property
    def first(self) -> int:
        """The picture in which it begins."""
        return int(self.pictures[0])

    @property
    def last(self) -> int:
        """The picture of its last change."""
        return int(self.pictures[-1])

    def blocks(self, changes: Changes, picture: int) -> Bools:
        """Return (rows, columns): what it changes in this picture."""
        return changes.blocks(picture) & self.place


@dataclass(slots=True)
class _Growing:
    """An event that may go on."""

    place: Bools
    pictures: list[int] = field(default_factory=list)

    def take(self, other: _Growing) -> None:
        self.place |= other.place
        self.pictures = sorted({*self.pictures, *other.pictures})


def find_events(changes: Changes, times_ms: F64, limits: EventLimits = EVENT) -> list[Event]:
    """Return the events of a recording by their start; `times_ms` is (m,), when each picture came."""
    rows, columns = changes.shape
    owner = np.full((rows, columns), -1, np.int64)  # which event changed a block last
    when = np.full((rows, columns), -np.inf)
    growing: dict[int, _Growing] = {}
    keys = count()
    kernel = np.ones((2 * limits.reach_blocks + 1,) * 2, np.uint8)
    for picture in changes.changed_pictures():
        now, blocks = times_ms[picture], changes.blocks(picture)
        wide = cv2.dilate(blocks.view(np.uint8), kernel)
        parts, labels, stats, _ = cv2.connectedComponentsWithStats(wide)
        for label in range(1, parts):
            x, y, width, height = stats[label, :4].tolist()
            box = slice(y, y + height), slice(x, x + width)
            near = labels[box] == label
            part = blocks[box] & near
            alive = near & (now - when[box] <= limits.apart_ms)
            owners = owner[box][alive]
            alike = bool((owners == owners[:1]).all())  # as nearly always: then there is nothing to sort
            known = owners[:1].tolist() if alike else np.unique(owners).tolist()
            key = known[0] if known else next(keys)
            event = growing.setdefault(key, _Growing(np.zeros_like(blocks)))
            for other in known[1:]:
                event.take(growing.pop(other))
                owner[owner == other] = key
            event.place[box] |= part
            if not event.pictures or event.pictures[-1] != picture:
                event.pictures.append(picture)
            owner[box][part], when[box][part] = key, now
    found = [_finished(event, times_ms) for event in growing.values()]
    return sorted(found, key=lambda event: (event.first, event.last))


def _finished(event: _Growing, times_ms: F64) -> Event:
    pictures = np.array(event.pictures, np.int64)
    start, end = (float(times_ms[pictures[at]]) for at in (0, -1))
    return Event(pictures, start, end, event.place, float(event.place.mean()))


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
    boxes = np.array([_box(event.place) for event in events]).reshape(-1, 4)
    taken = np.zeros(len(events), dtype=bool)
    places = []
    for latest in range(len(events) - 1, -1, -1):
        if taken[latest]:
            continue
        target, reach = events[latest].place, limits.rim_blocks
        y0, x0, y1, x1 = boxes[latest]
        touching = (
            (boxes[:latest, 0] <= y1 + reach) & (boxes[:latest, 2] >= y0 - reach)
            & (boxes[:latest, 1] <= x1 + reach) & (boxes[:latest, 3] >= x0 - reach)
        )  # fmt: skip
        members = [latest]
        for earlier in np.flatnonzero(touching)[::-1].tolist():
            covered = (grow(events[earlier].place, reach) & target).sum() >= limits.shared * target.sum()
            if covered:
                members.append(earlier)
                if events[earlier].share <= 2 * events[latest].share:
                    taken[earlier] = True
            if len(members) == depth:
                break
        if len(members) > 1:
            chosen = [events[index] for index in members]
            places.append(Place(chosen, np.array([event.start_ms for event in chosen])))
    return places


def _box(place: Bools) -> tuple[int, int, int, int]:
    """Return the first row, first column, last row and last column of a place."""
    rows, columns = np.flatnonzero(place.any(axis=1)), np.flatnonzero(place.any(axis=0))
    return int(rows[0]), int(columns[0]), int(rows[-1]), int(columns[-1])
