"""A cursor with a disc around it, wider than any arrow, on recordings made of blocks by hand."""

import numpy as np
import pytest

from analysis.events.cursor import hidden_steps
from analysis.events.cursor.pointer import find_pointer
from analysis.options import MeasureOptions
from tests.analysis.cursor_scenes import at_hand
from tests.analysis.events.handmade import SHAPE, SLOT, film_blocks, judged, slots
from tests.synthetic import every

ACTION_MS, ANSWERS_MS, WIDE = 500.0, 600.0, 8
TAP = MeasureOptions(action_ms=ACTION_MS)


def way(sets_out_ms=1200.0, takes_ms=400.0, to=(18, 4)):
    """Return where its corner is, column and row: it rests where it clicks, and then a hand moves it."""
    return [(0.0, 4.0, 34.0), (sets_out_ms, 4.0, 34.0), (sets_out_ms + takes_ms, *to)]


def finish(places=None, bend=0.15, trail=(), answers_ms=ANSWERS_MS, hz=60, ticks_ms=9000.0, options=TAP):
    """Return when all is at rest; `trail` are ms from and to which an encoder leaves some of it behind."""
    places = places or way()

    def paint(board, time):
        if time >= answers_ms - 1:
            board[2:28, 16:28] = 90
        if time >= ticks_ms:
            board[40:43, 24:27] = 90
        column, row = (round(place) for place in at_hand(places, bend, time))
        board[row : row + WIDE, column : column + WIDE] -= 60
        if any(since <= time < until for since, until in trail):
            board[42:46, 11 + round(time / SLOT) % 2] -= 60

    recording, changes = film_blocks(paint, every(hz, 2.2))
    moments = judged(recording, changes, options)
    return float(recording.time_ms[moments.finish])


def test_a_disc_that_a_hand_moves_when_all_rests_is_no_finish():
    assert finish() == pytest.approx(ANSWERS_MS, abs=SLOT)


def test_after_a_swipe_it_is_none_only_if_nothing_moved_just_before():
    """What was dragged may have gone where its way begins."""
    swipe = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
    assert finish(options=swipe) == pytest.approx(ANSWERS_MS, abs=SLOT)
    assert finish(trail=[(ANSWERS_MS + 20, 1200)], options=swipe) > 1400


def test_where_a_trail_hides_how_it_sets_out_the_rest_of_its_way_is_known():
    """It has not set out with the trail, so that late is no answer's beginning."""
    assert finish(trail=[(1200, 1270)]) < 1300 < finish(way(), bend=0.0)


def with_small_cursor(paint, places=None, seconds=2.2, hz=60):
    """Return what is filmed, and its changes, where a hand moves a small cursor over what `paint` draws."""

    def all_of_it(board, time):
        paint(board, time)
        column, row = (round(place) for place in at_hand(places or way(), 0.15, time))
        board[row : row + 4, column : column + 4] -= 60

    return film_blocks(all_of_it, every(hz, seconds))


PAGE, TICK = np.s_[2:28, 16:28], np.s_[44:47, 14:18]


@pytest.mark.parametrize("answer", [PAGE, TICK], ids=["large", "small"])
@pytest.mark.parametrize(("blurred", "until_ms"), [(np.s_[34:40, 9:13], 1200), (np.s_[30:44, 9:12], 1250)])
def test_what_an_encoder_blurs_beside_a_small_cursor_as_it_sets_out_is_no_finish(blurred, until_ms, answer):
    """So no path of it begins there."""

    def paint(board, time):
        if time >= ANSWERS_MS - 1:
            board[answer] = 90
        if 1183 <= time < until_ms:
            board[blurred] -= 60

    recording, changes = with_small_cursor(paint)
    assert recording.time_ms[judged(recording, changes, TAP).finish] == pytest.approx(ANSWERS_MS, abs=SLOT)


def test_where_something_small_answered_a_slow_screen_may_answer_again_where_the_cursor_goes():
    """Between two of its pictures a hand may rest and click."""

    def paint(board, time):
        if time >= ANSWERS_MS - 1:
            board[TICK] = 90
        if 1183 <= time < 1250:
            board[30:44, 9:12] -= 60

    recording, changes = with_small_cursor(paint, hz=15)
    assert recording.time_ms[judged(recording, changes, TAP).finish] > 1200


@pytest.mark.parametrize(("hz", "is_asked"), [(60, True), (15, False)], ids=["quick", "slow"])
def test_what_comes_at_once_between_two_of_its_steps_is_its_own_on_a_quick_screen(hz, is_asked, monkeypatch):
    """Blocks show a small cursor whole or not at all; pixels show parts of it, which an encoder blurs."""
    everything = np.ones(SHAPE, bool)
    monkeypatch.setattr(hidden_steps, "moves_at_once", lambda _, since, *__: {max(since): everything})

    def paint(board, time):
        if time >= ANSWERS_MS - 1:
            board[PAGE] = 90

    recording, changes = with_small_cursor(paint, hz=hz)
    steps = find_pointer(recording, changes, np.zeros(SHAPE, bool), TAP).steps
    assert any(blocks.all() for blocks in steps.values()) is is_asked


@pytest.mark.parametrize(
    ("goes", "seconds", "ends_ms"), [((2450.0, 4, 34), 2.2, ANSWERS_MS), ((2184.0, 17, 6), 2.6, 2183.0)]
)
def test_what_goes_on_from_where_a_small_cursor_rests_is_its_own_if_the_film_is_cut_in_it(goes, seconds, ends_ms):
    """Two steps show no path; where the screen rests afterwards, something may have answered under it."""

    def paint(board, time):
        if time >= ANSWERS_MS - 1:
            board[PAGE] = 90

    recording, changes = with_small_cursor(paint, [*way(), (2150.0, 18, 4), goes], seconds)
    assert recording.time_ms[judged(recording, changes, TAP).finish] == pytest.approx(ends_ms, abs=SLOT)


@pytest.mark.parametrize(
    ("high", "answers_ms", "whole"),
    [(4, ANSWERS_MS, True), (26, ANSWERS_MS, False), (4, 2100.0, False)],
    ids=["little", "more", "before anything answers"],
)
def test_a_step_over_what_blinks_is_the_cursors_whole(high, answers_ms, whole):
    """An encoder carries a caret into what lies beside it, so there nothing decides; letters come there first."""
    crosses_ms, steady = 1817, np.zeros(SHAPE, bool)
    steady[:34, 9:16] = True

    def paint(board, time):
        if time >= answers_ms - 1:
            board[PAGE] = 90
        if time >= crosses_ms - 1:
            board[26 - high : 26, 13] = 90

    places = [(0.0, 4.0, 34.0), (1630.0, 4.0, 34.0), (2030.0, 18.0, 4.0)]
    recording, changes = with_small_cursor(paint, places)
    steps = find_pointer(recording, changes, steady, TAP, steady).steps
    crosses = int(np.abs(recording.picture_ms - crosses_ms).argmin())
    assert bool((steps[crosses] == changes.blocks(crosses)).all()) is whole


def test_a_movement_in_which_the_film_ends_leads_from_where_it_was_seen_last():
    """Two pictures show no path, and each lies as far from the one before as it is wide."""
    assert finish([*way(), (2150.0, 18, 4), (2184.0, 2, 4)]) == pytest.approx(ANSWERS_MS, abs=SLOT)


@pytest.mark.parametrize(
    "case",
    [
        {"bend": 0.0},
        {"places": way(sets_out_ms=ANSWERS_MS + 20)},
        {"ticks_ms": 1180.0},
        {"answers_ms": 9000.0},
        {"places": way(to=(7, 32))},
        {"places": way(takes_ms=330.0), "hz": 15},
        {"places": [(0.0, 18, 4), (440.0, 4, 34), *way(takes_ms=330.0)[1:]], "hz": 15},
    ],
    ids=[
        "straight",
        "with the answer",
        "with a tick",
        "as the only answer",
        "a little way",
        "in few pictures",
        "once more",
    ],
)
def test_what_an_app_may_move_is_a_finish(case):
    arrives_ms = case.get("places", way())[-1][0]
    assert finish(**case) > arrives_ms - 150  # slowly at last


def test_a_step_larger_than_two_such_discs_is_the_apps():
    """Something opens at last, far from it."""

    def paint(board, time):
        if time >= ANSWERS_MS - 1:
            board[2:28, 16:28] = 90
        column, row = (round(place) for place in at_hand(way(), 0.15, time))
        board[row : row + WIDE, column : column + WIDE] -= 60
        if time >= 1999:
            board[22:47, :] = 120

    recording, changes = film_blocks(paint, slots(2.4))
    moments = judged(recording, changes, TAP)
    assert recording.time_ms[moments.finish] == pytest.approx(2000, abs=SLOT)
    assert np.isclose(recording.time_ms[moments.response], ANSWERS_MS, atol=SLOT)
