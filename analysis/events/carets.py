"""Carets told by their shape: a bar that goes and comes back, known after one blink."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F64, I32, Bools
from analysis.events.event import Event
from analysis.events.recurrence import difference, state
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class CaretLimits:
    """What a caret looks like, and how it blinks."""

    columns: int = 2  # blocks: a bar of 2 to 6 px in blocks of 8 to 16 lies in one, or in two where it straddles
    rows: int = 2  # and more than columns: a dot is no bar
    height_share: float = 0.06  # of the longer side: a scrollbar or a divider is longer than a line is high
    edge_blocks: tuple[int, int] = (1, 2)  # of the left and the right edge: there lie scrollbars, which go as well
    alike: float = 0.8  # of a plane's change goes the same way: a bar is drawn, or taken away
    fade_ms: float = 450.0  # one that fades in and out takes up to a quarter of a second, at a low rate more
    shown_ms: tuple[float, float] = (250.0, 1300.0)  # from one blink to the next; systems have 300 to 600
    returned: float = 0.25  # of a block's change: what may be left of it where the former picture is back
    light_levels: float = 5.0  # or so much: coded twice, the same picture differs a little
    colour_levels: float = 12.0  # encoders code colours far more coarsely
    least_share: float = 0.3  # of a blink's change: what a fade shows before a recording ends
    beside_blocks: int = 2  # what changes so near to it may have drawn it anew: a letter
    rest_blocks: int = 4  # so near to it nothing else changes between two blinks
    new: float = 1.15  # times a blink's length at rest: what then comes has not been blinking before
    new_ms: float = 60.0
    ink: tuple[float, float] = (0.6, 1.6)  # times as much is drawn on another ground, by the same caret
    longest_ms: float = 600.0  # a blink's length at least, there: some show their two pictures unequally long


CARET = CaretLimits()


@dataclass(frozen=True, slots=True)
class Carets:
    """What carets did: `new` are the events in which one came, the answer to the tap that put it there."""

    bars: tuple[Bar, ...] = ()
    new: frozenset[Event] = frozenset()

    @property
    def blinks(self) -> frozenset[Event]:
        """The events in which one blinked."""
        return frozenset(bar.event for bar in self.bars) - self.new

    def among(self, events: Iterable[Event]) -> Carets:
        """Return these as events of another list, where that has the same: found with a cursor's changes in it."""
        same = {event.key: event for event in events}
        known = {bar.event: same.get(bar.event.key, bar.event) for bar in self.bars}
        bars = tuple(replace(bar, event=known[bar.event]) for bar in self.bars)
        return Carets(bars, frozenset(known[event] for event in self.new))


@dataclass(frozen=True, slots=True, eq=False)
class Bar:
    """An event that draws a narrow upright bar, or takes one away.

    Attributes
    ----------
    before, after : (planes, blocks) means of its blocks before and after, 1/64 levels.
    whole : (rows, columns) its blocks and those at its ends, which may change too little to be seen.
    was, became : (planes, blocks) means of these before and after.
    profile : (planes, all rows) what it changes in each row of the screen: wherever on its line the bar stands.
    drawn : whether it stands out from what is beside it more than before.
    gone : whether nothing of it stands out any more from what is beside it on one side.
    period_ms : to the event whose picture it takes back, or that takes back its own; None where there is none.

    """

    event: Event
    before: I32
    after: I32
    whole: Bools
    was: I32
    became: I32
    profile: F64
    drawn: bool
    gone: bool
    period_ms: float | None = None

    def shows(self, blocks: Bools, shown: I32, fades: bool, limits: CaretLimits = CARET) -> bool:
        """Return whether some of its blocks show one of its two pictures, or one between them where it fades.

        `blocks` is (rows, columns), `shown` their (planes, blocks) means.
        """
        if (blocks & ~self.whole).any():
            return False
        of = blocks[self.whole]
        change = (self.became - self.was)[:, of]
        share = ((shown - self.was[:, of]) * change).sum() / max((change * change).sum(), 1)
        share = np.clip(share if fades else np.rint(share), 0, 1)
        return same(shown, self.was[:, of] + share * change, change, limits)


def returns(carets: Carets, event: Event, action_ms: float, limits: CaretLimits = CARET) -> bool:
    """Return whether this event only draws a caret that had blinked before the action, at another place."""
    one = next((bar for bar in carets.bars if bar.event is event), None)
    if one is None or event not in carets.new:
        return False
    earlier = (bar for bar in carets.bars if bar.event.start_ms < action_ms and bar.event not in carets.new)
    return any(_looks_like(bar, one, limits) for bar in earlier)


def find_carets(
    recording: Recording, events: Sequence[Event], slot_ms: float = 0.0, limits: CaretLimits = CARET
) -> Carets:
    """Return the events in which carets blink or come.

    A bar blinks if what was there before it comes back, or if it brings back what was there, in every block:
    anything that shows a third picture is content. So does one that came with something larger and, after a while,
    goes by itself. Where one is known to blink, so does a bar of the same profile
    on the same line: a letter moves it on. One that is drawn after a rest in which it would have blinked is new.
    The screen shows a picture for `slot_ms`, or longer.
    """
    course = _Course(recording, events, slot_ms, limits)
    bars = [_bar(recording, event) for event in events if is_bar(event, recording, limits)]
    bars = [bar for bar in bars if _alike(bar, limits)]
    told = [replace(bar, period_ms=course.period_ms(bar)) for bar in bars]
    sure = [bar for bar in told if bar.period_ms is not None]
    moved = (replace(bar, period_ms=course.period_as(bar, sure)) for bar in told if bar.period_ms is None)
    carets = [bar for bar in (*sure, *moved) if bar.period_ms]
    new = frozenset(bar.event for bar in carets if bar.drawn and course.is_new(bar))
    return Carets(tuple(carets), new)


def is_bar(event: Event, recording: Recording, limits: CaretLimits = CARET) -> bool:
    """Return whether an event has the place and the length of a caret's blink."""
    upright = _upright(recording)
    rows, columns = event.part.shape if upright else event.part.shape[::-1]
    height, width = event.shape if upright else event.shape[::-1]
    left = event.corner[1] if upright else event.corner[0]
    return (
        columns <= limits.columns
        and rows >= max(limits.rows, columns + 1)
        and rows - 1 <= max(limits.height_share * max(height, width), limits.rows)
        and limits.edge_blocks[0] <= left <= width - limits.edge_blocks[1] - columns
        and event.end_ms - event.start_ms <= limits.fade_ms
        and event.first > 0
    )


def same(one: I32 | F64, other: I32 | F64, change: I32 | F64, limits: CaretLimits = CARET) -> bool:
    """Return whether two states are one picture in every block, as measured by a change between two others.

    All are (planes, blocks).
    """
    levels = np.array([limits.light_levels, *[limits.colour_levels] * (len(change) - 1)])
    least = np.maximum(limits.returned * np.abs(change), 64 * levels[:, None])
    return bool((np.abs(one - other) <= least).all())


def _bar(recording: Recording, event: Event) -> Bar:
    place, axis = event.place, 0 if _upright(recording) else 1
    before, after = (state(recording, place, picture) for picture in (event.first - 1, event.last))
    beside = [np.roll(place, step, axis=1 - axis) for step in (1, -1)]
    sides = [state(recording, blocks, event.last) for blocks in beside]
    off = [[difference(shown, side) for side in sides] for shown in (before, after)]
    whole = place | np.roll(place, 1, axis) | np.roll(place, -1, axis)
    rows, many = np.nonzero(whole)[axis], event.shape[axis]
    was, became = (state(recording, whole, picture) for picture in (event.first - 1, event.last))
    profile = np.array([np.bincount(rows, plane, many) for plane in became - was])
    drawn = min(off[1]) > min(off[0])
    gone = any(now <= CARET.returned * then for then, now in zip(*off, strict=True))
    return Bar(event, before, after, whole, was, became, profile, drawn, gone)


def _upright(recording: Recording) -> bool:
    return recording.grid.rotation in (0, 180)


def _alike(bar: Bar, limits: CaretLimits) -> bool:
    change = bar.after - bar.before
    plane = change[np.abs(change).sum(axis=1).argmax()]
    return bool(abs(plane.sum()) >= limits.alike * np.abs(plane).sum() > 0)


def _looks_like(bar: Bar, other: Bar, limits: CaretLimits) -> bool:
    """Return whether two bars are as high and draw as much, wherever they stand."""
    rows = [np.count_nonzero(one.event.place.any(axis=1)) for one in (bar, other)]
    columns = [np.count_nonzero(one.event.place.any(axis=0)) for one in (bar, other)]
    ink, as_much = (float(np.abs(one.profile[0].sum())) for one in (bar, other))
    alike = bool(abs(max(rows[0], columns[0]) - max(rows[1], columns[1])) <= 1)
    return alike and bool(limits.ink[0] * as_much <= ink <= limits.ink[1] * as_much)


def _same_bar(bar: Bar, other: Bar, limits: CaretLimits) -> bool:
    """Return whether two bars stand on one line and look alike, drawn or taken away; a fade may be cut off."""
    share = float((bar.profile * other.profile).sum() / max((other.profile**2).sum(), 1))
    alike = same(bar.profile, share * other.profile, other.profile, limits)
    return alike and limits.least_share <= abs(share) <= 1 + limits.returned


class _Course:
    """The events of a recording, to be asked what else happened at a place and when."""

    def __init__(self, recording: Recording, events: Sequence[Event], slot_ms: float, limits: CaretLimits) -> None:
        self._recording, self._events, self._limits = recording, events, limits
        self._end_ms = float(recording.time_ms[-1])
        least, most = limits.shown_ms
        self._shown_ms = least - slot_ms / 2, most  # a slow recorder, or a slow screen, rounds when it blinked
        self._starts_ms = np.array([event.start_ms for event in events])
        edges = [(*event.corner, *np.add(event.corner, event.part.shape)) for event in events]
        self._edges = np.array(edges, np.int64).reshape(-1, 4)

    def period_ms(self, bar: Bar) -> float | None:
        """Return how long the bar was shown, or was not, if its picture before or after is seen again."""
        event, place = bar.event, bar.event.place
        limits = self._limits
        least, most = self._shown_ms
        for other in self._a_blink_before(event):
            then = state(self._recording, place, other.first - 1)
            if same(then, bar.after, bar.after - bar.before, limits) and self._rests_between(other, event):
                return event.start_ms - other.start_ms
        for other in self._touching(event, 0, event.start_ms + least, event.start_ms + most):
            if self._shows_again(bar, other) and self._rests_between(event, other):
                return other.start_ms - event.start_ms
        return self._came_with_ms(bar) if bar.gone else None

    def _a_blink_before(self, event: Event) -> list[Event]:
        """Return the other events that began at its place as long before as a caret is shown, or not."""
        least, most = self._shown_ms
        return self._touching(event, 0, event.start_ms - most, np.nextafter(event.start_ms - least, np.inf))

    def _came_with_ms(self, bar: Bar) -> float | None:
        """Return how long a bar that goes alone and without a trace was shown, if it came with something larger."""
        event, least = bar.event, self._shown_ms[0]
        around = event.start_ms - least, event.end_ms + least
        if np.diff(np.searchsorted(self._starts_ms, around))[0] > 1:
            return None
        for other in self._a_blink_before(event):
            rested_ms = event.start_ms - other.end_ms
            if other.share > event.share and rested_ms >= least and self._rests_between(other, event):
                return event.start_ms - other.start_ms
        return None

    def _shows_again(self, bar: Bar, other: Event) -> bool:
        """Return whether a later event shows what a bar had taken away, or covered, at its end or on its way.

        A letter that comes as the caret fades in belongs to the same event.
        """
        within = other.start_ms + self._limits.fade_ms
        pictures = [p for p in other.pictures.tolist() if self._recording.picture_ms[p] <= within]
        shown = (state(self._recording, bar.event.place, picture) for picture in {*pictures, other.last})
        return any(same(bar.before, now, bar.after - bar.before, self._limits) for now in shown)

    def _rests_between(self, one: Event, other: Event) -> bool:
        """Return whether nothing else began near by in between: a spinner has many bars."""
        since, until = np.nextafter(one.end_ms, np.inf), other.start_ms
        return not self._touching(other, self._limits.rest_blocks, since, until)

    def period_as(self, bar: Bar, sure: Sequence[Bar]) -> float | None:
        """Return how long a caret on the same line shows its pictures, if the bar does not stay longer than that.

        A letter stays.
        """
        start_ms = bar.event.start_ms
        for other in sure:
            due_ms = start_ms + self._limits.new * (other.period_ms or 0) + self._limits.new_ms
            after = np.nextafter(start_ms, np.inf)
            if _same_bar(bar, other, self._limits) and (
                due_ms > self._end_ms or self._touching(bar.event, 0, after, due_ms)
            ):
                return other.period_ms
        return None

    def is_new(self, bar: Bar) -> bool:
        """Return whether nothing had happened there for so long that it would have blinked."""
        start_ms = bar.event.start_ms
        earlier = self._touching(bar.event, self._limits.beside_blocks, -np.inf, start_ms)
        rest_ms = start_ms - max((other.end_ms for other in earlier if other.last < bar.event.first), default=0.0)
        period_ms = max(bar.period_ms or 0, self._limits.longest_ms)
        due_ms = self._limits.new * period_ms + self._limits.new_ms
        return bool(rest_ms > due_ms) and not self._shown_since(bar, start_ms - due_ms)

    def _shown_since(self, bar: Bar, since_ms: float) -> bool:
        """Return whether the bar stood there already since a time before its event: it went by unseen steps."""
        first = int(np.searchsorted(self._recording.picture_ms, since_ms))
        change, place = bar.after - bar.before, bar.event.place
        return any(
            same(state(self._recording, place, picture), bar.after, change, self._limits)
            for picture in range(first, bar.event.first)
        )

    def _touching(self, event: Event, reach: int, since_ms: float, until_ms: float) -> list[Event]:
        """Return the other events that began in this time at its place, or within `reach` blocks of it."""
        first, last = np.searchsorted(self._starts_ms, (since_ms, until_ms))
        y0, x0 = np.subtract(event.corner, reach)
        y1, x1 = np.add(event.corner, event.part.shape) + reach
        edges = self._edges[first:last]
        near = (edges[:, 0] < y1) & (edges[:, 1] < x1) & (edges[:, 2] > y0) & (edges[:, 3] > x0)
        place = grow(event.place, reach) if reach else event.place
        chosen = (self._events[index] for index in first + np.flatnonzero(near))
        return [other for other in chosen if other is not event and (other.part & place[other.box]).any()]
