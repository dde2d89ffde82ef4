"""Carets that blink, on events made by hand: they decide nothing, letters and what resembles carets do."""

import numpy as np
import pytest

from tests.analysis.events.acted import CARET, blinking, left_out, measure, near, opens
from tests.analysis.events.handmade import film_blocks, slots


def test_a_caret_decides_neither_moment_and_the_screen_settles():
    def paint(board, time):
        blinking(board, time)
        opens(board, time)

    (response, finish), moments = measure(paint)
    assert (response, finish, moments.settles) == (near(200), near(200), True)
    assert set(left_out(paint, "finish")) == {"caret", None}


def test_without_its_rule_the_caret_would_decide():
    def paint(board, time):
        blinking(board, time)
        opens(board, time)

    (response, _), _ = measure(paint, without={"caret", "keeps_time", "brings_back"})
    assert response == near(60)


def test_a_letter_beside_a_caret_counts():
    def paint(board, time):
        blinking(board, time)
        if time >= 1300:
            board[10:13, 4] = 40

    (response, finish), moments = measure(paint, seconds=5)
    assert (response, finish, moments.settles) == (near(300), near(300), True)


def gone(times, place=CARET, letter=None, letter_at=0.0):
    """Paint a bar that goes and comes at the times, and a letter; a page opens at 1400 ms."""

    def paint(board, time):
        if not sum(time >= at - 1 for at in times) % 2:
            board[place] = 40
        if letter is not None and time >= letter_at - 1:
            board[letter] = 100
        opens(board, time, 1400)

    return paint


def test_a_caret_that_went_once_between_action_and_answer_is_no_response():
    assert measure(gone((1100.0, 1600.0)), seconds=2)[0] == [near(400), near(400)]
    assert measure(gone((1100.0, 1600.0)), seconds=2, without={"caret"})[0] == [near(100), near(600)]


@pytest.mark.parametrize(
    "place",
    [
        (slice(10, 13), slice(5, 8)),  # as wide as a letter
        (slice(10, 12), slice(5, 7)),  # a dot
        (slice(10, 20), slice(5, 6)),  # longer than a line is high
        (slice(10, 13), slice(28, 29)),  # beside the right edge, as a scrollbar
        (slice(10, 13), slice(29, 30)),  # at it
        (slice(10, 13), slice(0, 1)),  # at the left edge
    ],
)
def test_what_has_not_the_shape_of_a_caret_counts_when_it_goes_and_comes(place):
    assert measure(gone((1100.0, 1600.0), place), seconds=2)[0] == [near(100), near(600)]


def test_a_caret_at_the_beginning_of_a_line_beside_the_left_edge_is_one():
    assert measure(gone((1100.0, 1600.0), (slice(10, 13), slice(1, 2))), seconds=2)[0] == [near(400), near(400)]


def test_a_bar_that_goes_for_good_counts():
    assert measure(gone((1100.0,)), seconds=3)[0] == [near(100), near(400)]


def test_a_bar_that_comes_back_at_once_counts_as_a_flash():
    assert measure(gone((1100.0, 1250.0)), seconds=3)[0] == [near(100), near(400)]


@pytest.mark.parametrize("columns", [slice(4, 5), slice(6, 7), slice(5, 6)])
def test_a_letter_counts_as_it_shows_a_third_picture(columns):
    """The caret goes, a letter comes beside it or in its place, while the caret blinks on."""
    paint = gone((1100.0, 1600.0, 2100.0), letter=(slice(11, 13), columns), letter_at=1800.0)
    assert measure(paint, seconds=2.5)[0] == [near(400), near(800)]


def test_a_caret_that_blinked_once_is_known_where_a_letter_moved_it_on():
    def paint(board, time):
        if time < 1100 - 1 or time >= 1300 - 1:
            board[CARET] = 40 if time < 1300 - 1 else 60
        if 1300 - 1 <= time < 1800 - 1:
            board[10:13, 7] = 40

    assert measure(paint, seconds=2.1)[0] == [near(300), near(300)]


@pytest.mark.parametrize(("comes", "response"), [(1100.0, 100), (600.0, 400)])
def test_a_caret_that_is_new_is_the_answer_and_its_blinks_are_not(comes, response):
    """It comes after the action, after a rest in which it would have blinked; or it has been there before."""
    blinks = [comes, comes + 500, comes + 1000, comes + 1500]
    found, moments = measure(gone((0.0, *blinks)), seconds=3)
    assert (found, moments.settles) == ([near(response), near(400)], True)


def test_a_caret_that_fades_does_not_finish_with_the_first_step_of_a_fade_that_is_cut_off():
    """It begins to blink after the answer; the last step goes 28 % of the way."""

    def paint(board, time):
        shown = float(np.clip(abs((time + 64) % 1000 - 500) / 50 - 3, 0, 1))
        board[CARET] = 200 - 160 * (shown if time > 1300 else 1)
        opens(board, time)

    seconds = 2.26
    recording, changes = film_blocks(paint, slots(seconds))
    assert np.count_nonzero(changes.count[recording.picture_ms > 2200]) == 1
    (_, finish), moments = measure(paint, seconds)
    assert (finish, moments.settles) == (near(200), True)


@pytest.mark.parametrize("fades", [True, False])
def test_a_caret_that_fades_at_the_action_hides_no_letter(fades):
    def paint(board, time):
        shown = float(np.clip(abs((time + 60) % 1000 - 500) / 100 - 1, 0, 1)) if fades else 1.0
        board[CARET] = 200 - 160 * shown
        if time >= 1100 - 1:
            board[10:13, 6:8] = 60

    assert measure(paint, seconds=2)[0] == [near(100), near(100)]


def test_a_little_thing_that_blinks_is_no_caret_unless_it_is_narrow():
    def paint(board, time):
        if sum(time >= at - 1 for at in (400, 1000, 1850)) % 2:
            board[10:12, 5:8] = 40
        opens(board, time)

    found, moments = measure(paint, seconds=2.4)
    assert found == [near(200), near(200)]
    assert (moments.settles, moments.background.caret.any()) == (False, False)
    assert measure(paint, seconds=2.4, without={"blinking", "mark", "again"})[0] == [near(200), near(850)]


def test_a_large_thing_that_blinks_is_no_caret():
    def paint(board, time):
        blinking(board, time, place=(slice(0, 20), slice(0, 30)))
        opens(board, time)

    _, moments = measure(paint)
    assert not moments.background.caret.any()
    assert moments.settles is False
