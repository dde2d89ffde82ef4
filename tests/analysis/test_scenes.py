"""Hard cases in other recorders' clips are measured as a person would: see docs/metrics.md for the decisions.

In clips of a plain recorder each of them is measured by events/test_filmed.py.
"""

from functools import partial

import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.scenes import ACTION_MS, SCENES
from tests.synthetic import Clip, Screen, every, film, on_change

REFRESH_MS = 1000 / 60
OPTIONS = MeasureOptions(action_ms=ACTION_MS)
LOSSY = partial(Clip, options={"crf": "34", "preset": "veryfast"}, gop=60)


def shown_at(times, event):
    return None if event is None else next(time for time in times if time >= event - 1e-6) - ACTION_MS


def check(scene, clip, measured):
    """Hold what was measured against what a person says."""
    assert (measured.outcome, measured.message[:0]) == (scene.outcome, "")
    for key, event in (("response_time_ms", scene.response), ("finish_time_ms", scene.finish)):
        value, true = measured.metrics[key], shown_at(clip.times_ms, event)
        if true is None:
            assert value is None
        else:
            early = max(scene.slack_ms, 0.1)
            assert true - early <= value <= true + max(scene.slack_ms / 2, REFRESH_MS + 0.5), key
    assert measured.settles in (scene.settles, None)


@pytest.mark.parametrize("name", ["nothing", "ripple", "flash", "caret"])
def test_key_frames_that_pulse_are_no_change(name, tmp_path):
    scene = SCENES[name]
    clip = LOSSY(every(60, scene.seconds))
    check(scene, clip, measure_screencast(film(tmp_path / "clip.mp4", Screen(), scene.paint, clip), OPTIONS))


@pytest.mark.parametrize("name", ["flash", "progressive_load", "toast"])
def test_a_variable_rate_capture_says_the_same(name, tmp_path):
    scene = SCENES[name]
    constant = every(60, scene.seconds)
    clip = Clip(on_change(_changes(scene, constant), constant[-1]))
    check(scene, clip, measure_screencast(film(tmp_path / "clip.mp4", Screen(), scene.paint, clip), OPTIONS))


def _changes(scene, times):
    page = Screen().page()
    last = None
    for time in times:
        picture = page.copy()
        scene.paint(picture, time)
        if last is not None and (picture != last).any():
            yield time
        last = picture
