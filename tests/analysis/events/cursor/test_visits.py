"""Where small things come and go on a recording so that its pixels are looked at, on blocks painted by hand."""

import numpy as np
import pytest

from analysis.events.cursor.visits import is_visited
from tests.analysis.events.acted import ACTION_MS
from tests.analysis.events.handmade import film_blocks, nothing_ignored


@pytest.mark.parametrize(
    ("before", "step_ms", "looked"), [(True, 50 / 3, True), (False, 50 / 3, False), (False, 40, True)]
)
def test_pixels_are_looked_at_only_where_a_cursor_may_leap_or_moved_before_the_action(before, step_ms, looked):
    """At 60 Hz what moves a little after the action alone is followed by its blocks, without decoding it again."""

    def paint(board, time):
        step = int(max(time - (400 if before else 1200), 0) // step_ms)
        board[4 * min(step, 7) : 4 * min(step, 7) + 2, 6:8] = 40

    recording, changes = film_blocks(paint, np.arange(0, 2000, step_ms).tolist())
    assert is_visited(recording, changes, nothing_ignored(), ACTION_MS) is looked


@pytest.mark.parametrize(
    ("steps", "step_ms", "looked"), [(2, 40.0, True), (1, 40.0, False), (2, 50 / 3, False)],
    ids=["slow", "once", "quick"],
)  # fmt: skip
def test_pixels_are_looked_at_where_something_small_goes_alone_on_a_slow_film(steps, step_ms, looked):
    """A page opens, and half a second later a cursor leaps away: nothing comes back to what it was."""

    def paint(board, time):
        board[30:44, 4:26] = 90 if time >= 1200 else 200
        step = min(max(int((time - 1700) // step_ms) + 1, 0), steps)
        board[4 + 6 * step : 6 + 6 * step, 6:8] = 40 + step

    recording, changes = film_blocks(paint, np.arange(0, 2000, step_ms).tolist())
    assert is_visited(recording, changes, nothing_ignored(), ACTION_MS) is looked


def goes(step):
    """Return the row and column of something that goes on a bent way, a block in each picture."""
    return 4 + step, 8 + abs(step - 6)


def turns(step):
    """Return those of something that goes round and round."""
    return 20 + round(3 * np.sin(step)), 12 + round(3 * np.cos(step))


def creeps(step):
    """Return those of something that goes half a screen's line away."""
    return 20, 8 + step


def creeps_on(step):
    """Return those of something that goes as far again and again, and never stops."""
    return 20, 8 + step % 11


def sways(step):
    """Return those of something that goes there and back."""
    return 20, 8 + min(step, 10 - step)


@pytest.mark.parametrize(
    ("way", "steps", "beside", "looked"),
    [
        (goes, 14, False, True), (goes, 7, False, False), (turns, 40, False, False), (goes, 30, True, False),
        (creeps, 10, False, True), (creeps, 7, False, False), (creeps, 10, True, False), (sways, 10, False, False),
        (creeps_on, 99, False, False),
    ],
    ids=[
        "far", "not long", "a spinner", "beside something else",
        "to another place", "there not long", "there beside something else", "and back", "to the end",
    ],
)  # fmt: skip
def test_pixels_are_looked_at_where_one_small_thing_wanders_at_60_hz(way, steps, beside, looked):
    """A cursor that had rested since the film began goes away once the screen has answered."""

    def paint(board, time):
        board[30:44, 4:26] = 90 if time >= 1200 else 200
        step = min(max(round((time - 1300) * 60 / 1000), 0), steps)
        row, column = way(step)
        board[row : row + 2, column : column + 2] = 40
        if beside:
            board[44, 20] = 100 + step % 2 * 50

    recording, changes = film_blocks(paint, np.arange(0, 2000, 50 / 3).tolist())
    assert is_visited(recording, changes, nothing_ignored(), ACTION_MS) is looked


def stirs(board, time):
    """Something small that stirs in three pictures half a second before the action, and in some long after it."""
    board[20:22, 6:8] = 40 + 20 * sum(time >= at for at in (400, 420, 440, 1800, 1820))


@pytest.mark.parametrize("always", [False, True], ids=["elsewhere moves", "it is what moves"])
def test_pixels_are_looked_at_where_a_hand_moved_so_little_that_nothing_came_back(always):
    recording, changes = film_blocks(stirs, np.arange(0, 2000, 20.0).tolist())
    place = nothing_ignored()
    place[18:24, 4:10] = always
    assert is_visited(recording, changes, place, ACTION_MS, nothing_ignored())
    assert is_visited(recording, changes, place, ACTION_MS, place) is not always


def test_pixels_are_not_looked_at_for_what_never_rests():
    def spins(board, time):
        board[20:22, 6:8] = 40 + time % 90

    recording, changes = film_blocks(spins, np.arange(0, 2000, 20.0).tolist())
    place = nothing_ignored()
    place[18:24, 4:10] = True
    assert not is_visited(recording, changes, place, ACTION_MS, nothing_ignored())
