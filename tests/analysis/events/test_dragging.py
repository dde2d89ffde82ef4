"""A dot under a finger that moves, on pictures made pixel by pixel: no answer, wherever it goes."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.events.cursor.sightings import Track
from analysis.events.cursor.sprites import Sprite
from analysis.events.dragging import find_dragged, left_within
from analysis.events.mark import find_mark
from analysis.options import MeasureOptions
from tests.analysis.events.cursor.pointed import filmed
from tests.analysis.events.handmade import SLOT, film_blocks, judged

ACTION = 30  # pictures before it
ACTION_MS = ACTION * SLOT
OPTIONS = MeasureOptions(action_ms=ACTION_MS)
Y, X = np.mgrid[:24, :24] - 11.5
ROUND = np.hypot(Y, X) <= 12
UP = [(320 - 11 * step, 100 + step) for step in range(9)]


def dot(luma, place):
    """Draw a light dot that lets what is behind it shine through, as Android's does."""
    part = luma[place[0] : place[0] + 24, place[1] : place[1] + 24]
    part[ROUND] = part[ROUND] // 2 + 127
    return luma


def scrolls(from_ms):
    """Paint a list, on the page's grey, that begins to move at a time and goes on for 200 ms."""

    def paint(luma, time):
        gone = min(max(time - from_ms + 1, 0), 200) // 2
        for top in range(210 - int(gone), 384, 36):
            if top >= 200:
                luma[top : top + 12, 20:80] = 90

    return paint


def measured(places, paint, without=()):
    """Return response and finish, ms after the action, of a dot at these places from the action on."""
    rest = [None] * ACTION
    recording, changes, _ = filmed([*rest, *places, *rest, *rest], step_ms=SLOT, paint=paint, draw=dot)
    moments = judged(recording, changes, OPTIONS, without)
    times = recording.time_ms - ACTION_MS
    return [None if frame is None else float(times[frame]) for frame in (moments.response, moments.finish)]


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def test_a_dot_that_goes_along_with_the_finger_is_no_answer():
    paint = scrolls(ACTION_MS + 6 * SLOT)
    assert measured(UP, paint) == [near(7 * SLOT), near(6 * SLOT + 200)]
    assert measured(UP, paint, without={"mark"})[0] == near(0)


def test_a_dot_that_goes_when_all_rests_is_no_finish():
    """The finger stays on the screen until the list has come to rest, and leaves it a little further on."""
    places = [*UP, *[UP[-1]] * 20, (UP[-1][0] - 6, UP[-1][1])]
    assert measured(places, scrolls(ACTION_MS + 6 * SLOT))[0] == near(7 * SLOT)


def test_a_dot_that_moves_alone_is_no_answer():
    assert measured(UP, paint=None) == [None, None]


@pytest.mark.parametrize("pictures", [1, 18])
def test_pixels_are_looked_at_only_where_a_mark_moves_soon(pictures):
    """One that stays, or that goes along after a rest of 300 ms, may be anything."""
    places = [UP[0]] * 12 if pictures == 1 else [*[UP[0]] * pictures, *UP]
    recording, changes, _ = filmed([*[None] * ACTION, *places], step_ms=SLOT, draw=dot)
    times = recording.picture_ms
    assert not find_dragged(recording, changes, times, find_mark(recording, changes, times, ACTION_MS))


@pytest.mark.parametrize(("then", "asked"), [(None, False), (UP[1], True)], ids=["goes as it came", "moves"])
def test_a_dot_of_a_tap_costs_no_second_decoding(then, asked):
    recording, changes, _ = filmed([*[None] * ACTION, *[UP[0]] * 3, then], step_ms=SLOT, draw=dot)
    times, looked = recording.picture_ms, []

    def pixels(recorded, pictures, first):
        looked.append(pictures)
        return recording.pixels(recorded, pictures, first)

    mark = find_mark(recording, changes, times, ACTION_MS)
    find_dragged(replace(recording, pixels=pixels), changes, times, mark)
    assert bool(looked) is asked


def test_pixels_are_not_looked_at_where_a_page_changes_around_a_mark_at_once():
    def opens(luma, time):
        if time >= ACTION_MS + SLOT - 1:
            luma[288:376, 72:152] = 90

    recording, changes, _ = filmed([*[None] * ACTION, *UP], step_ms=SLOT, paint=opens, draw=dot)
    times = recording.picture_ms
    assert not find_dragged(recording, changes, times, find_mark(recording, changes, times, ACTION_MS))


@pytest.mark.parametrize(("width", "followed"), [(16, True), (48, False)])
def test_a_stray_far_off_does_not_end_the_search_for_a_dot_that_goes_along(width, followed):
    """A spot far from the finger changes in the picture after the dot came."""

    def strays(luma, time):
        luma[40:48, 16 : 16 + width] -= np.uint8(40 * (time >= ACTION_MS + SLOT - 1))

    places = [*[None] * ACTION, *UP]
    recording, changes, _ = filmed(places, step_ms=SLOT, paint=strays, draw=dot)
    times = recording.picture_ms
    assert (
        bool(find_dragged(recording, changes, times, find_mark(recording, changes, times, ACTION_MS))) is followed
    )


WIDE = 48
ACROSS = np.mgrid[:WIDE, :WIDE] - (WIDE - 1) / 2
RING = np.abs(np.hypot(*ACROSS) - 21) <= 2
ARROW = np.abs(ACROSS).max(axis=0) <= 4


def clicked(luma, place):
    """Draw a ring around a cursor, as a computer's recorder does where the button is held."""
    part = luma[place[0] : place[0] + WIDE, place[1] : place[1] + WIDE]
    part[RING], part[ARROW] = 10, 20
    return luma


def ring_goes(ups, at_ms, step_ms, under=None):
    """Return the response, ms after the action, of a ring that goes up by so many pixels; a list answers at a time.

    The cursor in it was there before. `under` (luma, ms after the action) draws what is below.
    """
    answers = scrolls(ACTION_MS + at_ms - step_ms)

    def paint(luma, time):
        answers(luma, time)
        if time < ACTION_MS - 1:
            luma[260 : 260 + WIDE, 100 : 100 + WIDE][ARROW] = 20
        if under is not None:
            under(luma, time - ACTION_MS)

    rest = [None] * round(ACTION_MS / step_ms)
    places = [*rest, *((260 - up, 100) for up in ups), *rest, *rest]
    recording, changes, _ = filmed(places, step_ms=step_ms, paint=paint, draw=clicked)
    moments = judged(recording, changes, OPTIONS, {"cursor"})
    return recording.time_ms[moments.response] - ACTION_MS


def test_a_ring_around_a_cursor_goes_along_with_it():
    """The cursor has pixels of its own within the ring."""
    assert ring_goes([11 * step for step in range(9)], 7 * SLOT, SLOT) == near(7 * SLOT)


def button_lights_up(luma, after_ms):
    if after_ms >= 3 * SLOT - 1:
        luma[250:290, 60:160] = 150


def test_what_changes_where_a_ring_goes_and_beside_it_answers():
    assert ring_goes([11 * step for step in range(9)], 7 * SLOT, SLOT, button_lights_up) == near(3 * SLOT)


@pytest.mark.parametrize(
    ("left", "goes_along"),
    [
        (np.s_[20:22, 20:24], True),
        (np.s_[20:23, 20:23], False),
        (np.s_[10:12, 20:22], True),
        (np.s_[22:23, 34:36], False),
    ],
    ids=["a cursor", "larger", "where it was", "elsewhere"],
)
def test_what_little_is_left_within_a_ring_goes_along(left, goes_along):
    """A ring of 160 px moves up by 80 px; blocks are of 8 px."""
    ring = Sprite(np.zeros((160, 160), np.float32), np.ones((160, 160), dtype=bool))
    track = Track(ring, {3: (300, 100), 4: (80, 100), 5: (160, 100)})
    changed, own = np.zeros((48, 40), dtype=bool), np.zeros((48, 40), dtype=bool)
    own[12, 14], changed[12, 14], changed[left] = True, True, True
    found = left_within(track, 5, changed, own)
    assert np.array_equal(found, changed & ~own if goes_along else np.zeros_like(own))


def spot_lights_up_beside(luma, after_ms):
    if after_ms >= 3 * SLOT - 1:
        luma[264:280, 168:176] = 60


def test_what_lights_up_beside_a_ring_answers():
    assert ring_goes([4 * step for step in range(9)], 7 * SLOT, SLOT, spot_lights_up_beside) == near(3 * SLOT)


@pytest.mark.parametrize(
    ("ups", "at_ms"),
    [((0, 10, 20), 200), ((0, 60, 120), 200), ((0, 0, 10, 20), 300)],
    ids=["by little", "in leaps", "after a rest"],
)
def test_a_ring_is_no_answer_at_ten_pictures_a_second(ups, at_ms):
    assert ring_goes(ups, at_ms, 100.0) == pytest.approx(at_ms)


def test_what_grows_under_the_finger_answers():
    """A ripple comes with the action, or a slot later, and grows: it is not the same picture elsewhere."""

    def grows(luma, time):
        if time >= ACTION_MS - 1:
            radius = 8 + min(time - ACTION_MS, 300) / 4
            rows, columns = np.mgrid[: luma.shape[0], : luma.shape[1]]
            luma[np.hypot(rows - 280, columns - 100) <= radius] = 205

    response, finish = measured([None], grows)
    assert response <= 3 * SLOT
    assert finish == near(300)


FAINT_DOT = np.array([[6.0, 8.0, 6.0], [8.0, 2.0, 8.0], [6.0, 8.0, 6.0]])


def faintly_marked(look):
    """Return the response, ms after the action: `look` (board, step) draws what comes with it, a list answers."""

    def paint(board, time):
        step = round((time - ACTION_MS) / 100)
        if 0 <= step <= 4 and time >= ACTION_MS - 1:
            look(board, step)
        if time >= ACTION_MS + 299:
            board[4:14, 2:28] = 60

    recording, changes = film_blocks(paint, np.arange(0.0, 2000.0, 100.0) + ACTION_MS - 500)
    moments = judged(recording, changes, OPTIONS)
    return float(recording.time_ms[moments.response] - ACTION_MS)


def test_a_dot_too_faint_for_its_pixels_is_followed_by_its_blocks():
    def goes_up(board, step):
        board[36 - 3 * step : 39 - 3 * step, 10:13] -= FAINT_DOT

    assert faintly_marked(goes_up) == near(300)


def leaves_a_trace(board, step):
    board[36 - 3 * step : 39, 10:13] -= 8


def grows(board, step):
    board[34 - step : 37 + step, 10 - step : 13 + step] -= 8


def gets_stronger(board, step):
    board[36 - 3 * step : 39 - 3 * step, 10:13] -= FAINT_DOT * 3 ** min(step, 2)


@pytest.mark.parametrize("look", [leaves_a_trace, grows, gets_stronger])
def test_what_does_not_leave_its_place_as_it_was_or_draws_more_is_the_answer(look):
    assert faintly_marked(look) == near(100)
