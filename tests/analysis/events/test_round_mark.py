"""A ring or a dot that marks the action, on pictures made pixel by pixel: it spreads, fades and moves."""

import cv2
import numpy as np
import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.cursor.pointed import filmed, with_arrow
from tests.analysis.events.handmade import SLOT, judged

ACTION = 30  # pictures before it
OPTIONS = MeasureOptions(action_ms=ACTION * SLOT)
HERE = (300, 100)  # row and column
PAGE = np.s_[216:376, 16:152]


def ring(luma, mark):
    """Draw a ring: (row, column), radius, and how much darker it is."""
    (row, column), radius, darker = mark
    shade = np.zeros_like(luma)
    cv2.circle(shade, (column, row), radius, darker, 3)
    luma -= np.minimum(shade, luma)
    return luma


def dot(luma, mark):
    """Draw a dot, likewise."""
    (row, column), radius, darker = mark
    shade = np.zeros_like(luma)
    cv2.circle(shade, (column, row), radius, darker, -1)
    luma -= np.minimum(shade, luma)
    return luma


def opens(at):
    """Paint a page that opens so many pictures after the action."""

    def paint(luma, time):
        if time > (ACTION + at) * SLOT - 1:
            luma[PAGE] = 60

    return paint


def answered(marks, paint=None, draw=ring, without=(), step_ms=SLOT, goes=True):
    """Return the response, pictures after the action, of a mark drawn like this from the action on."""
    places = [*[None] * ACTION, *marks, *([None] * 40 if goes else marks[-1:] * 40)]
    recording, changes, _ = filmed(places, step_ms=step_ms, paint=paint, draw=draw)
    options = OPTIONS if step_ms == SLOT else MeasureOptions(action_ms=(ACTION - 0.7) * step_ms)
    frame = judged(recording, changes, options, without).response
    return None if frame is None else frame - ACTION


SPREADS = [(HERE, 12 + 3 * step, 90 - 4 * step) for step in range(12)]
GROWS_CLEAR = [(HERE, 20, 12 + 12 * step) for step in range(8)]
GOES_LATE = [*[(HERE, 20, 90)] * 20, *[((300 - 6 * step, 100), 20, 90) for step in range(1, 6)]]


@pytest.mark.parametrize("marks", [SPREADS, GROWS_CLEAR, GOES_LATE], ids=["spreads", "grows clear", "goes late"])
def test_a_ring_is_no_answer_whatever_becomes_of_it(marks):
    assert answered(marks, opens(len(marks))) == len(marks)
    assert answered(marks, opens(len(marks)), without={"round"}) < len(marks)


def test_a_dot_that_grows_clear_is_no_answer():
    assert answered(GROWS_CLEAR, opens(8), dot) == 8
    assert answered(GROWS_CLEAR, opens(8), dot, without={"round"}) < 8


@pytest.mark.parametrize("marks", [SPREADS, GROWS_CLEAR, GOES_LATE], ids=["spreads", "grows clear", "goes late"])
def test_where_nothing_but_a_ring_changes_nothing_answers(marks):
    assert answered(marks) is None
    assert answered(marks, without={"round"}) is not None


def test_a_ring_that_stays_to_the_end_is_no_answer_and_a_dot_may_be_one():
    """Only apps draw dots that stay, such as the thumb of a switch."""
    assert answered(GROWS_CLEAR, goes=False) is None
    assert answered(GROWS_CLEAR, draw=dot, goes=False) == 0


def test_a_dot_that_spreads_answers_as_a_ripple_does():
    spreads = [(HERE, 12 + 6 * step, 60) for step in range(6)]
    assert answered(spreads, opens(6), dot) == 1


@pytest.mark.parametrize("marks", [[(HERE, 24, 60)] * 12, SPREADS], ids=["rests", "spreads"])
def test_a_label_that_pales_beneath_a_ring_answers(marks):
    def paint(luma, time):
        luma[296:304, 92:108:3] = 60 if time < (ACTION + 5) * SLOT - 1 else 110  # letters are thin
        opens(12)(luma, time)

    assert answered(marks, paint) == 5


def test_a_word_beside_a_ring_that_rests_answers_however_faint_it_is():
    def paint(luma, time):
        luma[296:304, 124:134] = 90 if time < (ACTION + 5) * SLOT - 1 else 100
        opens(12)(luma, time)

    assert answered([(HERE, 20, 60)] * 12, paint) == 5


def test_a_cursor_goes_along_with_its_ring():
    def both(luma, mark):
        (row, column), _, _ = mark
        return with_arrow(ring(luma, mark), (row, column))

    def waits(luma, time):
        if time < ACTION * SLOT - 1:
            with_arrow(luma, HERE)
        opens(25)(luma, time)

    assert answered(GOES_LATE, waits, both) == 25
    assert answered(GOES_LATE, waits, both, without={"round"}) < 25


def wide(radius):
    return [(HERE, radius, 90)] * 6


def test_a_wide_ring_that_comes_at_once_is_a_mark():
    """It stirs more blocks than a dot does; an app's would come later."""
    assert answered(wide(50), opens(6)) == 6
    assert answered(wide(50), opens(6), without={"round"}) == 0


def test_where_nothing_but_a_wide_ring_changes_nothing_answers():
    assert answered(wide(50)) is None


def later(luma, time):
    """Paint the page four pictures after the action, at 10 Hz."""
    if time > (ACTION + 4) * 100 - 1:
        luma[PAGE] = 60


@pytest.mark.parametrize(
    "marks",
    [[((300 - 12 * step, 100), 20, 90) for step in range(4)], [(HERE, 20, 90)]],
    ids=["goes on", "goes again"],
)
def test_a_ring_in_a_slow_recorders_next_picture_is_a_mark(marks):
    """At 10 Hz it comes 70 ms after the action: too late to be told from an answer by its time."""
    assert answered(marks, later, step_ms=100.0) == 4
    assert answered(marks, later, without={"round"}, step_ms=100.0) == 0


def test_a_ring_that_comes_as_late_and_stays_is_an_apps():
    assert answered([(HERE, 20, 90)] * 44, later, step_ms=100.0) == 0


def test_a_spinner_that_comes_as_late_is_an_apps():
    def turning(luma, mark):
        (row, column), radius, turn = mark
        ring(luma, ((row, column), radius, 60))
        end = round(column + radius * np.cos(turn)), round(row + radius * np.sin(turn))
        cv2.circle(luma, end, 4, 40, -1)
        return luma

    turns = [(HERE, 20, turn) for turn in np.arange(44.0)]
    assert answered(turns, draw=turning, step_ms=100.0) == 0
