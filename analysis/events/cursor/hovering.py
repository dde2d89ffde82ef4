"""What lights up under a mouse cursor that comes over it, and goes out where one leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.paths import POINTER
from analysis.events.cursor.sightings import Track
from analysis.events.event import Event, is_at
from analysis.events.pace import slot_of_screen_ms
from analysis.events.recurrence import states
from analysis.video.pixels import BLOCK_PX
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class HoverLimits:
    """When a change is what a cursor lights up in passing."""

    share: float = 0.02  # of the screen: a button, a word; what is larger is an answer
    late_share: float = 0.08  # or a row across the screen, once all else has answered and come to rest
    edge_blocks: float = 0.75  # around it: as exact as blocks are
    lag_ms: float = 120.0  # after the cursor came in or went out: a short transition, a picture at 8 Hz
    soon_ms: float = 40.0  # before the cursor, in the picture before: no longer
    lasts_ms: float = 400.0  # a highlight fades no longer
    whole: float = 0.5  # of its blocks change in one picture: what slides changes them one after the other
    at_once: float = 0.3  # likewise in the first picture: what grows out of its middle begins small
    levels: float = 6.0  # a block that goes less far tells no way: rounding makes up so much of it
    detour: float = 1.25  # times as far as they get may its blocks go: an encoder overshoots; what slides goes 1.5
    filled: float = 0.9  # of its box: an arrow, a hand or an I fill two thirds at most


HOVER = HoverLimits()


@dataclass(frozen=True, slots=True)
class Tip:
    """A step of a cursor: the picture in which it had moved, and its tip (row, column; blocks) before and after."""

    picture: int
    was: tuple[float, float]
    at: tuple[float, float]


def tips_of(track: Track) -> list[Tip]:
    """Return the steps of a sprite's tip: an arrow's is its corner, a hand's lies a third further.

    What fills its box is the text cursor of a terminal: it has none, and where it goes text comes.
    """
    if track.sprite.mask.mean() >= HOVER.filled:
        return []
    aside = track.sprite.mask.shape[1] / 6
    places = [(now, (was[0], was[1] + aside), (at[0], at[1] + aside)) for now, was, at in track.steps()]
    return [Tip(now, *((y / BLOCK_PX, x / BLOCK_PX) for y, x in (was, at))) for now, was, at in places]


def find_hovered(
    recording: Recording, events: Sequence[Event], changes: Changes, tips: Sequence[Tip], action_ms: float
) -> dict[int, Bools]:
    """Return what lights up or goes out in passing, blocks (rows, columns) by picture.

    `events` and `changes` are without the cursor's own. A small change counts as such if it begins as the cursor's
    tip comes in or goes out of where it is (what a click sets off begins under a tip at rest), lights up as a whole
    and one way (what slides through is an answer), and goes out no sooner than the tip (what a click presses does).
    Nor does what as little an answer had lit since the action: that goes out by itself.
    Once all else has answered and come to rest, the tip may go from one row to the next, which both change.
    """
    found: dict[int, Bools] = {}
    answers: list[Event] = []
    times_ms = recording.picture_ms
    slot_ms = min(slot_of_screen_ms(recording, changes), HOVER.lag_ms)
    rest_ms = max(POINTER.late_ms, POINTER.missed * slot_ms)
    for event in events:
        late = _is_late(event, events, action_ms, rest_ms)
        most = HOVER.late_share if late else HOVER.share
        if event.share > most or event.end_ms - event.start_ms > HOVER.lasts_ms:
            continue
        passed = any(_passes(tip, event, times_ms, late) for tip in tips)
        passed = passed and not any(is_at(answer, event) for answer in answers)
        if not passed or not _as_a_whole(event, changes) or not _goes_one_way(recording, event, tips):
            answers += [event] if event.start_ms >= action_ms else []
        else:
            for picture in event.pictures.tolist():
                blocks = event.blocks(changes, picture)
                found[picture] = found[picture] | blocks if picture in found else blocks
    return found


def _as_a_whole(event: Event, changes: Changes) -> bool:
    """Return whether one picture changes half of an event's blocks at least, and the first not much less."""
    counts = [np.count_nonzero(event.blocks(changes, picture)) for picture in event.pictures.tolist()]
    blocks = np.count_nonzero(event.part)
    return bool(max(counts) >= HOVER.whole * blocks and counts[0] >= HOVER.at_once * blocks)


def _goes_one_way(recording: Recording, event: Event, tips: Sequence[Tip]) -> bool:
    """Return whether the blocks of an event go one way, or there and back as the tip comes in and leaves."""
    light = states(recording, event.place, event.first - 1, event.last)[:, 0] / 64
    reach, way = np.ptp(light, axis=0), np.abs(np.diff(light, axis=0)).sum(axis=0)
    clear = reach >= HOVER.levels
    least = reach
    if sum(_inside(tip.was, event) != _inside(tip.at, event) for tip in tips if _during(recording, tip, event)) > 1:
        least = 2 * reach - np.abs(light[-1] - light[0])
    return bool(way[clear].sum() <= HOVER.detour * least[clear].sum())


def _during(recording: Recording, tip: Tip, event: Event) -> bool:
    """Return whether a step comes while an event goes on, or just before it begins."""
    came_ms = float(recording.picture_ms[tip.picture])
    return event.start_ms - HOVER.lag_ms <= came_ms <= event.end_ms


def _is_late(event: Event, events: Sequence[Event], action_ms: float, rest_ms: float) -> bool:
    """Return whether something answered before an event, and had been at rest for so long."""
    answers = [other.end_ms for other in events if action_ms <= other.start_ms < event.start_ms]
    return bool(answers) and event.start_ms - max(answers) >= rest_ms


def _passes(tip: Tip, event: Event, times_ms: F64, late: bool) -> bool:
    """Return whether a step brings the tip in or out of a place as an event begins there; `late`, or within it."""
    lag_ms = event.start_ms - times_ms[tip.picture]
    soon = tip.picture == event.first + 1 and -lag_ms <= HOVER.soon_ms
    if not 0 <= lag_ms <= HOVER.lag_ms and not soon:
        return False
    was, at = _inside(tip.was, event), _inside(tip.at, event)
    return was != at or (late and at)


def _inside(tip: tuple[float, float], event: Event) -> bool:
    edges = zip(tip, event.corner, event.part.shape, strict=True)
    return all(low - HOVER.edge_blocks <= at <= low + length + HOVER.edge_blocks for at, low, length in edges)
