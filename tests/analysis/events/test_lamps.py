"""Lamps in the system's bars, on recordings made by hand: they decide nothing, an answer beside them does."""

import math

import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, judged, slots

ACTION_MS = 1500.0
OPTIONS = MeasureOptions(action_ms=ACTION_MS)
PILL = (slice(0, 2), slice(1, 5))
PAGE = (slice(30, 40), slice(8, 24))


def measured(paint, seconds=4.0, without=()):
    """Return response and finish in ms after the action; a page opens 100 ms after it."""

    def painted(board, time):
        paint(board, time)
        if time >= ACTION_MS + 99:
            board[PAGE] = 60

    recording, changes = film_blocks(painted, slots(seconds))
    moments = judged(recording, changes, OPTIONS, without)
    times = recording.time_ms - ACTION_MS
    found = [None if frame is None else float(times[frame]) for frame in (moments.response, moments.finish)]
    return found, moments.confidence["finish"]


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def pulsing(*times, place=PILL, low=90.0, span=400.0):
    """Return a painter of a lamp that fades and comes back within a time, from each of the times on."""

    def paint(board, time):
        out = [0.5 - 0.5 * math.cos(2 * math.pi * (time - at) / span) for at in times if at <= time <= at + span]
        board[place] = 160 - (160 - low) * max(out, default=0.0)

    return paint


def switching(*times, place=PILL):
    """Return a painter of what changes to and fro between two pictures at the times."""

    def paint(board, time):
        board[place] = 60 if sum(time >= at - 1 for at in times) % 2 else 160

    return paint


def test_a_pulse_right_after_the_answer_is_no_finish_where_it_was_seen_before_the_action():
    found, sure = measured(pulsing(400.0, 1750.0))
    assert found == [near(100), near(100)]
    assert (sure.word, "pulses" in sure.other.reason) == ("likely", True)
    assert measured(pulsing(400.0, 1750.0), without={"lamp"})[0] == [near(100), near(400)]


def test_a_light_that_went_and_came_back_before_is_none_either():
    assert measured(switching(500.0, 1100.0, 1750.0))[0] == [near(100), near(100)]
    assert measured(switching(500.0, 1100.0, 1750.0), without={"lamp"})[0] == [near(100), near(250)]


def test_a_light_that_was_seen_once_before_is_one_if_it_goes_on_evenly():
    assert measured(switching(1000.0, 1750.0, 2500.0), seconds=3.1)[0] == [near(100), near(100)]


@pytest.mark.parametrize(
    ("paint", "finish"),
    [
        (switching(1750.0), 250),  # nothing had been there before
        (switching(700.0, 1750.0), 250),  # a switch that was used before, and is again
        (pulsing(400.0, 1750.0, place=(slice(8, 10), slice(1, 5))), 616),  # below the bars
        (pulsing(400.0, 1750.0, place=(slice(0, 2), slice(0, 29))), 616),  # larger than a lamp
    ],
    ids=["new", "again", "below", "large"],
)
def test_what_resembles_it_is_the_finish(paint, finish):
    assert measured(paint)[0] == [near(100), near(finish)]


def test_a_title_that_had_changed_before_and_changes_again_is_the_finish():
    def paint(board, time):
        board[PILL] = 160 - 50 * sum(time >= at - 1 for at in (500.0, 1100.0, 1750.0))

    assert measured(paint)[0] == [near(100), near(250)]


def test_what_changes_beside_a_lamp_in_the_same_picture_counts():
    lamp = switching(500.0, 1100.0, 1750.0)

    def paint(board, time):
        lamp(board, time)
        if time >= 1749:
            board[0:2, 8:12] = 60

    assert measured(paint)[0] == [near(100), near(250)]


def test_a_change_of_a_lamps_place_that_is_far_stronger_than_its_own_counts():
    lamp = switching(500.0, 1100.0)

    def paint(board, time):
        lamp(board, time)
        board[PILL] = 130 if board[PILL].max() < 100 else board[PILL]
        if time >= 1749:
            board[PILL] = 20

    assert measured(paint)[0] == [near(100), near(250)]
