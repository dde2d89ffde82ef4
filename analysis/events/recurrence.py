"""What comes again at one place: clocks, carousels, what blinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, I32, Bools
from analysis.detection.changes import Changes
from analysis.events.event import Event, Place, is_at
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class RecurrenceLimits:
    """When events at one place are one thing that happens again and again."""

    even_blink: float = 0.35  # of the longest gap: a blink may come a few slots late
    even_four: float = 0.25  # four events at even intervals are a clock or a carousel
    even_three: float = 0.05  # three are only if they are very even, and one came before the action by itself
    overdue: float = 1.25  # times the longest gap: what has not come again by then has stopped
    overdue_ms: float = 100.0
    each_picture: float = 1.5  # times as long as a slow screen shows one: it changes in each
    often_ms: float = 800.0  # four events that follow each other sooner than this tick
    returned: float = 0.5  # of a change: what may be left of it where the picture before came back
    returned_levels: float = 2.0  # and in the mean of its blocks: digits that look alike do not come back
    second_ms: float = 1000.0  # what shows time goes on once a second
    second_within_ms: float = 40.0  # a slot of a capture at 30 Hz, and what timers are late by
    missed_ms: float = 100.0  # how late it may be before it counts as missed
    apart_ms: float = 100.0  # within which nothing else changes: it goes on by itself
    at_once_ms: float = 250.0  # digits may roll
    replaced: float = 3.0  # times as many blocks as any picture of the rounds before: something took its place
    least_blocks: int = 2  # among thousands of single blocks some keep time by chance


RECURRENCE = RecurrenceLimits()
DEPTH = 4  # events of a place that are looked at


def keeps_time(
    place: Place, action_ms: float, end_ms: float, slot_ms: float, limits: RecurrenceLimits = RECURRENCE
) -> bool:
    """Return whether the events come at even intervals, and the next is not overdue.

    What a slow screen, which shows a picture for `slot_ms`, changes in each of its pictures moves.
    """
    gaps = place.gaps_ms(3)
    if len(gaps) < 2 or place.events[0].place.sum() < limits.least_blocks:
        return False
    if _moves(place, slot_ms, limits):
        return False
    three = place.starts_ms[2] < action_ms and _even(place, 2, limits.even_three)
    four = len(gaps) >= 3 and _even(place, 3, limits.even_four)
    return bool((three or four) and _due(place, 2, end_ms, limits))


def is_replaced(place: Place, changes: Changes, limits: RecurrenceLimits = RECURRENCE) -> bool:
    """Return whether the latest event ends by a change much larger than any usual there: content takes its place.

    The first of them may have begun with the answer itself.
    """
    latest, *earlier = place.events
    rounds = [*((event, event.pictures) for event in earlier), (latest, latest.pictures[:-1])]
    most = [
        max(np.count_nonzero(event.blocks(changes, picture)) for picture in pictures)
        for event, pictures in rounds
        if len(pictures)
    ]
    return bool(np.count_nonzero(latest.blocks(changes, latest.last)) >= limits.replaced * np.median(most))


def ticks(place: Place, end_ms: float, slot_ms: float, limits: RecurrenceLimits = RECURRENCE) -> bool:
    """Return whether four events followed each other quickly, and the next is not overdue; `slot_ms` as above."""
    gaps = place.gaps_ms(3)
    overdue = len(gaps) == 3 and end_ms - place.starts_ms[0] > np.median(gaps) + limits.overdue_ms
    often = len(gaps) == 3 and bool(gaps.max() <= limits.often_ms)
    return often and not overdue and not _moves(place, slot_ms, limits)


def comes_back(place: Place, recording: Recording, end_ms: float, limits: RecurrenceLimits = RECURRENCE) -> bool:
    """Return whether each event takes back the one before, at even intervals: it blinks."""
    if len(place.events) < 3 or not _even(place, 2, limits.even_blink) or not _due(place, 2, end_ms, limits):
        return False
    latest, middle, oldest = place.events[:3]
    states = [state(recording, latest.place, event.last) for event in (latest, middle, oldest)]
    left, change = difference(states[0], states[2]), difference(states[0], states[1])
    return left <= min(limits.returned * change, limits.returned_levels * 64 * states[0].size)


def ticks_alone(
    events: Sequence[Event], little: float, action_ms: float, end_ms: float, limits: RecurrenceLimits = RECURRENCE
) -> frozenset[Event]:
    """Return the events that go on at one place from second to second, in a recording too short for `keeps_time`.

    Each is as small as `little` of the screen and, after the action, comes while nothing else changes. They follow
    each other by a second through the whole recording, as far as it goes: none is missing before the first or after
    the last. What went on before the action may be covered after it.
    """
    quick = [e for e in events if e.share <= little and e.end_ms - e.start_ms <= limits.at_once_ms]
    starts, all_starts = (np.array([event.start_ms for event in some]) for some in (quick, events))
    before: dict[Event, Event] = {}
    for event in quick:
        least = event.start_ms - limits.second_ms - limits.second_within_ms
        first, last = np.searchsorted(starts, (least, least + 2 * limits.second_within_ms))
        earlier = (other for other in quick[first:last] if is_at(other, event))
        found = next(earlier, None)
        if found is None:
            continue
        since, until = np.searchsorted(all_starts, (np.nextafter(found.end_ms, np.inf), event.start_ms))
        between = (other for other in events[since:until] if other.end_ms < event.start_ms)
        if not any(is_at(other, event) for other in between):  # what shows time rests in between
            before[event] = found
    chained = {*before, *before.values()}
    spans = np.array([(e.start_ms, e.end_ms) for e in events if e not in chained]).reshape(-1, 2)
    kept: set[Event] = set()
    for last_one in chained - set(before.values()):
        chain = [last_one]
        while chain[-1] in before:
            chain.append(before[chain[-1]])
        if chain[-1].start_ms > limits.second_ms + limits.missed_ms:
            continue
        until = end_ms
        if chain[-1].start_ms < action_ms:
            later = (e for e in events if e.start_ms > last_one.end_ms and e not in chained)
            until = next((e.start_ms for e in later if is_at(e, last_one)), end_ms)
        whole = until - last_one.start_ms <= limits.second_ms + limits.missed_ms
        if whole and not any(
            event.start_ms >= action_ms and _beside_in_time(event, spans, limits.apart_ms) for event in chain
        ):
            kept.update(chain)
    return frozenset(kept)


def _beside_in_time(event: Event, spans: F64, apart_ms: float) -> bool:
    """Return whether one of these spans, (n, 2) from and to, lies within so much of an event."""
    near = (spans[:, 0] <= event.end_ms + apart_ms) & (spans[:, 1] >= event.start_ms - apart_ms)
    return bool(near.any())


def state(recording: Recording, where: Bools, picture: int) -> I32:
    """Return (planes, blocks): the means of some blocks in one picture, 1/64 levels."""
    means, _ = recording.store.at(picture)
    return means.take(np.flatnonzero(where), axis=1).astype(np.int32)


def states(recording: Recording, where: Bools, first: int, last: int) -> I32:
    """Return (pictures, planes, blocks): the means of some blocks in pictures first … last, 1/64 levels."""
    places = np.flatnonzero(where)
    return np.array([means.take(places, axis=1) for means, _ in recording.store.span(first, last)], np.int32)


def difference(one: I32, other: I32) -> float:
    """Return how far two states of the same blocks lie apart, summed, 1/64 levels."""
    return float(np.abs(one - other).sum())


def _moves(place: Place, slot_ms: float, limits: RecurrenceLimits) -> bool:
    """Return whether events at a place follow each other as the pictures of the screen do."""
    return bool(np.median(place.gaps_ms(3)) <= limits.each_picture * slot_ms)


def _even(place: Place, count: int, within: float) -> bool:
    gaps = place.gaps_ms(count)
    return bool(len(gaps) == count and gaps.max() - gaps.min() <= within * gaps.max())


def _due(place: Place, count: int, end_ms: float, limits: RecurrenceLimits) -> bool:
    longest = float(place.gaps_ms(count).max())
    return end_ms - float(place.starts_ms[0]) <= limits.overdue * longest + limits.overdue_ms
