"""A cursor with a disc around it, wider than any arrow, on recordings made of blocks by hand."""

import numpy as np
import pytest

from analysis.options import MeasureOptions
from tests.analysis.cursor_scenes import at_hand
from tests.analysis.events.handmade import SLOT, film_blocks, judged, slots
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


@pytest.mark.parametrize(("blurred", "until_ms"), [(np.s_[34:40, 9:13], 1200), (np.s_[30:44, 9:12], 1250)])
def test_what_an_encoder_blurs_beside_a_small_cursor_as_it_sets_out_is_no_finish(blurred, until_ms):
    """So no path of it begins there."""

    def paint(board, time):
        if time >= ANSWERS_MS - 1:
            board[2:28, 16:28] = 90
        column, row = (round(place) for place in at_hand(way(), 0.15, time))
        board[row : row + 4, column : column + 4] -= 60
        if 1183 <= time < until_ms:
            board[blurred] -= 60

    recording, changes = film_blocks(paint, slots(2.2))
    assert recording.time_ms[judged(recording, changes, TAP).finish] == pytest.approx(ANSWERS_MS, abs=SLOT)


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
