"""What systems and recorders draw at the edges of the screen: it changes alone, while the app rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.arrays import F32, F64, Bools
from analysis.detection.changes import Changes
from analysis.events.background import BACKGROUND, Background
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import EVENT, Event, find_places
from analysis.events.recurrence import state
from analysis.kernels.levels import LEVELS
from analysis.video.areas import connected, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class BarLimits:
    """How large such things are, and how long nothing else changes around them."""

    most: float = 0.01  # of the screen: an arrow, a clock, a handle
    handle: tuple[int, float] = (2, 0.4)  # blocks high, coarse as they may be, and of the screen's width
    alone_ms: float = 251.0  # before and after it, in which nothing else changes: 15 slots at 60 Hz, and rounding
    fading_ms: float = 250.0  # before the action, in which a light had begun to fade
    steps: int = 2  # pictures then that change something, each too faintly to be seen: one may be an encoder's
    stir_levels: float = 2.0  # what moves at all
    came_levels: float = 3.0  # so far a block has come in several of them: half of a visible step
    blocks: int = 9  # lie together and have: a few err alike by chance
    beside_blocks: int = 1  # what comes back may do so a little beside its place
    button: tuple[float, float] = (0.06, 0.25)  # of the shorter side: a floating button, with the way that it slips
    scroll_blocks: int = 2  # wide at most, and so far from the edge: a bar that shows where one has scrolled to
    scroll_long: int = 4  # times as long as wide at least


BARS = BarLimits()
NEVER = (np.inf, -np.inf)  # from when until when


@dataclass(frozen=True, slots=True, eq=False)
class Company:
    """What changes at about the same time as an event, but for carets, a cursor, and what goes on by itself.

    Of an event that does both, its steps elsewhere are company: `starts_ms` and `ends_ms` are of these. What is no
    company at all starts at infinity.
    """

    events: Sequence[Event]
    background: Background
    changes: Changes
    times_ms: F64
    pointer: Pointer | None = None
    starts_ms: F64 = field(init=False)
    ends_ms: F64 = field(init=False)

    def __post_init__(self) -> None:
        itself = self.background.always | grow(self.background.at_end, BACKGROUND.rim_blocks)
        blinks = self.background.carets.blinks
        none = (event in blinks or self._is_cursors(event) for event in self.events)
        spans = [
            NEVER if left else self._span(event, itself) for event, left in zip(self.events, none, strict=True)
        ]
        starts, ends = np.array(spans, dtype=float).reshape(-1, 2).T
        object.__setattr__(self, "starts_ms", starts)
        object.__setattr__(self, "ends_ms", ends)

    def _is_cursors(self, event: Event) -> bool:
        """Return whether an event is all a mouse cursor's movement."""
        if self.pointer is None or not self.pointer.steps.keys() >= set(event.pictures.tolist()):
            return False
        return all(
            self.pointer.explains(picture, event.blocks(self.changes, picture))
            for picture in event.pictures.tolist()
        )

    def _span(self, event: Event, itself: Bools) -> tuple[float, float]:
        """Return from when until when an event changes more than what goes on by itself; `NEVER` if it does not."""
        if not (event.part & itself[event.box]).any():
            return event.start_ms, event.end_ms
        if not (event.part & ~itself[event.box]).any():
            return NEVER

        def besides(picture: int) -> bool:
            return bool((event.blocks(self.changes, picture) & ~itself).any())

        first, last = (next(filter(besides, pictures)) for pictures in (event.pictures, event.pictures[::-1]))
        return float(self.times_ms[first]), float(self.times_ms[last])

    def of(self, event: Event, within_ms: float = BARS.alone_ms) -> Iterator[Event]:
        """Yield what else changes so soon before or after an event."""
        until, since = event.end_ms + within_ms, event.start_ms - within_ms
        meanwhile = (self.starts_ms <= until) & (self.ends_ms >= since)
        yield from (
            other for number in np.flatnonzero(meanwhile).tolist() if (other := self.events[number]) is not event
        )


def in_bars(event: Event, bars: Bools) -> bool:
    """Return whether an event is little and lies in the system's bars."""
    little = event.share <= BARS.most or _is_handle(event)
    return little and not (event.part & ~bars[event.box]).any()


def _is_handle(event: Event) -> bool:
    """Return whether an event below is as high and wide as a handle: of a small film that may be 1 % and more."""
    (high, wide), (rows, columns) = event.part.shape, event.shape
    return event.corner[0] > rows // 2 and high <= BARS.handle[0] and wide <= BARS.handle[1] * columns


def alone_in_bars(event: Event, bars: Bools, company: Company) -> bool:
    """Return whether an event lies in the system's bars, and nothing changes elsewhere meanwhile."""
    return in_bars(event, bars) and all(in_bars(other, bars) for other in company.of(event))


def moving_in_bars(moving: Bools, bars: Bools) -> Bools:
    """Return (rows, columns): what is little, and in the bars, of an area that moves by itself; with its rim."""
    area = np.zeros_like(moving)
    for part in connected(moving):
        if part.mean() <= BARS.most and not (part & ~bars).any():
            area |= part
    return grow(area, BACKGROUND.rim_blocks)


def fading_in_bars(recording: Recording, changes: Changes, bars: Bools, action_ms: float) -> Bools:
    """Return (rows, columns): what faded in the bars up to the action, by steps too faint to be seen each.

    Either pictures were found that it changes, or it has come away clearly from where it was.
    """
    times = recording.picture_ms
    since, until = np.searchsorted(times, (action_ms - BARS.fading_ms, action_ms))
    first, last = max(int(since), 1), int(until) - 1
    found, stirs, strongest = _fading(recording, changes, bars, first, last)
    if len(found) >= BARS.steps:
        area: Bools = changes.ever(found) & bars
    elif len(stirs) >= BARS.steps:
        found, area = stirs, _come_away(recording, bars, first - 1, last)
    else:
        return np.zeros_like(bars)
    goes_on = action_ms - times[found[-1]] <= EVENT.apart_ms
    return area if goes_on and (strongest[area] < changes.least_levels).all() else np.zeros_like(bars)


def stirring_in_bars(recording: Recording, bars: Bools, action_ms: float) -> Bools:
    """Return (rows, columns): what little stirs in the bars in the last pictures up to the action, alone.

    An icon that turns in a picture of few pixels is hardly seen to move, until its ground changes with the page.
    """
    times = recording.picture_ms
    last = int(np.searchsorted(times, action_ms, side="right")) - 1
    first = last - BARS.steps + 1
    if first < 1 or action_ms - times[first] > BARS.fading_ms:
        return np.zeros_like(bars)
    stirs = np.zeros(bars.shape, dtype=int)
    for _, codes in recording.store.span(first, last):
        levels = LEVELS[codes].reshape(bars.shape)
        if (levels[~bars] >= BARS.stir_levels).any():
            return np.zeros_like(bars)
        stirs += levels >= BARS.stir_levels
    return stirs >= BARS.steps


def _fading(
    recording: Recording, changes: Changes, bars: Bools, first: int, last: int
) -> tuple[list[int], list[int], F32]:
    """Return which pictures were found to change the bars, which stir them, and each block's strongest step."""
    found, stirs, strongest = [], [], np.zeros(bars.shape, np.float32)
    for picture, (_, codes) in enumerate(recording.store.span(first, last), first):
        levels = LEVELS[codes].reshape(bars.shape)
        strongest = np.maximum(strongest, levels)
        if (changes.blocks(picture) & bars).any():
            found.append(picture)
        if (levels[bars] >= BARS.stir_levels).any():
            stirs.append(picture)
    return found, stirs, strongest


def _come_away(recording: Recording, bars: Bools, first: int, last: int) -> Bools:
    """Return (rows, columns): what lies together in the bars and shows other levels in the last picture."""
    before, now = (state(recording, bars, picture)[0] for picture in (first, last))
    came = np.zeros_like(bars)
    came[bars] = np.abs(now - before) >= 64 * BARS.came_levels
    parts = [part for part in connected(came) if np.count_nonzero(part) >= BARS.blocks]
    whole: Bools = np.any([np.zeros_like(bars), *parts], axis=0)
    return whole


def changing_in_bars(bars: Bools, company: Company, action_ms: float) -> Bools:
    """Return (rows, columns): where in the bars something changes alone, again and again, after the action.

    An answer does so once. Before the action somebody may have used what is there; see lamps.py.
    """
    since = (event for event in company.events if event.start_ms >= action_ms)
    area = np.zeros_like(bars)
    for place in find_places([event for event in since if alone_in_bars(event, bars, company)], depth=2):
        area |= place.blocks
    return grow(area, BARS.beside_blocks) & bars


def is_button_aside(event: Event) -> bool:
    """Return whether an event is as large as a floating button that slips aside, at the left or right edge.

    A bar that shows where one has scrolled to is narrow.
    """
    (high, wide), (rows, columns), left = event.part.shape, event.shape, event.corner[1]
    least, most = (share * min(rows, columns) for share in BARS.button)
    return bool((left == 0 or left + wide == columns) and least <= min(high, wide) and max(high, wide) <= most)


def is_scrollbar(event: Event) -> bool:
    """Return whether an event is as long and narrow as a bar that shows where one has scrolled to, at a side."""
    (high, wide), columns, left = event.part.shape, event.shape[1], event.corner[1]
    aside = min(left, columns - left - wide) < BARS.scroll_blocks
    return bool(aside and wide <= BARS.scroll_blocks and high >= BARS.scroll_long * wide)
