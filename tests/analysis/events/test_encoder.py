"""What an encoder sharpens, corrects and refines, on events made by hand: it decides nothing, a step does."""

import numpy as np
import pytest

from analysis.options import MeasureOptions
from tests.analysis.events import handmade
from tests.analysis.events.acted import ACTION_MS, ELSEWHERE, OPTIONS, measure, near, opens
from tests.analysis.events.handmade import SLOT, film_blocks, find_in, judged, slots


def coarse_at_first(board, time, until=250.0):
    """The first picture is sharpened in every slot, by less and less, here up, there down."""
    signs = np.where(np.add.outer(np.arange(board.shape[0]), np.arange(board.shape[1])) % 2, 1, -1)
    board += signs * 10 * np.ceil(max(0.0, 1 - time / until) * 12)


@pytest.mark.parametrize(("action_ms", "answers_ms"), [(0.0, 400.0), (100.0, 400.0)])
def test_the_first_picture_is_sharpened_and_no_response(action_ms, answers_ms):
    def paint(board, time):
        coarse_at_first(board, time)
        opens(board, time, answers_ms)

    options = MeasureOptions(action_ms=action_ms)
    assert measure(paint, options=options)[0][0] == near(answers_ms - action_ms)
    assert measure(paint, options=options, without=["first"])[0][0] < 50


@pytest.mark.parametrize(("at", "level"), [(150.0, 190), (400.0, 190), (100.0, 120)])
def test_what_comes_after_a_rest_or_is_strong_is_a_response_from_the_first_picture_on(at, level):
    def paint(board, time):
        if level == 120:
            coarse_at_first(board, time)
        if time >= at - 1:
            board[ELSEWHERE] = level

    assert measure(paint, options=MeasureOptions())[0][0] == near(at)


def test_what_is_much_more_than_the_first_picture_still_stirs_by_is_a_response():
    """Grain goes on all over the picture: the sharpening had faded by then."""

    def paint(board, time):
        coarse_at_first(board, time, until=150.0)
        if time >= 150:
            board += 1.2 * (1 if round(time / SLOT) % 2 else -1)
        if time >= 299:
            board[ELSEWHERE] -= 12

    assert measure(paint, options=MeasureOptions(action_ms=200.0))[0][0] == near(100)


@pytest.mark.parametrize(
    ("variable", "levels", "finish"), [(False, 8, 400), (True, 8, 500), (False, 20, 500)],
    ids=["a correction", "written for a reason", "too strong for a correction"],
)  # fmt: skip
def test_an_encoders_correction_is_no_finish_at_a_constant_rate(variable, levels, finish):
    def paint(board, time):
        if time >= 1200:
            board[10:40, : min(26, 2 + 2 * int((time - 1200) / SLOT))] = 60
        if time >= 1400 - 1:
            board[10:40, 26:30] = 60
        if time >= 1500 - 1:
            board[20, 10] = 60 + levels

    recording, changes = film_blocks(paint, slots(3), variable=variable)
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.finish] - ACTION_MS == near(finish)


@pytest.mark.parametrize(("levels", "finish_ms"), [(8, 300), (4, 200)], ids=["seen", "too faint to be seen"])
def test_three_blocks_after_a_picture_without_any_are_a_step_if_they_are_seen(monkeypatch, levels, finish_ms):
    monkeypatch.setattr(handmade, "VISIBLE_LEVELS", 3.0)

    def paint(board, time):
        if time >= 1200:
            board[10:40] = 60
        if time >= 1217:
            board[2, 2] = 202
        if time >= 1300:
            board[20, 10:13] = 60 + levels

    (_, finish), _ = measure(paint)
    assert finish == near(finish_ms)


@pytest.mark.parametrize(
    ("place", "finish_ms"),
    [(np.s_[2:4, 28], 300), (np.s_[20:22, 10], 200), (np.s_[2, 28], 200)],
    ids=["had rested", "had moved", "a single block"],
)
def test_what_had_rested_while_a_page_changed_is_no_correction_of_that(place, finish_ms):
    """An arrow at its edge turns on by a little: an encoder has nothing to correct there."""

    def paint(board, time):
        if time >= 1199:
            board[10:40, :26] = 60
        if time >= 1299:
            board[place] -= 8

    (_, finish), _ = measure(paint)
    assert finish == near(finish_ms)


def test_where_the_beginning_of_a_motion_passed_there_is_something_to_correct():
    """A card slides over the place by less than a hundred blocks a picture, and a page opens beside it."""

    def paint(board, time):
        if time >= 1199:
            board[10:40, : min(13, 2 + 2 * int((time - 1199) / SLOT))] = 60
        if time >= 1399:
            board[10:40, 14:28] = 60
        if time >= 1499:
            board[20:22, 5] -= 8

    (_, finish), _ = measure(paint)
    assert finish == near(400)


def test_what_changes_most_tells_whether_there_is_something_to_correct():
    """The edge of a page is drawn a little otherwise beside an arrow that turns on."""

    def paint(board, time):
        if time >= 1199:
            board[10:40, :26] = 60
        if time >= 1299:
            board[10:12, 25] -= 6.5
            board[10:12, 26] -= 9

    (_, finish), _ = measure(paint)
    assert finish == near(300)


@pytest.mark.parametrize(
    ("levels", "height", "response"), [(1.0, 3, 500), (1.0, 12, 200), (1.5, 1, 200)],
    ids=["no more than elsewhere", "more than a neighbourhood", "stands out"],
)  # fmt: skip
def test_what_an_encoder_refines_all_over_the_picture_is_no_response(levels, height, response):
    """A few blocks lie over the limit while scattered ones all over the screen stir by a level."""

    def paint(board, time):
        if time >= 1199:
            board[::5, ::5] += 1
            board[20, 10] = 200 + levels
        opens(board, time, 1500)

    recording, changes = film_blocks(paint, slots(3))
    stirred = int(np.searchsorted(recording.picture_ms, 1199))
    find_in(changes, stirred, (slice(20, 20 + height), 10))
    moments = judged(recording, changes, OPTIONS, {"faint"})
    assert recording.time_ms[moments.response] - ACTION_MS == near(response)
    assert recording.time_ms[moments.finish] - ACTION_MS == near(500)
