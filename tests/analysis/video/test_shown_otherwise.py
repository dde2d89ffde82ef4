"""Recordings that a player shows otherwise than their pixels lie: measured as the plain twin, or refused."""

import struct
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.scenes import box, tint
from tests.synthetic import Clip, Screen, every, film, write

SCREEN = Screen(256, 320)
TIMES = every(30, 1.6)
SLOT = 1000 / 30
QUICK = {"preset": "ultrafast", "crf": "20"}
MPEG4 = {"flags": "+ildct+ilme", "qmin": "3", "qmax": "3"}
PLAIN = Clip(TIMES, options=QUICK)
OPTIONS = MeasureOptions(action_ms=200.0)


def dims(picture, time):
    """A knob jumps, then the page dims over 900 ms, in steps of which nobody sees a single one."""
    if time >= 300:
        box(picture, 0.1, 0.5, 0.4, 0.6, (30, 60, 130))
    tint(picture, slice(None), 0.4 * float(np.clip((time - 300) / 900, 0, 1)))


def says(found):
    return found.outcome, found.metrics["response_time_ms"], found.metrics["finish_time_ms"]


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    return says(measure_screencast(film(tmp_path_factory.mktemp("twin") / "a.mp4", SCREEN, dims, PLAIN), OPTIONS))


@pytest.mark.parametrize(
    ("name", "clip"),
    [
        ("wide_pixels.mp4", replace(PLAIN, options={**QUICK, "x264-params": "sar=2/1"})),
        ("full_range.mp4", replace(PLAIN, options={**QUICK, "x264-params": "fullrange=on"}, full_range=True)),
        ("bt709.mp4", replace(PLAIN, options={**QUICK, "x264-params": "colormatrix=bt709"})),
        ("upside_down.mp4", replace(PLAIN, rotation=180)),
    ],
)
def test_a_fade_is_timed_as_in_the_twin(name, clip, twin, tmp_path):
    outcome, response, finish = says(measure_screencast(film(tmp_path / name, SCREEN, dims, clip), OPTIONS))

    assert outcome == twin[0] == "ok"
    assert response == pytest.approx(twin[1], abs=1)
    assert finish == pytest.approx(twin[2], abs=SLOT + 1)


def fields():
    """Yield pictures whose odd lines come from half a frame later, as a camera with fields films them."""
    page = SCREEN.page()
    for time in TIMES:
        first, second = page.copy(), page.copy()
        dims(first, time)
        dims(second, time + SLOT / 2)
        first[1::2] = second[1::2]
        yield first


@pytest.mark.parametrize(
    ("name", "clip"),
    [
        ("x264.mp4", Clip(TIMES, options={"preset": "veryfast", "crf": "20", "x264-params": "tff=1"})),
        ("mpeg4.mp4", Clip(TIMES, "mpeg4", MPEG4, time_base=Fraction(1, 3000))),
        ("prores.mov", Clip(TIMES, "prores_ks", {"profile": "0", "flags": "+ildct"}, "yuv422p10le")),
    ],
)
def test_interlaced_pictures_are_refused_by_name(name, clip, tmp_path):
    found = measure_screencast(write(tmp_path / name, fields(), clip), OPTIONS)

    assert found.outcome == "unreadable"
    assert "interlaced" in found.message
    assert "deinterlace" in found.message


def turned(path, matrix):
    """Write a display matrix into the head of the track."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    data[at : at + 36] = struct.pack(">9i", *matrix)
    path.write_bytes(data)
    return path


ONE = 1 << 16


@pytest.mark.parametrize(
    ("matrix", "word"),
    [
        ((-ONE, 0, 0, 0, ONE, 0, 256 * ONE, 0, 1 << 30), "mirrored"),
        ((ONE, 0, 0, 0, -ONE, 0, 0, 320 * ONE, 1 << 30), "mirrored"),
        ((46341, 46341, 0, -46341, 46341, 0, 0, 0, 1 << 30), "turned by"),
    ],
)
def test_a_mirrored_or_slanted_screen_is_refused_by_name(matrix, word, tmp_path):
    """Its bars and the finger are not where they seem to be."""
    found = measure_screencast(turned(film(tmp_path / "a.mp4", SCREEN, dims, PLAIN), matrix), OPTIONS)

    assert found.outcome == "unreadable"
    assert word in found.message


EDITS = {"avoid_negative_ts": "disabled", "use_editlist": "1"}
HELD = [300.0, *(333.3 + SLOT * step for step in range(30)), 1600.0]  # of a recorder that writes what changes


def test_a_track_that_begins_later_says_what_its_twin_says(twin, tmp_path):
    later = replace(PLAIN, times_ms=[time + 500 for time in TIMES])

    def dims_later(picture, time):
        dims(picture, time - 500)

    path = film(tmp_path / "a.mp4", SCREEN, dims_later, later, {"use_editlist": "1"})

    assert says(measure_screencast(path, OPTIONS)) == (
        twin[0],
        *(pytest.approx(value, abs=1) for value in twin[1:]),
    )


def test_a_cut_at_a_constant_rate_says_what_its_twin_says(twin, tmp_path):
    longer = replace(PLAIN, times_ms=[time - 500 for time in every(30, 2.1)])

    assert says(measure_screencast(film(tmp_path / "a.mp4", SCREEN, dims, longer, EDITS), OPTIONS)) == twin


def test_a_cut_within_a_picture_that_stands_is_refused(tmp_path):
    """The decoder begins at the next picture, 300 ms after what a player shows first."""
    path = film(tmp_path / "a.mp4", SCREEN, dims, replace(PLAIN, times_ms=[-500.0, *HELD]), EDITS)

    found = measure_screencast(path, OPTIONS)

    assert found.outcome == "unreadable"
    assert "begins 0.300 s before the next picture" in found.message
