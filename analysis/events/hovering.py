"""What lights up under a mouse cursor that comes over it, and goes out where one leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.event import Event
from analysis.events.paths import POINTER
from analysis.events.sightings import Track
from analysis.video.pixels import BLOCK_PX


@dataclass(frozen=True, slots=True)
class HoverLimits:
    """When a change is what a cursor lights up in passing."""

    share: float = 0.02  # of the screen: a button, a word; what is larger is an answer
    late_share: float = 0.08  # or a row across the screen, once all else has answered and come to rest
    edge_blocks: float = 0.75  # around it: as exact as blocks are
    lag_ms: float = 120.0  # after the cursor came in or went out: a short transition, a picture at 8 Hz
    lasts_ms: float = 400.0  # a highlight fades no longer
    whole: float = 0.5  # of its blocks change in one picture: what slides changes them one after the other


HOVER = HoverLimits()


@dataclass(frozen=True, slots=True)
class Tip:
    """A step of a cursor: the picture in which it had moved, and its tip (row, column; blocks) before and after."""

    picture: int
    was: tuple[float, float]
    at: tuple[float, float]


def tips_of(track: Track) -> list[Tip]:
    """Return the steps of a sprite's tip: an arrow's is its corner, a hand's lies a third further."""
    aside = track.sprite.mask.shape[1] / 6
    places = [(now, (was[0], was[1] + aside), (at[0], at[1] + aside)) for now, was, at in track.steps()]
    return [Tip(now, *((y / BLOCK_PX, x / BLOCK_PX) for y, x in (was, at))) for now, was, at in places]


def find_hovered(
    events: Sequence[Event], changes: Changes, tips: Sequence[Tip], times_ms: F64, action_ms: float
) -> dict[int, Bools]:
    """Return what lights up or goes out in passing, blocks (rows, columns) by picture.

    `events` and `changes` are without the cursor's own. A small change counts as such if it begins as the cursor's
    tip comes in or goes out of where it is (what a click sets off begins under a tip at rest), and lights up as a
    whole (what slides through is an answer). Once all else has answered and come to rest, the tip may go from one
    row to the next, which both change.
    """
    found: dict[int, Bools] = {}
    for event in events:
        late = _is_late(event, events, action_ms)
        most = HOVER.late_share if late else HOVER.share
        if event.share > most or event.end_ms - event.start_ms > HOVER.lasts_ms:
            continue
        if any(_passes(tip, event, times_ms, late) for tip in tips) and _as_a_whole(event, changes):
            for picture in event.pictures.tolist():
                blocks = event.blocks(changes, picture)
                found[picture] = found[picture] | blocks if picture in found else blocks
    return found


def _as_a_whole(event: Event, changes: Changes) -> bool:
    """Return whether one picture changes half of an event's blocks at least."""
    most = max(np.count_nonzero(event.blocks(changes, picture)) for picture in event.pictures.tolist())
    return bool(most >= HOVER.whole * np.count_nonzero(event.part))


def _is_late(event: Event, events: Sequence[Event], action_ms: float) -> bool:
    """Return whether something answered before an event, and had come to rest."""
    answers = [other.end_ms for other in events if action_ms <= other.start_ms < event.start_ms]
    return bool(answers) and event.start_ms - max(answers) >= POINTER.late_ms


def _passes(tip: Tip, event: Event, times_ms: F64, late: bool) -> bool:
    """Return whether a step brings the tip in or out of a place as an event begins there; `late`, or within it."""
    lag_ms = event.start_ms - times_ms[tip.picture]
    if not 0 <= lag_ms <= HOVER.lag_ms and tip.picture != event.first + 1:
        return False
    was, at = _inside(tip.was, event), _inside(tip.at, event)
    return was != at or (late and at)


def _inside(tip: tuple[float, float], event: Event) -> bool:
    edges = zip(tip, event.corner, event.part.shape, strict=True)
    return all(low - HOVER.edge_blocks <= at <= low + length + HOVER.edge_blocks for at, low, length in edges)
