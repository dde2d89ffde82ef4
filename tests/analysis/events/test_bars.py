"""What systems and recorders draw at the screen's edges, on events made by hand."""

import pytest

from tests.analysis.events import handmade
from tests.analysis.events.acted import ACTION_MS, OPTIONS, blinking, measure, near, opens
from tests.analysis.events.handmade import SLOT, film_blocks, judged

LIGHT = (slice(0, 2), slice(1, 5))
HANDLE = (slice(46, 47), slice(8, 20))  # 12 blocks of 1,440
BUTTON = (slice(20, 25), slice(25, 30))


def finish(paint, without=()):
    """Return when the screen came to rest, ms after the action; a page opens 200 ms after it."""

    def painted(board, time):
        paint(board, time)
        opens(board, time)

    return measure(painted, without=without)[0][1]


def toggling(*times, place=LIGHT):
    def paint(board, time):
        board[place] = 60 if sum(time >= at - 1 for at in times) % 2 else 160

    return paint


def fading(place, at, seconds=0.3):
    def paint(board, time):
        done = min(max((time - at) / (1000 * seconds), 0.0), 1.0)
        board[place] = 50 + 150 * done

    return paint


def test_a_caret_that_blinks_meanwhile_leaves_a_light_alone():
    def paint(board, time):
        blinking(board, time)
        toggling(2300.0)(board, time)

    assert finish(paint) == near(200)
    assert finish(paint, without={"edge"}) == near(1300)


@pytest.mark.parametrize(("until", "finish_ms"), [(9000, 200), (2400, 1400)], ids=["to the end", "rests"])
def test_what_goes_on_to_the_end_is_no_company_for_a_light(until, finish_ms):
    """A light in the bar changes once, 100 ms before a dot that pulses stops, if it does."""

    def paint(board, time):
        toggling(2300.0)(board, time)
        if 1300 <= time < until:
            board[20, 10:12] = 60 + 40 * (round(time / SLOT) % 3)

    assert finish(paint) == near(finish_ms)


def test_what_goes_on_in_the_answer_to_the_end_is_no_company_either():
    """The page that opens shows a dot that pulses from then on: of this event its own steps count alone."""

    def paint(board, time):
        toggling(2300.0)(board, time)
        opens(board, time)
        if time >= ACTION_MS + 200:
            board[35, 12:14] = 60 + 40 * (round(time / SLOT) % 3)

    assert measure(paint)[0][1] == near(200)


def test_a_handle_that_fades_late_is_no_finish():
    assert finish(fading(HANDLE, 2000.0)) == near(200)
    assert finish(fading((slice(46, 48), slice(2, 28)), 2000.0)) == near(1300)  # as large as an app's own bar


def test_a_handle_of_coarse_blocks_is_one_below_and_none_above():
    """In a small film it lies in two rows of blocks, which are more of its screen."""
    assert finish(fading((slice(46, 48), slice(9, 20)), 2000.0)) == near(200)
    assert finish(fading((slice(46, 48), slice(9, 22)), 2000.0)) == near(1300)
    assert finish(fading((slice(0, 2), slice(9, 20)), 2000.0)) == near(1300)


def test_a_light_that_moves_since_before_the_action_is_no_finish():
    """It never goes back, is never alone, and rests soon after the page opened."""

    def paint(board, time):
        board[LIGHT] = 40 + 12 * min(max((time - 399) // 83, 0), 12)

    assert finish(paint) == near(200)
    assert finish(paint, without={"bar_moves"}) == near(400)


def test_a_light_that_changes_again_and_again_after_the_action_is_no_finish():
    switched = toggling(1350.0, 2100.0, 3300.0)
    assert finish(switched) == near(200)
    assert finish(switched, without={"bars"}) == near(350)


@pytest.mark.parametrize("times", [(1350.0,), (1350.0, 2100.0)])
def test_what_changes_in_the_bars_right_after_the_answer_and_not_again_and_again_belongs_to_it(times):
    assert finish(toggling(*times)) == near(350)


def test_a_button_that_slips_into_the_edge_late_is_no_finish():
    assert finish(fading(BUTTON, 2200.0)) == near(200)
    assert finish(fading(BUTTON, 2200.0), without={"aside"}) == near(1500)


@pytest.mark.parametrize(
    "place",
    [
        (slice(20, 25), slice(20, 25)),  # away from the edge
        (slice(10, 26), slice(22, 30)),  # larger than a button
    ],
    ids=["inside", "large"],
)
def test_what_resembles_a_button_is_the_finish(place):
    assert finish(fading(place, 2200.0)) == near(1500)


def test_what_comes_at_the_edge_late_is_the_finish():
    """A line of a file manager says how many files there are; nothing had been there to slip aside."""

    def paint(board, time):
        board[BUTTON] = 50 if time >= 2199 else 200

    assert finish(paint) == near(1200)


def test_a_button_that_slips_aside_as_the_page_opens_belongs_to_it():
    assert finish(fading(BUTTON, 1300.0)) == near(600)


def test_a_button_that_lets_the_page_through_slips_aside_as_well():
    def paint(board, time):
        fading(BUTTON, 2200.0)(board, time)
        board[BUTTON] -= 40 * (time >= 1199)

    assert finish(paint) == near(200)


SCROLLBAR = (slice(10, 30), slice(29, 30))


def test_a_scrollbar_that_was_there_before_the_action_is_no_finish_when_it_goes():
    assert finish(fading(SCROLLBAR, 2200.0)) == near(200)
    assert finish(fading(SCROLLBAR, 2200.0), without={"scrollbar"}) == near(1500)


@pytest.mark.parametrize("since", [ACTION_MS + 200, ACTION_MS + 500], ids=["with the page", "after it"])
def test_a_scrollbar_that_came_with_the_answer_or_after_it_ends_it(since):
    def paint(board, time):
        opens(board, time)
        if since - 1 <= time < 2199:
            board[SCROLLBAR] = 60

    assert finish(paint) == near(1200)


@pytest.mark.parametrize(
    "place",
    [(slice(10, 30), slice(25, 26)), (slice(10, 30), slice(27, 30)), (slice(10, 13), slice(29, 30))],
    ids=["inside", "wide", "short"],
)
def test_what_resembles_a_scrollbar_is_the_finish(place):
    assert finish(fading(place, 2200.0), without={"aside"}) == near(1500)


def test_a_bar_that_comes_at_the_edge_is_the_finish():
    def paint(board, time):
        opens(board, time)
        if time >= 2199:
            board[SCROLLBAR] = 60

    assert finish(paint) == near(1200)


def test_where_nothing_else_answers_a_button_at_the_edge_does():
    (response, ended), _ = measure(fading(BUTTON, ACTION_MS + 100))
    assert response <= 100 + 3 * SLOT
    assert ended == near(400)


def test_a_light_that_moves_does_not_reach_into_the_app_below():
    """What is tapped right below it answers, and the page opens later."""

    def paint(board, time):
        board[LIGHT] = 40 + 12 * min(max((time - 399) // 83, 0), 8)
        board[4:6, 2:4] = 60 if time >= ACTION_MS + 50 else 160
        opens(board, time)

    (response, ended), _ = measure(paint)
    assert response == near(50)
    assert ended == near(200)


def test_a_light_that_stirs_just_before_the_answer_does_not_begin_it():
    def paint(board, time):
        board[LIGHT] = 100 + 4 * (time >= ACTION_MS + 160) + 30 * (time >= ACTION_MS + 200)
        board[LIGHT] += 30 * (time >= 2100) - 30 * (time >= 3300)
        opens(board, time)

    (response, _), _ = measure(paint)
    assert response == near(200)


def test_a_light_that_fades_in_since_before_the_action_is_no_response(monkeypatch):
    """Each of its steps is too faint to be seen; they were found together."""
    monkeypatch.setattr(handmade, "VISIBLE_LEVELS", 2.0)

    def paint(board, time):
        board[LIGHT] = 60 + 2.5 * min(max((time - ACTION_MS + 201) // 33, 0), 30)
        opens(board, time)

    (response, _), _ = measure(paint)
    assert response == near(200)
    (response, _), _ = measure(paint, without={"bar_moves"})
    assert response < 50


def test_a_light_that_is_found_to_fade_only_after_the_action_is_no_response(monkeypatch):
    """Its steps before the action are fainter still: all of them together tell that it was in motion."""
    monkeypatch.setattr(handmade, "VISIBLE_LEVELS", 2.25)

    def paint(board, time):
        before, after = (min(max((time - since) // 33, 0), 30) for since in (ACTION_MS - 201, ACTION_MS + 30))
        board[0:2, 1:6] = 60 + 2 * min(before, 6) + 2.5 * after
        opens(board, time)

    (response, _), _ = measure(paint)
    assert response == near(200)
    (response, _), _ = measure(paint, without={"bar_moves"})
    assert response < 80


@pytest.mark.parametrize(
    ("stirs_at", "elsewhere", "finish_ms"),
    [
        ((0, 1), (), 200),
        ((1,), (), 400),
        ((1,), (0, 25), 400),
        ((0, 1), (30, 20), 400),
        ((-2, 1), (), 400),
    ],
    ids=["turns", "stirs once", "two stir in turns", "all stirs", "seldom"],
)
def test_an_icon_that_turns_too_faintly_to_be_seen_until_the_page_changes_is_no_finish(
    stirs_at, elsewhere, finish_ms
):
    """Ten pictures a second: the action is one of the last two before the answer."""
    before = [ACTION_MS - 100 * (1 - at) for at in stirs_at]

    def paint(board, time):
        board[0, 10] = 100 + 4 * sum(time >= at - 1 for at in before)
        if elsewhere:
            board[elsewhere] = 100 + 4 * (time >= ACTION_MS - 101)
        opens(board, time)
        if time >= ACTION_MS + 199:
            board[0, 10] = 100 + 20 * round((min(time, ACTION_MS + 400) - ACTION_MS) / 100)

    recording, changes = film_blocks(paint, [100.0 * at for at in range(31)])
    ended = recording.time_ms[judged(recording, changes, OPTIONS).finish]
    assert ended - ACTION_MS == finish_ms
