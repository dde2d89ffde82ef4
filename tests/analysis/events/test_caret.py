"""Letters that come right beside a caret: they count, its blinking does not."""

from functools import partial

import pytest

from analysis.measure import measure_screencast
from tests.analysis.caret_scenes import narrow_letter, typing
from tests.analysis.filmed import SLOT, TYPE, changing
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
