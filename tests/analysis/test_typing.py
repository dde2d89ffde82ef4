"""Letters that come right beside a caret: they count, its blinking does not."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.scenes import box
from tests.synthetic import Clip, Screen, every, film, on_change

OPTIONS = MeasureOptions(action_ms=1540.0, interaction_type="type")
SLOT, BLINK_MS = 1000 / 60, 530.0
FONT = (cv2.FONT_HERSHEY_SIMPLEX, 0.8)


def field(letters, phase):
    """A text field; a letter appears at each of the times, the caret moves on and begins to blink anew."""

    def paint(picture, time):
        box(picture, 0.06, 0.25, 0.94, 0.33, (255, 255, 255))
        typed = [letter for letter in letters if time >= letter]
        text = "Hello" + "aiw"[: len(typed)]
        cv2.putText(picture, text, (24, 174), *FONT, (20, 20, 20), 2, cv2.LINE_AA)
        since = time - typed[-1] if typed else time + phase
        if since % (2 * BLINK_MS) < BLINK_MS:
            caret = 27 + cv2.getTextSize(text, *FONT, 2)[0][0]
            picture[150:180, caret : caret + 2] = (30, 60, 200)

    return paint


def times(paint, variable):
    constant = every(60, 4.5)
    if not variable:
        return constant
    pages = [Screen().page() for _ in constant]
    for page, time in zip(pages, constant, strict=True):
        paint(page, time)
    changed = [bool((one != other).any()) for one, other in pairwise(pages)]
    return on_change(np.array(constant[1:])[changed], constant[-1])


@pytest.mark.parametrize("variable", [True, False])
@pytest.mark.parametrize("letters", [(1600.0,), (1600.0, 1850.0, 2100.0)])
@pytest.mark.parametrize("phase", [0, 390])
def test_a_letter_beside_a_blinking_caret_counts(variable, letters, phase, tmp_path):
    paint = field(letters, phase)
    clip = Clip(times(paint, variable))
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), paint, clip), OPTIONS)
    assert measured.outcome == "ok"
    assert measured.metrics["response_time_ms"] == pytest.approx(60, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(letters[-1] - 1540, abs=SLOT)
    assert measured.settles


@pytest.mark.parametrize("phase", [0, 390])
def test_a_blink_between_action_and_letter_is_no_response(phase, tmp_path):
    """At phase 0 the caret goes 50 ms after the action, at 390 just before the letter comes."""
    paint = field((1760.0,), phase)
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), paint, Clip(every(60, 4.5))), OPTIONS)
    assert measured.metrics["response_time_ms"] == pytest.approx(220, abs=SLOT)


@pytest.mark.parametrize("variable", [True, False])
@pytest.mark.parametrize("phase", [0, 390])
def test_a_letter_as_narrow_as_the_rim_of_the_caret_counts(variable, phase, tmp_path):
    """The letter takes the place of the caret, which moves on by one block: all that changes lies beside it."""

    def paint(picture, time):
        box(picture, 0.06, 0.25, 0.94, 0.33, (255, 255, 255))
        typed = time >= 1600
        if typed:
            picture[152:176, 57:62] = (20, 20, 20)
        if (time - 1600 if typed else time + phase) % (2 * BLINK_MS) < BLINK_MS:
            left = 65 if typed else 57
            picture[152:176, left : left + 2] = (30, 60, 200)

    clip = Clip(times(paint, variable))
    measured = measure_screencast(film(tmp_path / "clip.mp4", Screen(), paint, clip), OPTIONS)
    assert measured.metrics["response_time_ms"] == pytest.approx(60, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(60, abs=SLOT)
    assert measured.settles
