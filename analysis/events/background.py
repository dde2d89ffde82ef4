"""What goes on by itself: areas that moved before the action, that keep time, or that never stop."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, I64, Bools
from analysis.detection.changes import Changes
from analysis.events.carets import Carets, find_carets
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import Event, Place, find_places
from analysis.events.loops import looping_at_end
from analysis.events.ongoing_motion import moving_at, moving_at_end
from analysis.events.pace import slot_of_screen_ms
from analysis.events.recurrence import DEPTH, comes_back, is_replaced, keeps_time, ticks, ticks_alone
from analysis.options import MeasureOptions
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class BackgroundLimits:
    """How far what goes on by itself reaches."""

    reach_blocks: int = 5  # what changes this near to an area that never stops belongs to it: dots of a spinner
    rim_blocks: int = 2  # a codec carries a change this far into what lies beside it
    caret_rim_blocks: int = 1  # narrow: letters come right beside a caret
    stray_blocks: int = 9  # elsewhere do not end an area: an encoder's, a clock; so small an answer counts itself
    outgrown: float = 3.0  # times as many blocks as any picture of an area before, and more than all: an answer
    large: float = 0.01  # of the screen, then
    few: int = 3  # pictures of an area do not tell how many it changes
    little: float = 0.005  # of the screen: a larger thing that ticks is no clock


BACKGROUND = BackgroundLimits()
HABITS = ("ticks", "blinking", "loops")


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """Areas, (rows, columns), that do not decide a moment.

    Attributes
    ----------
    before : in motion when the user acted.
    timed : changing at even intervals over the whole recording (a clock, a carousel), or blinking.
    at_end : still changing at the end, with all that belongs to it, but for carets.
    caret : bars that only blink; a screen with a blinking caret has settled.
    carets : the events in which they blink or come.
    seconds : the events of what goes on from second to second in a short recording.

    """

    before: Bools
    timed: Bools
    at_end: Bools
    caret: Bools
    carets: Carets
    seconds: frozenset[Event] = frozenset()

    @property
    def near_before(self) -> Bools:
        """What was in motion when the user acted, with its rim."""
        return grow(self.before, BACKGROUND.rim_blocks)

    @property
    def near_timed(self) -> Bools:
        """What changes at even intervals, or blinks, with its rim."""
        return grow(self.timed, BACKGROUND.rim_blocks)

    @property
    def near_end(self) -> Bools:
        """What still changes at the end, with its rim."""
        return grow(self.at_end, BACKGROUND.rim_blocks)

    @property
    def near_caret(self) -> Bools:
        """The carets with their rim."""
        return grow(self.caret, BACKGROUND.caret_rim_blocks)

    @property
    def always(self) -> Bools:
        """What goes on by itself all the time: at the action and at the end, at even intervals, or blinking."""
        return grow(self.before & self.at_end | self.timed | self.caret, BACKGROUND.rim_blocks)

    @property
    def steady(self) -> Bools:
        """What blinks or changes at even intervals."""
        return grow(self.timed | self.caret, BACKGROUND.rim_blocks)

    @property
    def settles(self) -> bool:
        """Whether nothing but a caret goes on at the end."""
        return not (self.at_end & ~grow(self.caret, BACKGROUND.reach_blocks)).any()


def find_background(
    recording: Recording,
    changes: Changes,
    events: Sequence[Event],
    options: MeasureOptions,
    ignored: Bools,
    bars: Bools,
    without: Collection[str] = (),
    pointer: Pointer | None = None,
) -> Background:
    """Return the areas that go on by themselves; `ignored` are masked blocks, `without` names rules left off.

    `bars` (rows, columns) is where systems have theirs; `pointer` is a mouse cursor that was taken from the
    changes: it does not move by itself.
    """
    times, action_ms, end_ms = recording.picture_ms, options.action_ms, float(recording.time_ms[-1])
    none, after = np.zeros(changes.shape, dtype=bool), _pictures_after(changes, times, action_ms)

    def area(rule: str, places: Iterable[Place]) -> Bools:
        found = none.copy()
        for place in () if rule in without else places:
            found |= place.blocks
        return found

    slot_ms = slot_of_screen_ms(recording, changes)
    carets = Carets() if "caret" in without else find_carets(recording, events, slot_ms)
    caret = none.copy()
    blinks = carets.blinks
    for event in blinks:
        caret[event.box] |= event.part
    ignored = ignored | grow(caret, BACKGROUND.rim_blocks)  # one that fades in and out moves, and is no motion
    before, moving = none, none
    if "moved_before" not in without:
        at_action = moving_at(recording, action_ms, ignored, changes.floor_levels, without, pointer)
        before = widen(changes, after, at_action, bars)
    if "goes_on" not in without:
        moving = moving_at_end(recording, changes, ignored, slot_ms, without, pointer)
    if not {"goes_on", "loops"} & set(without):
        known = ignored | bars | grow(moving, BACKGROUND.rim_blocks)
        moving = moving | looping_at_end(recording, changes, known, action_ms)
    others = [event for event in events if event not in blinks]
    places = find_places(others, DEPTH)
    even = [place for place in places if keeps_time(place, action_ms, end_ms, slot_ms)]
    timed = area("keeps_time", even)
    timed |= area("blinking", (p for p in places if _little(p) and comes_back(p, recording, end_ms)))
    since = find_places([event for event in others if event.start_ms >= action_ms], DEPTH)
    ticking = area("ticks", (p for p in since if _little(p) and ticks(p, end_ms, slot_ms)))
    replaced = area("keeps_time", (place for place in even if is_replaced(place, changes)))
    at_end = widen(changes, after[::-1], timed & ~replaced | ticking | moving, bars)
    seconds = ticks_alone(others, BACKGROUND.little, action_ms, end_ms)
    return Background(before, timed, at_end, caret, carets, seconds)


def widen(changes: Changes, pictures: Iterable[int], seeds: Bools, bars: Bools) -> Bools:
    """Return the whole of the areas that `seeds` belong to, (rows, columns) as `bars`, where systems have theirs.

    Walks over the pictures, forward from the action or back from the end. As long as all changes lie at an area,
    they are part of it (the other dots of a spinner, the next slide of a carousel). The first picture that changes
    more than strays elsewhere ends the walk: it is the response, or the finish, of the rest of the screen. So does
    one that changes much more than the area ever had. What moves in the system's bars does not reach into the app
    beside them.
    """
    if not seeds.any():
        return seeds
    apart = ~bars if not (seeds & ~bars).any() else np.zeros_like(bars)
    area, near = seeds.copy(), grow(seeds, BACKGROUND.reach_blocks) & ~apart
    most = BACKGROUND.large * seeds.size / BACKGROUND.outgrown
    for walked, picture in enumerate(pictures):
        changed = changes.blocks(picture)
        if np.count_nonzero(changed & ~near) > BACKGROUND.stray_blocks:
            break
        outgrown = walked >= BACKGROUND.few and changes.count[picture] >= BACKGROUND.outgrown * most
        if outgrown and changes.count[picture] > np.count_nonzero(area):
            break
        most = max(most, float(changes.count[picture]))
        area |= changed & near
        near = grow(area, BACKGROUND.reach_blocks) & ~apart
    return area


def _pictures_after(changes: Changes, times_ms: F64, action_ms: float) -> I64:
    pictures = np.flatnonzero(changes.count)
    return pictures[times_ms[pictures] >= action_ms]


def _little(place: Place) -> bool:
    return place.events[0].share <= BACKGROUND.little
