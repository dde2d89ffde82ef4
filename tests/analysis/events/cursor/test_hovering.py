"""What lights up under a mouse cursor that passes, on blocks painted by hand, and what only looks like it."""

import numpy as np
import pytest

from analysis.events.cursor.hovering import Tip, find_hovered, tips_of
from analysis.events.cursor.sightings import Track
from analysis.events.cursor.sprites import Sprite
from analysis.events.event import Event, find_events
from tests.analysis.events.cursor.pointed import ACTION_MS, track_of
from tests.analysis.events.handmade import SHAPE, film_blocks


def row_at(start_ms, end_ms, pictures=(5,)):
    return Event(np.array(pictures), start_ms, end_ms, SHAPE, (20, 4), np.ones((3, 8), bool))


@pytest.mark.parametrize(
    ("was", "at", "passes"), [((10.0, 8.0), (21.0, 8.0), True), ((21.0, 8.0), (30.0, 8.0), True),
                              ((21.0, 8.0), (21.5, 8.5), False), ((2.0, 8.0), (10.0, 8.0), False)]
)  # fmt: skip
def test_a_row_lights_up_as_the_tip_comes_in_or_leaves(was, at, passes):
    def paint(board, time):
        board[20:23, 4:12] = 120 if time >= 1500 else 200

    recording, changes = film_blocks(paint, [0.0, 1400.0, 1500.0, 1600.0])
    picture = int(changes.count.argmax())
    event = row_at(1500.0, 1500.0, (picture,))
    found = find_hovered(recording, [event], changes, [Tip(picture, was, at)], ACTION_MS)
    assert bool(found) is passes
    if passes:
        assert found[picture].sum() == 24


def test_the_tip_of_an_arrow_is_its_corner():
    (tip,) = tips_of(track_of([(80, 80), (160, 40)]))
    assert tip.was == pytest.approx((10, 10), abs=0.3)
    assert tip.at == pytest.approx((20, 5), abs=0.3)


def test_the_text_cursor_of_a_terminal_lights_up_nothing():
    """It fills its box, moves on with each letter and jumps to the next line, where text comes."""
    typed = Track(Sprite(np.zeros((15, 8), np.float32), np.ones((15, 8), bool)), {0: (80, 80), 1: (80, 88)})
    assert not tips_of(typed)


@pytest.mark.parametrize(("share", "late", "passes"), [(6, False, False), (6, True, True), (20, True, False)])
def test_a_row_across_the_screen_lights_up_once_all_else_has_come_to_rest(share, late, passes):
    """Rows of blocks: what is as large before anything else has answered is an answer itself."""
    rows = 48 * share // 100

    def paint(board, time):
        board[0:10] = 90 if late and time >= 1100 else 200
        board[20 : 20 + rows, :] = 120 if time >= 1500 else 200

    recording, changes = film_blocks(paint, [0.0, 1100.0, 1500.0, 1600.0] if late else [0.0, 1500.0, 1600.0])
    events = find_events(changes, recording.picture_ms)
    picture = events[-1].first
    tips = [Tip(picture, (5.0, 8.0), (20.5, 8.0))]
    found = find_hovered(recording, events, changes, tips, ACTION_MS)
    assert (picture in found) is passes


@pytest.mark.parametrize(("step_ms", "passes"), [(100, False), (20, True)])
def test_a_picture_without_a_change_is_no_rest(step_ms, passes):
    """A word goes pale, then what was tapped is marked, as the cursor begins to move over it: all one answer."""
    times = np.arange(0.0, 2000.0, step_ms).tolist()

    def paint(board, time):
        board[0:2, 4:8] = 90 if time >= 1300 else 200
        board[20:24, 4:18] = 120 if time >= 1500 else 200

    recording, changes = film_blocks(paint, times)
    events = find_events(changes, recording.picture_ms)
    tips = [Tip(events[-1].first, (21.0, 8.0), (21.5, 12.0))]
    assert bool(find_hovered(recording, events, changes, tips, ACTION_MS)) is passes


@pytest.mark.parametrize("fades", [True, False])
def test_what_slides_where_the_tip_leaves_does_not_light_up_in_passing(fades):
    """A highlight fades in place; a line of text that slides in changes one part of its way after the other."""
    times = [0.0, *(1500.0 + 25 * step for step in range(8))]

    def paint(board, time):
        step = min(max(round((time - 1475) / 25), 0), 8)
        if fades:
            board[20, 4:24] = 200 - 10 * step
        elif step:
            board[20, 22 - 2 * step : 26 - 2 * step] = 120

    recording, changes = film_blocks(paint, times)
    (event,) = find_events(changes, recording.picture_ms)
    tips = [Tip(event.first, (20.5, 23.0), (30.0, 30.0))]
    found = find_hovered(recording, [event], changes, tips, ACTION_MS)
    assert bool(found) is fades


@pytest.mark.parametrize(("first", "passes"), [(3, True), (1, False)])
def test_what_grows_out_of_its_middle_under_the_tip_is_an_answer(first, passes):
    """A tile that an app adds, 10 blocks wide at last; a highlight is as wide at once, or nearly."""
    reach = {1500: first, 1550: 4, 1600: 5}

    def paint(board, time):
        for since, wide in reach.items():
            if time >= since:
                board[20:22, 14 - wide : 14 + wide] -= 25

    recording, changes = film_blocks(paint, [0.0, 1400.0, *map(float, reach), 1700.0])
    (event,) = find_events(changes, recording.picture_ms)
    tips = [Tip(event.first, (10.0, 14.0), (21.0, 14.0))]
    assert bool(find_hovered(recording, [event], changes, tips, ACTION_MS)) is passes


def lit(levels, was, at, leaves=()):
    """Return what is hovered where a row has these levels, every 60 ms from 1500 on, as the tip comes in."""
    times = [0.0, 1400.0, *(1500.0 + 60 * step for step in range(len(levels)))]

    def paint(board, time):
        step = round((time - 1500) / 60)
        board[20:23, 4:12] = levels[step] if 0 <= step < len(levels) else 200

    recording, changes = film_blocks(paint, times)
    (event,) = find_events(changes, recording.picture_ms)
    tips = [Tip(event.first, was, at), *(Tip(event.first + step, at, was) for step in leaves)]
    return bool(find_hovered(recording, [event], changes, tips, ACTION_MS))


def test_what_goes_out_before_the_tip_leaves_was_pressed():
    assert lit([120, 120, 120], (10.0, 8.0), (21.0, 8.0))
    assert not lit([120, 200], (10.0, 8.0), (21.0, 8.0))
    assert lit([120, 200], (10.0, 8.0), (21.0, 8.0), leaves=[1])


def test_what_goes_to_and_fro_under_the_tip_moves():
    """A row that a cursor swiped springs to its place: a highlight fades, in steps of one way."""
    assert lit([180, 160, 130, 120], (10.0, 8.0), (21.0, 8.0))
    assert not lit([120, 170, 110, 150], (10.0, 8.0), (21.0, 8.0))


@pytest.mark.parametrize(("later_ms", "passes"), [(40, True), (90, False)])
def test_what_changes_well_before_the_tip_moves_is_an_answer(later_ms, passes):
    """What a cursor lights up may be seen a picture before it is, by a slot of a quick screen."""
    times = [0.0, 1400.0, 1500.0, 1500.0 + later_ms]

    def paint(board, time):
        board[20:23, 4:12] = 120 if time >= 1500 else 200
        board[40:42, 4:6] = 120 if time > 1500 else 200  # so that there is a picture

    recording, changes = film_blocks(paint, times)
    (event,) = (one for one in find_events(changes, recording.picture_ms) if one.corner[0] == 20)
    tips = [Tip(event.first + 1, (21.0, 8.0), (30.0, 8.0))]
    assert bool(find_hovered(recording, [event], changes, tips, ACTION_MS)) is passes


@pytest.mark.parametrize(
    ("since", "comes_in", "passes"),
    [(ACTION_MS + 100, False, False), (ACTION_MS + 100, True, True), (ACTION_MS - 100, False, True)],
    ids=["an answer lit it", "the tip lit it", "it was lit before the action"],
)
def test_what_an_answer_had_lit_goes_out_by_itself_as_the_tip_leaves(since, comes_in, passes):
    times = [0.0, 800.0, since, since + 200, since + 400, since + 600]

    def paint(board, time):
        board[20:23, 4:12] = 120 if since <= time < since + 400 else 200

    recording, changes = film_blocks(paint, times)
    lights, goes_out = find_events(changes, recording.picture_ms)
    tips = [Tip(goes_out.first, (21.0, 8.0), (30.0, 8.0))]
    if comes_in:
        tips = [Tip(lights.first, (30.0, 8.0), (21.0, 8.0)), *tips]
    found = find_hovered(recording, [lights, goes_out], changes, tips, ACTION_MS)
    assert (goes_out.first in found) is passes
