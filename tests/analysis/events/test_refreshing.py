"""What only codes a picture anew, on recordings made by hand: it decides nothing, and what resembles it does."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.kernels.levels import LEVELS
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SHAPE, SLOT, film_blocks, judged, slots

OPTIONS = MeasureOptions(action_ms=1000.0)
RANDOM = np.random.default_rng(7)
PAGE, OTHER_PAGE = RANDOM.uniform(60, 180, (2, *SHAPE))
ERRORS = np.clip(RANDOM.normal(0, 3.5, SHAPE), -12, 12)
LATE = 2000.0


def shown(board, time):
    """A page, on which a card appears 200 ms after the action."""
    board[:] = PAGE
    if time >= 1199:
        board[20:30, 8:24] = 30


def measured(paint, without=(), key_frames=()):
    """Return response and finish in ms after the action, and how sure the finish is.

    Of a codec that codes every picture on its own, `key_frames` are None.
    """
    recording, changes = film_blocks(paint, slots(3.5), key_frames=key_frames or ())
    if key_frames is None:
        recording = replace(recording, key_frame=np.zeros_like(recording.key_frame))
    strengths = [LEVELS[strength] for _, strength in recording.store.span(0, len(recording.upper) - 1)]
    upper = np.array([np.quantile(levels, 0.97) for levels in strengths], np.float32)
    moments = judged(replace(recording, upper=upper), changes, OPTIONS, without)
    times = recording.time_ms - OPTIONS.action_ms
    found = [None if frame is None else float(times[frame]) for frame in (moments.response, moments.finish)]
    return found, moments.confidence["finish"] if moments.finish else None


def late(step):
    """Return a painter that adds to the page and its card from a time on."""

    def paint(board, time):
        shown(board, time)
        if time >= LATE - 1:
            board += step(time) if callable(step) else step

    return paint


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def test_what_stirs_all_of_a_page_weakly_and_at_once_is_no_finish_and_the_answer_is_not_certain():
    found, sure = measured(late(ERRORS))
    assert found == [near(200), near(200)]
    assert sure.word != "certain"
    assert "codes it anew" in sure.other.reason
    assert measured(late(ERRORS), without={"anew"})[0] == [near(200), near(1000)]


def test_what_the_encoder_corrects_afterwards_is_none_either():
    corrections = np.where(RANDOM.uniform(size=SHAPE) < 0.01, 6.5, 0)
    found, _ = measured(late(lambda time: ERRORS + corrections * (time >= LATE + 60)))
    assert found == [near(200), near(200)]


@pytest.mark.parametrize(
    "step",
    [
        -8.0,  # the page dims
        np.where(np.arange(SHAPE[0])[:, None] < 24, ERRORS, 0),  # half of it stirs
        np.where((np.arange(SHAPE[0])[:, None] == 5) & (np.arange(SHAPE[1]) == 5), 60.0, ERRORS),  # a mark comes
        0.5 * (OTHER_PAGE - PAGE),  # another page, half transparent
        0.15 * (OTHER_PAGE - OTHER_PAGE[::-1]) + 0.85 * (PAGE.mean() - PAGE),  # all that it showed is gone
    ],
    ids=["dims", "half", "mark", "page", "gone"],
)
def test_what_resembles_it_is_the_finish(step):
    assert measured(late(step))[0] == [near(200), near(1000)]


def test_a_page_that_fades_by_as_weak_steps_is_the_finish():
    steps = [ERRORS, ERRORS + ERRORS[::-1], ERRORS + ERRORS[::-1] + ERRORS[:, ::-1]]
    found, _ = measured(late(lambda time: steps[min(2, int((time - LATE + 1) // 50))]))
    assert found == [near(200), near(1100)]


def test_where_nothing_else_answers_it_is_the_answer():
    def paint(board, time):
        board[:] = PAGE + ERRORS * (time >= LATE - 1)

    assert measured(paint)[0] == [near(1000), near(1000)]


def flickers(at_ms, stays=0.0, back=1.0):
    """Return a painter of the page and its card that a picture disturbs, and the next one brings back so far."""

    def paint(board, time):
        shown(board, time)
        if at_ms - 1 <= time < at_ms + SLOT - 1:
            board += 3 * ERRORS
        if time >= at_ms + SLOT - 1:
            board += 3 * (1 - back) * ERRORS
        if time >= at_ms - 1:
            board[5:8, 5:8] += stays

    return paint


@pytest.mark.parametrize(("at_ms", "key_frame"), [(LATE, 2), (1100.0, 1)], ids=["after the answer", "before it"])
def test_what_a_key_frame_disturbs_and_the_next_picture_brings_back_is_no_change(at_ms, key_frame):
    found, _ = measured(flickers(at_ms), key_frames=[key_frame])
    assert found == [near(200), near(200)]
    shown_at = at_ms - OPTIONS.action_ms
    expected = [near(min(200, shown_at)), near(max(200, shown_at + SLOT))]
    assert measured(flickers(at_ms), without={"restored"}, key_frames=[key_frame])[0] == expected
    assert measured(flickers(at_ms))[0] == expected, "another picture shows something"
    assert measured(flickers(at_ms), key_frames=None)[0] == expected, "where there are none, each does"


@pytest.mark.parametrize(("stays", "back"), [(40.0, 1.0), (0.0, 0.4)], ids=["a mark comes", "half comes back"])
def test_what_stays_of_a_key_frame_is_a_change(stays, back):
    found, _ = measured(flickers(LATE, stays, back), key_frames=[2])
    assert found == [near(200), near(1000 if stays else 1000 + SLOT)]


def test_what_comes_and_goes_with_a_key_frame_that_disturbs_nothing_else_is_an_answer():
    """An encoder begins anew where a pressed button flashes up."""

    def paint(board, time):
        shown(board, time)
        if 1099 <= time < 1099 + 3 * SLOT:
            board[5:8, 5:8] += 40

    assert measured(paint, key_frames=[1])[0] == [near(100), near(200)]
