"""Little changes in the system's bars, on events made by hand: an arrow or a digit there is no answer."""

import numpy as np
import pytest

from analysis.events.background import find_background
from analysis.events.bars import Company
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import find_events
from analysis.events.touch import system_bars
from analysis.options import MeasureOptions
from analysis.video.grid import BlockGrid
from tests.analysis.events.acted import ACTION_MS, ELSEWHERE, measure, near, opens
from tests.analysis.events.handmade import SHAPE, film_blocks, nothing_ignored, slots

ARROW = (slice(1, 2), slice(24, 26))  # in the status bar
HANDLE = (slice(46, 47), slice(13, 16))
ICONS = (slice(1, 2), slice(20, 26))
TITLE = (slice(4, 5), slice(24, 26))  # below the status bar


def appears(at, place):
    def paint(board, time):
        opens(board, time)
        if time >= at - 1:
            board[place] = 60

    return paint


@pytest.mark.parametrize("place", [ARROW, HANDLE])
def test_a_little_change_alone_in_the_bars_decides_neither_moment(place):
    early, moments = measure(appears(1600.0, place))
    assert (early, moments.settles) == ([near(200), near(200)], True)
    assert measure(appears(1600.0, place), without=["edge", "spot_after"])[0] == [near(200), near(600)]

    def before_the_answer(board, time):
        appears(1050.0, place)(board, time)
        board[ELSEWHERE] = 60 if time >= 1599 else 200

    assert measure(before_the_answer)[0] == [near(600), near(600)]
    assert measure(before_the_answer, without=["edge", "spot"])[0] == [near(50), near(600)]


def test_nothing_but_the_bars_is_no_response():
    def paint(board, time):
        if time >= 1299:
            board[ARROW] = 60

    moments = measure(paint)[1]
    assert moments.outcome == "no_response"
    assert "by itself" in moments.message


@pytest.mark.parametrize(
    ("place", "at", "finish"),
    [
        (TITLE, 1600.0, 600),  # the app's own
        (ICONS, 1400.0, 400),  # within 250 ms of the rest: it may belong to it
        ((slice(0, 3), slice(0, 30)), 1700.0, 700),  # the whole bar is not little
    ],
)
def test_what_is_the_apps_or_large_or_comes_with_the_rest_decides(place, at, finish):
    assert measure(appears(at, place))[0] == [near(200), near(finish)]


def test_what_the_finger_touched_answers_wherever_it_is():
    def paint(board, time):
        if time >= 1299:
            board[ARROW] = 60

    options = MeasureOptions(action_ms=ACTION_MS, touch_xy=(25 * 8, 5 * 8))
    assert measure(paint, options=options)[0] == [near(300), near(300)]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_bars_lie_where_the_picture_is_shown(rotation):
    grid = BlockGrid(240, 400, 8, rotation) if rotation in (0, 180) else BlockGrid(400, 240, 8, rotation)
    bars = system_bars(grid)
    rows, columns = grid.shape
    edge = {0: bars[:3], 180: bars[-3:], 90: bars[:, :3], 270: bars[:, -3:]}[rotation]
    other = {0: bars[-2:], 180: bars[:2], 90: bars[:, -2:], 270: bars[:, :2]}[rotation]
    assert edge.all()
    assert other.all()
    assert bars.sum() == pytest.approx(min(rows, columns) * 5.5, abs=16)


def test_bars_lie_within_a_screen_that_is_not_all_of_the_picture():
    bars = system_bars(BlockGrid(240, 400, 8), (40, 80, 200, 360))
    rows, columns = np.nonzero(bars)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (10, 44, 5, 24)
    assert not bars[13:42].any()


DIGIT = (slice(1, 2), slice(2, 4))  # of a clock


@pytest.mark.parametrize("at", [1250.0, 1400.0])
def test_a_spot_in_the_bars_soon_after_the_answer_is_no_finish_but_the_other_candidate(at):
    (_, finish), moments = measure(appears(at, DIGIT))
    sure = moments.confidence["finish"]
    assert finish == near(200)
    if at == 1400.0:  # so much later it would be another finish
        assert (sure.word, "bars" in sure.other.reason) == ("likely", True)
    assert measure(appears(at, DIGIT), without=["spot_after"])[0][1] == near(at - ACTION_MS)


def test_a_spot_in_the_bars_that_goes_on_or_comes_with_more_is_part_of_the_answer():
    def in_steps(board, time):
        appears(1400.0, DIGIT)(board, time)
        if time >= 1449:
            board[DIGIT] = 120

    def with_more(board, time):
        appears(1400.0, DIGIT)(board, time)
        if time >= 1399:
            board[40:42, 4:8] = 90

    def faintly(board, time):
        opens(board, time)
        if time >= 1399:
            board[DIGIT] = 192

    assert measure(faintly)[0][1] == near(400)
    assert measure(in_steps)[0][1] == near(450)
    assert measure(with_more)[0][1] == near(400)


@pytest.mark.parametrize(
    ("place", "at", "response"),
    [
        (DIGIT, 1100.0, 200),
        (DIGIT, 1150.0, 200),
        ((slice(1, 2), slice(2, 8)), 1100.0, 100),  # a button of the app's
        ((slice(5, 6), slice(2, 4)), 1100.0, 100),  # below the bars
    ],
    ids=["a digit", "just before", "larger", "below"],
)
def test_a_spot_in_the_bars_soon_before_the_answer_is_no_response(place, at, response):
    (found, _), moments = measure(appears(at, place))
    assert found == near(response)
    if response == 200 and at < 1150:
        assert moments.confidence["response"].word == "likely"
        assert measure(appears(at, place), without=["spot"])[0][0] == near(at - ACTION_MS)


def test_a_spot_in_the_bars_is_the_response_where_nothing_larger_answers_or_the_finger_was_there():
    def alone(board, time):
        board[DIGIT] = 60 if time >= 1099 else 200

    assert measure(alone, without=["edge"])[0][0] == near(100)
    finger = MeasureOptions(action_ms=ACTION_MS, touch_xy=(3 * 8, 2 * 8))
    assert measure(appears(1100.0, DIGIT), options=finger)[0][0] == near(100)


def test_a_cursor_that_moves_meanwhile_is_no_company():
    def paint(board, time):
        step = int(np.clip((time - 1500) // 50, 0, 8))
        board[20 + step : 22 + step, 10:12] = 60
        board[DIGIT] = 90 if time >= 1700 else 200

    recording, changes = film_blocks(paint, slots(2.5))
    times = recording.picture_ms
    events = find_events(changes, times)
    bars, options = system_bars(recording.grid), MeasureOptions(action_ms=ACTION_MS)
    background = find_background(recording, changes, events, options, nothing_ignored(), bars)
    moved = {picture: changes.blocks(picture) & (np.arange(SHAPE[0]) > 9)[:, None] for picture in range(len(times))}
    (digit,) = (event for event in events if event.corner[0] == 1)

    def company(pointer):
        return list(Company(events, background, changes, times, pointer).of(digit))

    assert company(Pointer(SHAPE, moved)) == []
    assert company(Pointer(SHAPE)) != []
