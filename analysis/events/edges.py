"""What changes by itself in the system's bars and at the screen's edge, as rules ask for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.events.bars import alone_in_bars, in_bars, is_button_aside, is_scrollbar
from analysis.events.event import Event
from analysis.events.faint import FAINT, strongest_of
from analysis.events.recurrence import difference, state
from analysis.events.scene import Scene


@dataclass(frozen=True, slots=True)
class EdgeLimits:
    """What is a spot in the bars, what is an answer elsewhere, and when a button had been there."""

    spot_blocks: int = 4  # at most: a digit of a clock, a light
    answer: float = 0.01  # of the screen: what is larger is an answer for sure
    there: float = 0.25  # times as much as after it a button stands out before it slips aside: else it comes


EDGE = EdgeLimits()


def alone_at_edge(event: Event, scene: Scene) -> bool:
    """Return whether a little thing in the system's bars changes while nothing else does: a Wi-Fi arrow."""
    return not scene.under_finger(event) and alone_in_bars(event, scene.bars, scene.company)


def spot_in_bars(event: Event, scene: Scene) -> bool:
    """Return whether a spot in the system's bars changes in a picture of its own before an answer elsewhere.

    An answer that is seen in the bars first is larger: a button there. A clock or a light may go on at any time.
    """
    answers = (other for other in scene.events if other.start_ms > event.end_ms)
    return _is_spot(event, scene) and any(other.share > EDGE.answer for other in answers)


def spot_after(event: Event, scene: Scene) -> bool:
    """Return whether such a spot changes when the answer elsewhere has ended, however soon after.

    It is clear to see, as digits are; the last steps of an answer are faint.
    """
    answers = (other for other in scene.events if scene.action_ms <= other.end_ms < event.start_ms)
    if not _is_spot(event, scene) or not any(
        other.share > EDGE.answer and not in_bars(other, scene.bars) for other in answers
    ):
        return False
    return strongest_of(scene.recording, event.place, event.first) >= FAINT.correction_levels


def _is_spot(event: Event, scene: Scene) -> bool:
    """Return whether an event is a spot in the system's bars that changes once, in a picture of its own."""
    if len(event.pictures) > 1 or np.count_nonzero(event.part) > EDGE.spot_blocks:
        return False
    if scene.under_finger(event) or not in_bars(event, scene.bars):
        return False
    return all(in_bars(other, scene.bars) for other in scene.company.of(event, 0.0))


def slips_aside(event: Event, scene: Scene) -> bool:
    """Return whether a floating button at the screen's edge changes alone, after the screen had answered.

    A recorder's fades, and slips into the edge, when nobody has touched it for a while. What comes there was not.
    """
    if scene.under_finger(event) or not is_button_aside(event) or any(True for _ in scene.company.of(event)):
        return False
    if not any(scene.action_ms <= other.start_ms < event.start_ms for other in scene.events):
        return False
    before, after = (_away_from_beside(event, scene, picture) for picture in (event.first - 1, event.last))
    return before > EDGE.there * after


def scrollbar_goes(event: Event, scene: Scene) -> bool:
    """Return whether a scroll bar that was there before the action goes alone, after the screen had answered.

    It came with what was done before. One that came or moved since belongs to the answer.
    """
    if not is_scrollbar(event) or scene.under_finger(event) or any(True for _ in scene.company.of(event)):
        return False
    before, after = (_away_from_beside(event, scene, picture) for picture in (event.first - 1, event.last))
    since = [other for other in scene.events if scene.action_ms <= other.start_ms < event.start_ms]
    return bool(since) and after < before and not any((other.place & event.place).any() for other in since)


def _away_from_beside(event: Event, scene: Scene, picture: int) -> float:
    """Return how far a thing at a side differs from the screen just inside of it, in one picture, 1/64 levels."""
    inward = event.part.shape[1] * (1 if event.corner[1] < event.shape[1] // 2 else -1)
    where = (event.place, np.roll(event.place, inward, axis=1))
    own, beside = (state(scene.recording, place, picture) for place in where)
    return difference(own, beside)
