"""Letters that come right beside a caret: they count, its blinking does not."""

from functools import partial

import numpy as np
import pytest

from analysis.events.carets import is_bar
from analysis.events.event import Event
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.caret_scenes import narrow_letter, typing
from tests.analysis.events.handmade import film_blocks, find_in, judged, slots
from tests.analysis.filmed import TYPE, changing
from tests.analysis.scenes import SLOT
from tests.synthetic import Clip, Screen, every, film


def measure(folder, paint, variable):
    clip = Clip(changing(paint, 4.5) if variable else every(60, 4.5))
    return measure_screencast(film(folder / "clip.mp4", Screen(), paint, clip), TYPE)


@pytest.mark.parametrize("variable", [True, False])
@pytest.mark.parametrize("letters", [(1600.0,), (1600.0, 1850.0, 2100.0)])
@pytest.mark.parametrize("phase", [0, 390])
def test_a_letter_beside_a_blinking_caret_counts(variable, letters, phase, tmp_path):
    measured = measure(tmp_path, partial(typing, letters, phase), variable)
    assert measured.outcome == "ok"
    assert measured.metrics["response_time_ms"] == pytest.approx(60, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(letters[-1] - 1540, abs=SLOT)
    assert measured.settles


@pytest.mark.parametrize("phase", [0, 390])
def test_a_blink_between_action_and_letter_is_no_response(phase, tmp_path):
    """At phase 0 the caret goes 50 ms after the action, at 390 just before the letter comes."""
    measured = measure(tmp_path, partial(typing, (1760.0,), phase), False)
    assert measured.metrics["response_time_ms"] == pytest.approx(220, abs=SLOT)


@pytest.mark.parametrize("variable", [True, False])
@pytest.mark.parametrize("phase", [0, 390])
def test_a_letter_as_narrow_as_the_rim_of_the_caret_counts(variable, phase, tmp_path):
    measured = measure(tmp_path, partial(narrow_letter, phase), variable)
    assert measured.metrics["response_time_ms"] == pytest.approx(60, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(60, abs=SLOT)
    assert measured.settles


def test_a_blink_that_shows_a_row_more_soon_after_the_answer_is_no_finish():
    """At the end of its bar an encoder shows some blinks and others not; the answer was a moment ago, beside it."""
    toggles = (1283, 1783, 2283, 2783)

    def paint(board, time):
        turns = sum(time >= at for at in toggles)
        board[10:13, 5] = 40 if turns % 2 else 200
        board[13, 5] = (200, 193, 198, 193, 198)[turns]
        board[10:14, 8:20] = 120 if time >= 1199 else 200
        board[30:40, 8:24] = 60 if time >= 1199 else 200

    recording, changes = film_blocks(paint, slots(3.2))
    moments = judged(recording, changes, MeasureOptions(action_ms=1000.0))
    assert recording.time_ms[[moments.response, moments.finish]] - 1000 == pytest.approx([200, 200], abs=SLOT)


@pytest.mark.parametrize(
    ("ground", "elsewhere", "frame", "finish"),
    [(120, False, 120, 200), (80, False, 120, 750), (120, True, 120, 750), (120, False, 60, 200)],
    ids=["gone", "a trace is left", "something else changes", "beside the field's frame"],
)
def test_a_bar_that_came_with_a_field_and_goes_alone_is_its_caret(ground, elsewhere, frame, finish):
    """The recording ends before it comes back."""

    def paint(board, time):
        if time >= 1199:
            board[8:15, 4:20] = 120
            board[8:15, 4] = frame
            board[10:13, 5] = 40 if time < 1699 else (40 + ground) / 2 if time < 1749 else ground
        board[30:33, 20] -= 60 * (elsewhere and time >= 1699)

    recording, changes = film_blocks(paint, slots(2.0))
    moments = judged(recording, changes, MeasureOptions(action_ms=1000.0))
    assert recording.time_ms[[moments.response, moments.finish]] - 1000 == pytest.approx([200, finish], abs=SLOT)


def test_a_letter_that_comes_as_a_caret_fades_in_answers():
    """The caret had faded out half a second before and is just back; the letter moves it on, and a page opens."""

    def paint(board, time):
        light = np.interp(time, (440, 560, 880, 1000), (40, 200, 200, 44))
        board[10:13, 5] = light
        if time >= 1049:
            board[9:14, 5], board[10:13, 6] = 120, 44
        board[20:40, 4:26] = 90 if time >= 1299 else 200

    recording, changes = film_blocks(paint, np.arange(0, 2000, 40.0).tolist())
    moments = judged(recording, changes, MeasureOptions(action_ms=1000.0))
    assert recording.time_ms[[moments.response, moments.finish]] - 1000 == pytest.approx([80, 320], abs=1)


@pytest.mark.parametrize(("back", "finish"), [(1690.0, 200), (1590.0, 600)], ids=["a blink", "too soon"])
def test_a_blink_may_be_rounded_by_a_slow_recorder(back, finish):
    """A digit comes with the caret behind it; at ten pictures a second that is gone for 200 ms."""

    def paint(board, time):
        if time >= 1190:
            board[9:14, 5] = 60
            board[10:12, 8] = 100 if 1490 <= time < back else 40

    recording, changes = film_blocks(paint, np.arange(0, 2000, 100.0).tolist())
    moments = judged(recording, changes, MeasureOptions(action_ms=1000.0))
    assert recording.time_ms[[moments.response, moments.finish]] - 1000 == pytest.approx([200, finish], abs=1)


@pytest.mark.parametrize(("shown", "finish"), [(True, 100), (False, 400)], ids=["blinking", "new"])
def test_a_caret_that_went_by_steps_that_were_not_seen_is_none_that_comes(shown, finish):
    """Before the action the steps of its fades are too faint to be found; after it they were looked for."""
    since = (600.0, 1200.0, 1800.0, 2400.0)

    def light(time):
        fades = [np.clip((time - begins) / 200, 0, 1) for begins in since[0 if shown else 1 :]]
        return sum((-1) ** index * fade for index, fade in enumerate(fades)) * 60.0 * (1 if shown else -1)

    def paint(board, time):
        board[10:13, 5] = (140.0 if shown else 200.0) + light(time)
        board[30:40, 8:24] = 60 if time >= 1099 else 200

    recording, changes = film_blocks(paint, slots(3.2))
    for picture, time in enumerate(recording.picture_ms):
        if any(begins < time <= begins + 201 for begins in since[1:]):
            find_in(changes, picture, np.s_[10:13, 5:6])
    moments = judged(recording, changes, MeasureOptions(action_ms=1000.0))
    assert recording.time_ms[[moments.response, moments.finish]] - 1000 == pytest.approx([100, finish], abs=SLOT)


@pytest.mark.parametrize(("rows", "is_one"), [(4, True), (7, False)])
def test_how_high_a_bar_may_be_is_measured_by_the_longer_side_of_a_strip(rows, is_one):
    """A field that is cut out of a phone's screen is wider than high; its text is as large as on the whole."""
    event = Event(np.array([3]), 100.0, 100.0, (33, 78), (15, 10), np.ones((rows, 2), dtype=bool))
    recording, _ = film_blocks(lambda board, time: None, slots(1.0))
    assert is_bar(event, recording) is is_one
