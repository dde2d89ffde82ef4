"""What a screen at rest tells: the first stir after it, the frame that was held, a block that sways for ever."""

from functools import partial

import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.encoder_scenes import held_frame, spinner_around_a_key_frame
from tests.analysis.filmed import CLEAN
from tests.analysis.scenes import ACTION_MS, SLOT, box
from tests.synthetic import Clip, Screen, every, film

OPTIONS = MeasureOptions(action_ms=ACTION_MS)


def measure(folder, paint, times, options=None):
    clip = Clip(times, options=options or CLEAN)
    return measure_screencast(film(folder / "clip.mp4", Screen(), paint, clip), OPTIONS)


@pytest.mark.parametrize(("place", "response"), [(0.3, 600), (0.8, 617)])
def test_the_first_stir_after_an_exact_rest_is_the_response_if_it_lies_there(place, response, tmp_path):
    """A tile grows a little darker, by four levels, one slot before it moves; or some other tile does."""

    def paint(picture, time):
        box(picture, 0.2, 0.25, 0.5, 0.9, (200, 200, 200))
        if time >= 600:
            box(picture, 0.2, place, 0.28, place + 0.03, (196, 196, 196))
        if time >= 616:
            box(picture, 0.2, 0.3, 0.4, 0.4, (90, 60, 120))

    measured = measure(tmp_path, paint, every(60, 2))
    assert measured.metrics["response_time_ms"] == pytest.approx(response - ACTION_MS, abs=2)


def test_a_variable_rate_recorder_corrects_in_the_first_frame_after_a_rest(tmp_path):
    """The frame at 600 ms only corrects the tile by four levels, the screen answers at 617."""

    def paint(picture, time):
        shade = 200 if time < 600 else 196
        box(picture, 0.2, 0.25, 0.5, 0.9, (200, 200, 200))
        box(picture, 0.2, 0.3, 0.28, 0.33, (shade, shade, shade))
        if time >= 616:
            box(picture, 0.2, 0.3, 0.4, 0.4, (90, 60, 120))

    measured = measure(tmp_path, paint, [0.0, 600.0, 617.0, 633.0, 650.0, 2000.0])
    assert measured.metrics["response_time_ms"] == pytest.approx(117, abs=1)


@pytest.mark.parametrize("held", [True, False])
def test_the_frame_that_was_held_is_no_change(held, tmp_path):
    times = [0.0, 600.0, 617.0, 633.0, 2100.0] + ([] if held else [2200.0])
    measured = measure(tmp_path, held_frame, times)
    assert measured.metrics["finish_time_ms"] == pytest.approx(100 if held else 1600, abs=1)


def test_a_block_that_sways_to_the_end_does_not_keep_the_screen_from_settling(tmp_path):
    def paint(picture, time):
        if time >= 600:
            box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
        if time >= 700:
            picture[480:488, 240:248] = 240 if round(time / SLOT) % 2 else 245

    measured = measure(tmp_path, paint, every(60, 2), {"preset": "veryfast", "qp": "0"})
    assert measured.metrics["finish_time_ms"] == pytest.approx(100, abs=1)
    assert measured.settles


@pytest.mark.parametrize("key", [500, 517, 533])
@pytest.mark.parametrize("began", [0, 500])
def test_what_moved_around_a_key_frame_at_the_edge_of_the_look_back_goes_on(key, began, tmp_path):
    """A spinner, or one that began with the key frame itself, half a second before the action at 1000 ms."""

    every_key = round(key * 60 / 1000)
    options = CLEAN | {"x264-params": f"keyint={every_key}:min-keyint={every_key}:scenecut=0"}
    clip = Clip(every(60, 2), options=options)
    path = film(tmp_path / "clip.mp4", Screen(), partial(spinner_around_a_key_frame, began), clip)
    measured = measure_screencast(path, MeasureOptions(action_ms=1000.0))
    assert measured.metrics["response_time_ms"] == pytest.approx(200, abs=SLOT)
    assert measured.settles is False
