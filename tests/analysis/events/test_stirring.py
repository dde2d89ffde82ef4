"""What a camera's grain leaves to be drawn now and then, on events made by hand: it answers nothing."""

import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, find_in, judged, slots

ACTION_MS = 1500.0
PAGE, CORNER = (slice(20, 40), slice(4, 26)), (slice(5, 8), slice(10, 16))
BEFORE = ((-900, 1.0), (-400, -1.0))  # ms after the action, levels


def response(*, before=BEFORE, step=1.0, without=()):
    """Return when the screen answered, ms after the action.

    A page opens after 200 ms; 100 ms before it its place is shifted by a `step`, levels. A corner is shifted
    `before`. Each shift is found.
    """
    shifts = [(at, levels, CORNER) for at, levels in before] + [(100, step, PAGE)]

    def paint(board, time):
        for at, levels, place in shifts:
            board[place] += levels * (time >= ACTION_MS - 1 + at)
        if time >= ACTION_MS - 1 + 200:
            board[PAGE] = 60

    recording, changes = film_blocks(paint, slots(4.0))
    for picture, time in enumerate(recording.picture_ms):
        for at, _, place in shifts:
            if abs(time - ACTION_MS - at) < SLOT / 2:
                find_in(changes, picture, place)
    moments = judged(recording, changes, MeasureOptions(action_ms=ACTION_MS), {"faint", *without})
    return float(recording.time_ms[moments.response] - ACTION_MS)


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def test_what_stirs_as_faintly_as_before_the_action_is_no_response():
    assert response() == near(200)
    assert response(without={"stirs"}) == near(100)
    assert response(step=2.0) == near(200)


def test_what_is_stronger_is():
    assert response(step=2.5) == near(100)


@pytest.mark.parametrize(
    "before",
    [(), BEFORE[1:], ((-1100, 1.0), (-400, -1.0)), ((-900, 4.0), (-400, -1.0))],
    ids=["still", "once", "once within a second", "once so faintly"],
)
def test_a_faint_first_step_is_where_the_screen_had_been_at_rest(before):
    assert response(before=before) == near(100)
