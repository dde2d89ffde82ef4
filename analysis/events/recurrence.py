"""What comes again at one place: clocks, carousels, what blinks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import I32, Bools
from analysis.events.event import Place
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class RecurrenceLimits:
    """When events at one place are one thing that happens again and again."""

    even_blink: float = 0.35  # of the longest gap: a blink may come a few slots late
    even_four: float = 0.25  # four events at even intervals are a clock or a carousel
    even_three: float = 0.05  # three are only if they are very even, and one came before the action by itself
    overdue: float = 1.25  # times the longest gap: what has not come again by then has stopped
    overdue_ms: float = 100.0
    often_ms: float = 800.0  # four events that follow each other sooner than this tick
    returned: float = 0.5  # of a change: what may be left of it where the picture before came back
    returned_levels: float = 2.0  # and in the mean of its blocks: digits that look alike do not come back
    least_blocks: int = 2  # among thousands of single blocks some keep time by chance


RECURRENCE = RecurrenceLimits()
DEPTH = 4  # events of a place that are looked at


def keeps_time(place: Place, action_ms: float, end_ms: float, limits: RecurrenceLimits = RECURRENCE) -> bool:
    """Return whether the events come at even intervals, and the next is not overdue."""
    gaps = place.gaps_ms(3)
    if len(gaps) < 2 or place.events[0].place.sum() < limits.least_blocks:
        return False
    three = place.starts_ms[2] < action_ms and _even(place, 2, limits.even_three)
    four = len(gaps) >= 3 and _even(place, 3, limits.even_four)
    return bool((three or four) and _due(place, 2, end_ms, limits))


def ticks(place: Place, end_ms: float, limits: RecurrenceLimits = RECURRENCE) -> bool:
    """Return whether four events followed each other quickly, and the next is not overdue."""
    gaps = place.gaps_ms(3)
    overdue = len(gaps) == 3 and end_ms - place.starts_ms[0] > np.median(gaps) + limits.overdue_ms
    return len(gaps) == 3 and bool(gaps.max() <= limits.often_ms) and not overdue


def comes_back(place: Place, recording: Recording, end_ms: float, limits: RecurrenceLimits = RECURRENCE) -> bool:
    """Return whether each event takes back the one before, at even intervals: it blinks."""
    if len(place.events) < 3 or not _even(place, 2, limits.even_blink) or not _due(place, 2, end_ms, limits):
        return False
    latest, middle, oldest = place.events[:3]
    states = [state(recording, latest.place, event.last) for event in (latest, middle, oldest)]
    left, change = difference(states[0], states[2]), difference(states[0], states[1])
    return left <= min(limits.returned * change, limits.returned_levels * 64 * states[0].size)


def state(recording: Recording, where: Bools, picture: int) -> I32:
    """Return (planes, blocks): the means of some blocks in one picture, 1/64 levels."""
    only: I32 = states(recording, where, picture, picture)[0]
    return only


def states(recording: Recording, where: Bools, first: int, last: int) -> I32:
    """Return (pictures, planes, blocks): the means of some blocks in pictures first … last, 1/64 levels."""
    flat = where.ravel()
    return np.array([means[:, flat] for means, _ in recording.store.span(first, last)], np.int32)


def difference(one: I32, other: I32) -> float:
    """Return how far two states of the same blocks lie apart, summed, 1/64 levels."""
    return float(np.abs(one - other).sum())


def _even(place: Place, count: int, within: float) -> bool:
    gaps = place.gaps_ms(count)
    return bool(len(gaps) == count and gaps.max() - gaps.min() <= within * gaps.max())


def _due(place: Place, count: int, end_ms: float, limits: RecurrenceLimits) -> bool:
    longest = float(place.gaps_ms(count).max())
    return end_ms - float(place.starts_ms[0]) <= limits.overdue * longest + limits.overdue_ms
