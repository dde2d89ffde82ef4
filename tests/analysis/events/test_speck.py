"""A speck that changes long after all else, on events made by hand: no finish, unless nothing else answers."""

import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.acted import ACTION_MS, measure, near, opens


def specks(place, at_ms, twice=False):
    """Paint a page that opens at 1,200 ms and something small that changes at `at_ms`."""

    def paint(board, time):
        opens(board, time)
        board[place] -= 40.0 * (time >= at_ms) + 20.0 * (twice and time >= at_ms + 30)

    return paint


@pytest.mark.parametrize(
    ("place", "at_ms", "twice", "decides"),
    [
        ((slice(5, 6), slice(5, 7)), 1750.0, False, False),
        ((slice(5, 6), slice(5, 7)), 1650.0, False, True),
        ((slice(5, 6), slice(5, 8)), 2400.0, False, True),
        ((slice(5, 6), slice(5, 7)), 2400.0, True, True),
    ],
    ids=["a speck, long after", "sooner", "larger", "in two steps"],
)
def test_a_speck_long_after_all_else_is_not_the_finish(place, at_ms, twice, decides):
    (response, finish), _ = measure(specks(place, at_ms, twice))
    assert response == near(200)
    assert finish == near(at_ms - ACTION_MS + 30 * twice if decides else 200)
    (_, finish), _ = measure(specks(place, at_ms, twice), without=("speck",))
    assert finish == near(at_ms - ACTION_MS + 30 * twice)


def test_a_speck_is_the_answer_where_there_is_no_other():
    (response, finish), _ = measure(lambda board, time: board[5:6, 5:7].__isub__(40.0 * (time >= 2400)))
    assert (response, finish) == (near(1400), near(1400))


SPECK, LARGER, ASIDE = (slice(5, 6), slice(5, 7)), (slice(5, 6), slice(5, 8)), (slice(9, 10), slice(15, 17))


def flickering(before, after, places=(SPECK, SPECK), opens_ms=1400.0):
    """Paint a page that opens, and specks that change at times before and after that at two places."""

    def paint(board, time):
        opens(board, time, at=opens_ms)
        for times_ms, place in zip((before, after), places, strict=True):
            passed = sum(time >= at - 1 for at in times_ms)
            board[place] -= (0.0, 40.0, 20.0)[passed % 3]

    return paint


@pytest.mark.parametrize(
    ("before", "places", "decides"),
    [
        ((600.0, 700.0), (SPECK, SPECK), False),
        ((700.0,), (SPECK, SPECK), True),
        ((600.0, 700.0), (SPECK, LARGER), True),
        ((600.0, 700.0), (LARGER, SPECK), True),
        ((600.0, 700.0), (ASIDE, SPECK), True),
    ],
    ids=["flickered", "changed once", "changes more", "was more", "elsewhere"],
)
def test_a_speck_that_had_flickered_before_the_action_decides_neither_moment(before, places, decides):
    paint = flickering(before, (1150.0, 1550.0), places)
    (response, finish), _ = measure(paint, without=("again", "brings_back"))
    assert (response, finish) == ((near(150), near(550)) if decides else (near(400), near(400)))


def test_a_speck_that_had_flickered_under_the_finger_decides():
    touched = MeasureOptions(action_ms=ACTION_MS, touch_xy=(46.0, 44.0))
    (response, _), _ = measure(flickering((600.0, 700.0), (1150.0,)), without=("brings_back",), options=touched)
    assert response == near(150)


def test_a_speck_that_flickered_long_before_the_action_decides():
    paint = flickering((300.0, 400.0), (4150.0,), opens_ms=4400.0)
    (response, _), _ = measure(paint, 6.0, ("again",), MeasureOptions(action_ms=4000.0))
    assert response == near(150)


def test_a_speck_that_had_flickered_is_the_answer_where_there_is_no_other():
    paint = flickering((600.0, 700.0), (1150.0,), opens_ms=9000.0)
    (response, finish), _ = measure(paint, without=("again", "brings_back"))
    assert (response, finish) == (near(150), near(150))
