"""A caret that comes back at another place once a field was sent: part of its blinking, if something answered."""

import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, judged, slots

ACTION_MS = 1400.0
SHOWN_MS = 530.0
BUBBLE = (slice(30, 36), slice(10, 24))


def measured(comes, opens=1600.0, before=True, columns=slice(5, 6), rows=slice(10, 13), without=()):
    """Return response and finish in ms after the action.

    A caret blinks from the beginning until 1500 ms, and at another place from `comes` on; a bubble appears.
    """

    def paint(board, time):
        if before and time < 1500 and time % (2 * SHOWN_MS) < SHOWN_MS:
            board[10:13, 20] = 40
        if time >= comes - 1 and (time - comes + 1) % (2 * SHOWN_MS) < SHOWN_MS:
            board[rows, columns] = 40
        if time >= opens - 1:
            board[BUBBLE] = 90

    recording, changes = film_blocks(paint, slots(4.5))
    moments = judged(recording, changes, MeasureOptions(action_ms=ACTION_MS), without)
    times = recording.time_ms - ACTION_MS
    return [None if frame is None else float(times[frame]) for frame in (moments.response, moments.finish)]


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def test_a_caret_that_had_blinked_and_comes_back_elsewhere_after_the_answer_is_no_finish():
    assert measured(2000.0) == [near(200), near(200)]
    assert measured(2000.0, without={"caret_back"}) == [near(200), near(600)]


@pytest.mark.parametrize(
    "how",
    [
        {"before": False},  # the first one that there is: the tap put it there
        {"opens": 4600.0},  # nothing else answers
        {"comes": 3200.0},  # long after the answer: it would have blinked before
        {"rows": slice(10, 12), "before": False},
    ],
    ids=["first", "alone", "late", "short"],
)
def test_a_caret_that_answers_is_the_finish(how):
    comes = how.pop("comes", 2000.0)
    assert measured(comes, **how)[1] == near(comes - ACTION_MS)
