"""Which changes make one event, and which events share a place."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.events.event import EVENT, Event, find_events, find_places, is_at
from analysis.video.areas import grow
from tests.analysis.events.handmade import SLOT, film_blocks, slots


def events_of(paint, seconds=3.0):
    recording, changes = film_blocks(paint, slots(seconds))
    return find_events(changes, recording.picture_ms)


def test_a_recording_without_changes_has_no_event():
    assert events_of(lambda board, time: None) == []
    assert find_places([], 4) == []


def test_what_changes_far_apart_at_the_same_time_makes_two_events():
    def paint(board, time):
        if time >= 500:
            board[5:8, 5:8] = board[30:33, 20:23] = 60

    one, other = events_of(paint)
    assert one.first == other.first
    assert {one.place.sum(), other.place.sum()} == {9}


def test_what_changes_near_and_soon_makes_one_event_with_its_span():
    def paint(board, time):
        for step in range(20):
            if time >= 500 + step * 2 * SLOT - 1:
                board[10, 2 + step] = 60

    (event,) = events_of(paint)
    assert np.isclose(event.start_ms, 500)
    assert np.isclose(event.end_ms, 500 + 38 * SLOT)
    assert event.place.sum() == 20
    assert len(event.pictures) == 20


def test_two_that_grow_together_become_one_from_the_sooner_start():
    def paint(board, time):
        for step in range(10):
            if time >= 500 + step * SLOT - 1:
                board[10, 2 + step] = board[10, 24 - step] = 60

    (event,) = events_of(paint)
    assert event.place[10, 2:25].sum() == 20
    assert np.isclose(event.start_ms, 500)


def test_a_rest_ends_an_event_and_the_next_at_its_place_shares_it():
    def paint(board, time):
        board[10:12, 4:6] = 60 if int(time / 500) % 2 else 200

    events = events_of(paint)
    assert [round(event.start_ms) for event in events] == [500, 1000, 1500, 2000, 2500]
    (place,) = find_places(events, 4)
    np.testing.assert_allclose(place.starts_ms, [2500, 2000, 1500, 1000], atol=SLOT)
    np.testing.assert_allclose(place.gaps_ms(2), [500, 500], atol=SLOT)
    assert place.blocks.sum() == 4


def test_a_large_change_over_a_place_counts_there_and_keeps_its_own():
    def paint(board, time):
        board[10:12, 4:6] = 60 if int(time / 500) % 2 else 200
        if time >= 1750:
            board[8:40] += 20

    events = events_of(paint)
    large = max(events, key=lambda event: event.share)
    place = next(place for place in find_places(events, 4) if place.events[0].share < 0.01)
    assert large in place.events
    assert place.blocks.sum() <= 16


places = arrays(np.bool_, (9, 8)).filter(lambda place: place.any())


def event_at(place):
    rows, columns = (np.flatnonzero(place.any(axis=axis)) for axis in (1, 0))
    corner = int(rows[0]), int(columns[0])
    part = place[corner[0] : rows[-1] + 1, corner[1] : columns[-1] + 1]
    return Event(np.array([1]), 0.0, 0.0, place.shape, corner, part)


@settings(max_examples=200, deadline=None)
@given(places, places, st.integers(0, 3))
def test_being_at_a_place_equals_its_slow_twin_over_the_whole_screen(earlier, later, shift):
    earlier = np.roll(earlier, shift, axis=0)
    shared = (grow(earlier, EVENT.rim_blocks) & later).sum()

    assert is_at(event_at(earlier), event_at(later), EVENT) == (shared >= EVENT.shared * later.sum())


def test_an_event_knows_its_place_from_its_box():
    place = np.zeros((9, 8), bool)
    place[2:4, 3], place[5, 6] = True, True

    event = event_at(place)

    np.testing.assert_array_equal(event.place, place)
    assert (event.share, event.part.shape) == (3 / 72, (4, 4))
