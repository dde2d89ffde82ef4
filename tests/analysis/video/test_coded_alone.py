"""Codecs that code every frame on its own, and how often others may: measured as the twin, or refused by name."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.scenes import box, circle, tint
from tests.synthetic import Clip, Screen, every, film

MILLISECONDS = Fraction(1, 1000)
SCREEN = Screen(256, 320)  # DNxHR takes no narrower one
SLOT = 1000 / 30
OPTIONS = MeasureOptions(action_ms=200.0)
RESPONSE, FINISH = 100.0, 1000.0  # ms after the action
TIMES = every(60, 1.6)
HALF = every(30, 1.6)  # enough where it is about the codec
QUICK = {"preset": "ultrafast", "crf": "20"}
FAST_VP9 = {"deadline": "realtime", "cpu-used": "8"}


def dims(picture, time):
    """A knob jumps, then the page dims over 900 ms, in steps of which nobody sees a single one."""
    if time >= 300:
        box(picture, 0.1, 0.5, 0.4, 0.6, (30, 60, 130))
    tint(picture, slice(None), 0.4 * float(np.clip((time - 300) / 900, 0, 1)))


def shades(picture, time):
    """A button answers with a faint circle that grows and goes; nothing else moves."""
    if 300 <= time < 1200:
        tint(picture, circle(picture, 0.5, 0.6, 0.1 + 0.2 * (time - 300) / 900), 0.15)


def opens(picture, time):
    """A dialog opens, and another one below it."""
    for at, top, colour in ((300, 0.2, (170, 40, 40)), (1200, 0.6, (40, 40, 170))):
        if time >= at:
            box(picture, 0.2, top, 0.7, top + 0.2, colour)


def rests(picture, time):
    """Nobody answers."""


def with_grain(paint):
    def grain_on(picture, time):
        paint(picture, time)
        rng = np.random.default_rng(round(1000 * time))
        noisy = picture + rng.normal(0, 5, (*picture.shape[:2], 1))
        picture[:] = np.clip(noisy, 0, 255).astype(np.uint8)

    grain_on.__name__ += f"_{paint.__name__}"
    return grain_on


def measured(path, paint, clip):
    return measure_screencast(film(path, SCREEN, paint, clip), OPTIONS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("twins")


def fixed(quality):
    return {"qmin": quality, "qmax": quality}


ALONE = {
    "mjpeg.mov": Clip(HALF, "mjpeg", fixed("3"), "yuvj420p"),
    "mjpeg_coarse.mkv": Clip(HALF, "mjpeg", fixed("31"), "yuvj422p", MILLISECONDS),
    "mjpeg_at_a_rate.avi": Clip(HALF, "mjpeg", {"b": "2000000"}, "yuvj420p", Fraction(1, 30)),
    "prores.mov": Clip(HALF, "prores_ks", {"profile": "0"}, "yuv422p10le"),
    "prores_alpha.mov": Clip(HALF, "prores_ks", {"profile": "4"}, "yuva444p10le"),
    "ffv1.mkv": Clip(HALF, "ffv1", {}, "yuv420p", MILLISECONDS, gop=1),
    "ffv1_groups.mkv": Clip(HALF, "ffv1", {}, "yuv444p", MILLISECONDS, gop=5),
    "ffvhuff.avi": Clip(HALF, "ffvhuff", {}, "yuv420p", Fraction(1, 30)),
    "huffyuv.avi": Clip(HALF, "huffyuv", {}, "yuv422p", Fraction(1, 30)),
    "utvideo.avi": Clip(HALF, "utvideo", {}, "gbrp", Fraction(1, 30)),
    "png.mov": Clip(HALF, "png", {}, "rgb24"),
    "grey.mkv": Clip(HALF, "ffv1", {}, "gray", MILLISECONDS),
    "twelve_bits.mkv": Clip(HALF, "ffv1", {}, "yuv420p12le", MILLISECONDS),
    "qtrle.mov": Clip(HALF, "qtrle", {}, "rgb24"),
    "magicyuv.avi": Clip(HALF, "magicyuv", {}, "yuv444p", Fraction(1, 30)),
    "raw.avi": Clip(HALF, "rawvideo", {}, "yuv420p", Fraction(1, 30)),
    "dnxhr.mov": Clip(HALF, "dnxhd", {"profile": "dnxhr_lb"}, "yuv422p"),
}


LOSSY = ("mjpeg.mov", "mjpeg_coarse.mkv", "mjpeg_at_a_rate.avi")


def says(found):
    return found.outcome, found.settles, found.metrics["response_time_ms"], found.metrics["finish_time_ms"]


@cache
def twin(paint, folder):
    """Return what a recording of the same pictures with one key frame says."""
    return says(measured(folder / f"{paint.__name__}.mp4", paint, Clip(HALF, options=QUICK)))


@pytest.mark.parametrize("name", ALONE)
def test_a_fade_is_timed_as_in_the_twin(name, folder, tmp_path):
    """No step of it can be seen by itself: where each frame counted as coded anew, it ended 600 ms early."""
    outcome, settles, response, finish = says(measured(tmp_path / name, dims, ALONE[name]))

    assert (outcome, settles) == twin(dims, folder)[:2] == ("ok", True)
    assert response == pytest.approx(twin(dims, folder)[2], abs=SLOT + 1) == pytest.approx(RESPONSE, abs=SLOT + 1)
    assert finish == pytest.approx(twin(dims, folder)[3], abs=2 * SLOT) == pytest.approx(FINISH, abs=2 * SLOT)


TOO_NOISY = {("grain_on_rests", "mjpeg_coarse.mkv"), ("grain_on_rests", "mjpeg_at_a_rate.avi")}


@pytest.mark.parametrize("name", LOSSY)
@pytest.mark.parametrize("paint", [shades, rests, with_grain(opens), with_grain(rests)])
def test_a_lossy_codec_without_prediction_says_what_the_twin_says(name, paint, folder, tmp_path):
    clip = ALONE[name]
    if name == "mjpeg.mov" and paint.__name__ == "grain_on_opens":
        clip = replace(clip, options=fixed("12"))
    outcome, settles, response, finish = says(measured(tmp_path / name, paint, clip))

    if outcome == "too_noisy":  # nothing happens, and grain coded so coarsely would hide a change
        assert (paint.__name__, name) in TOO_NOISY
        return
    assert (outcome, settles) == twin(paint, folder)[:2]
    assert response == pytest.approx(twin(paint, folder)[2], abs=SLOT + 1)
    assert finish == pytest.approx(twin(paint, folder)[3], abs=SLOT + 1)


def keyed(every_frames, codec="libx264", more=""):
    options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "25"}
    key = "x265-params" if codec == "libx265" else "x264-params"
    options[key] = f"keyint={every_frames}:min-keyint={every_frames}:scenecut=0{more}"
    return Clip(TIMES, codec, options, gop=every_frames)


@pytest.mark.parametrize(
    ("name", "clip", "said"),
    [
        ("h264.mp4", keyed(1), "96 of its 96 frames are key frames of h264"),
        ("h264_2.mkv", replace(keyed(2), time_base=MILLISECONDS), "48 of its 96 frames are key frames of h264"),
        ("h264_10.mp4", keyed(10), "10 of its 96 frames are key frames of h264"),
        ("hevc.mp4", keyed(1, "libx265", ":log-level=none"), "96 of its 96 frames are key frames of hevc"),
        ("vp9.webm", Clip(TIMES, "libvpx-vp9", FAST_VP9, time_base=MILLISECONDS, gop=1), "key frames of vp9"),
        ("mpeg4.avi", Clip(TIMES, "mpeg4", {}, time_base=Fraction(1, 60), gop=1), "key frames of mpeg4"),
        ("rests.mp4", replace(keyed(1), times_ms=[0, *TIMES[18:40], 3000]), "24 of its 24 frames are key frames"),
    ],
)
def test_key_frames_as_often_as_the_screen_moves_are_refused_by_name(name, clip, said, tmp_path):
    found = measured(tmp_path / name, opens, clip)

    assert found.outcome == "unreadable"
    assert said in found.message
    assert "record with a key frame a second" in found.message
    assert set(found.metrics.values()) == {None}


@pytest.mark.parametrize(
    "clip",
    [
        keyed(15),
        keyed(30, more=":open-gop=1:bframes=3:b-pyramid=2"),
        keyed(30, more=":intra-refresh=1"),
        replace(keyed(1), times_ms=[0.0, 300.0, 1200.0, 2000.0]),  # a recorder that writes key frames after rests
    ],
)
def test_rarer_key_frames_are_measured(clip, tmp_path):
    outcome, settles, response, finish = says(measured(tmp_path / "clip.mp4", opens, clip))

    assert (outcome, settles) == ("ok", True)
    assert (response, finish) == (pytest.approx(RESPONSE, abs=1), pytest.approx(FINISH, abs=1))
