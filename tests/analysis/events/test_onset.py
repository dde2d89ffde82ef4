"""Where the response begins, on events made by hand: before a fade can be seen, or with the first stir."""

import numpy as np
import pytest

from analysis.events.moments import decide, look
from tests.analysis.events.acted import ACTION_MS, ELSEWHERE, OPTIONS, near
from tests.analysis.events.handmade import SLOT, film_blocks, find_in, judged, nothing_ignored, slots


def test_a_fade_began_before_any_block_shows_it():
    def paint(board, time):
        board[5:45, 5:25] = 200 - 0.05 * np.clip(time - 1200, 0, 1000)

    recording, changes = film_blocks(paint, slots(4))
    changes.count[:] = 0
    found = int(np.searchsorted(recording.picture_ms, 1700))
    find_in(changes, found, (slice(5, 45), slice(5, 25)))
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(250, abs=60)
    without = judged(recording, changes, OPTIONS, without={"fade"})
    assert recording.time_ms[without.response] == near(1700)


def stirs(board, time):
    """Paint what stirs 200 ms after the action, and answers in the next picture."""
    if time >= 1200 - 1:
        board[30, 8:11] = 196
    if time >= 1216:
        board[ELSEWHERE] = 60


@pytest.mark.parametrize(("variable", "response"), [(False, 200), (True, 217)])
def test_the_first_stir_after_a_rest_belongs_to_the_response_at_a_constant_rate(variable, response):
    recording, changes = film_blocks(stirs, slots(3), variable=variable)
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(response, abs=1.5)
    assert ("rest" in moments.onset.found_by) is not variable


@pytest.mark.parametrize(("comes", "response"), [(True, 217), (False, 200)])
def test_what_a_window_stirs_as_it_comes_to_the_front_is_not_its_beginning(comes, response):
    recording, changes = film_blocks(stirs, slots(3))
    frame = np.zeros(changes.shape, dtype=bool)
    frame[:2] = True
    focus = {int(np.searchsorted(recording.picture_ms, 1200 - 1)): frame} if comes else {}
    moments = decide(look(recording, changes, OPTIONS, nothing_ignored(), focus=focus))
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(response, abs=1.5)


@pytest.mark.parametrize(("stirs_ms", "response"), [(1000, 17), (1017, 17)])
def test_what_stirs_in_the_very_picture_of_the_action_is_not_its_beginning(stirs_ms, response):
    def paint(board, time):
        if time >= stirs_ms - 1:
            board[30, 8:11] = 196
        if time >= (1017 if stirs_ms == 1000 else 1033) - 1:
            board[ELSEWHERE] = 60

    recording, changes = film_blocks(paint, slots(3))
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(response, abs=1.5)


def test_a_fade_does_not_begin_with_what_still_moved_there_in_the_very_picture_of_the_action():
    """The last step of a motion dims the page by a little in that picture; 200 ms later it goes dark at once."""

    def paint(board, time):
        if time >= 1000 - 1:
            board[5:45, 5:25] = 190
        if time >= 1200 - 1:
            board[5:45, 5:25] = 60

    recording, changes = film_blocks(paint, slots(3))
    moved = int(np.searchsorted(recording.picture_ms, 1000 - 1))
    changes.count[moved] = 0  # by too little to be seen
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(200, abs=1.5)


@pytest.mark.parametrize(("step_ms", "response"), [(SLOT, 183), (80.0, 280)])
def test_the_first_stir_of_a_slow_recorder_is_no_response(step_ms, response):
    """What a screen shows 80 ms before an answer would be more than a stir."""
    answer = 1200 if step_ms < 50 else 1280

    def paint(board, time):
        if time >= answer - step_ms - 1:
            board[30, 8:11] = 196
        if time >= answer - 1:
            board[ELSEWHERE] = 60

    recording, changes = film_blocks(paint, [step_ms * index for index in range(round(3000 / step_ms))])
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(response, abs=3)


def test_a_caret_that_blinks_just_before_and_beside_an_answer_is_not_its_beginning():
    def paint(board, time):
        if not sum(time >= at - 1 for at in (183, 683, 1183)) % 2:
            board[32:35, 6] = 40
        if time >= 1216:
            board[ELSEWHERE] = 60

    recording, changes = film_blocks(paint, slots(1.6))
    moments = judged(recording, changes, OPTIONS)
    assert recording.time_ms[moments.response] - ACTION_MS == pytest.approx(217, abs=1.5)
