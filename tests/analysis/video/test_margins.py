"""Black around a screen is no part of it: what is measured, and where, is as if it had been filmed alone."""

from contextlib import closing
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.pictures.changemap import change_map
from analysis.video.masks import Mask
from analysis.video.pixels import lumas
from analysis.video.recording import read_recording
from tests.analysis.acting import ACTED
from tests.analysis.acting import SCREEN as ACTING
from tests.analysis.scenes import box
from tests.synthetic import Clip, Screen, every, film, write

ACTION_MS, AROUND = 200.0, (46, 72)  # px above and below, at the left and at the right
SCREEN = Screen(270, 480)
CLIP = Clip(every(60, 1.5), options={"crf": "10"})


def answers(picture, time):
    """Open two panels, 100 and 400 ms after the action; a clock in the status bar ticks long afterwards."""
    if time >= 300:
        box(picture, 0.2, 0.3, 0.7, 0.5, (170, 40, 40))
    if time >= 600:
        box(picture, 0.2, 0.6, 0.7, 0.8, (40, 40, 170))
    if time >= 1100:
        box(picture, 0.46, 0.008, 0.54, 0.028, (20, 20, 20))


def around(picture, above_and_aside=AROUND, level=0):
    (high, wide), colours = above_and_aside, {"constant_values": level}
    return np.pad(picture, ((high, high), (wide, wide), (0, 0)), **colours)


def filmed(path, draw, clip=CLIP, framed=around, on=SCREEN):
    def pictures():
        for time in clip.times_ms:
            picture = on.page()
            draw(picture, time)
            yield framed(picture)

    return write(path, pictures(), clip)


def measured(path, **options):
    return measure_screencast(path, MeasureOptions(action_ms=ACTION_MS, **options))


@pytest.mark.parametrize(
    ("pixels", "rotation"), [("yuv420p", 0), ("yuv444p", 90), ("yuv420p10le", 180), ("yuv420p", 270)]
)
def test_a_screen_in_black_is_measured_as_alone_and_where_it_is(tmp_path, pixels, rotation):
    clip = replace(CLIP, rotation=rotation, pixel_format=pixels, codec="libx265" if "10" in pixels else CLIP.codec)
    alone = measured(film(tmp_path / "alone.mp4", SCREEN, answers, clip))
    found = measured(filmed(tmp_path / "framed.mp4", answers, clip))
    high, wide = AROUND
    size = SCREEN.width + 2 * wide, SCREEN.height + 2 * high
    along, down = (high, wide) if rotation in (90, 270) else (wide, high)
    assert (found.info.width, found.info.height) == (size[::-1] if rotation in (90, 270) else size)
    assert found.outcome == "ok"
    for name in ("response_time_ms", "finish_time_ms", "dropped_frames"):
        assert found.metrics[name] == alone.metrics[name]
    assert found.metrics["response_time_ms"] == pytest.approx(100, abs=1)
    for moment in ("response", "finish"):
        x0, y0, x1, y1 = alone.evidence[moment]["changed_rect"]
        assert found.evidence[moment]["changed_rect"] == (x0 + along, y0 + down, x1 + along, y1 + down)
    shown = (SCREEN.height, SCREEN.width) if rotation in (90, 270) else (SCREEN.width, SCREEN.height)
    place = f"{shown[0]} × {shown[1]} px at {along}, {down}"
    assert found.evidence["notes"] == [f"black around the screen is left out: the screen is {place}"]
    assert found.evidence["screen"] == [along, down, along + shown[0], down + shown[1]]
    assert "screen" not in alone.evidence


def test_masks_and_touches_are_told_in_pixels_of_the_whole_picture(tmp_path):
    path = filmed(tmp_path / "framed.mp4", answers)
    high, wide = AROUND
    panel = Mask("panel", wide, high + 0.55 * SCREEN.height, wide + SCREEN.width, high + 0.85 * SCREEN.height, "px")
    assert measured(path, masks=(panel,)).metrics["finish_time_ms"] == pytest.approx(100, abs=1)
    assert measured(path, touch_xy=(5, 5)).metrics["finish_time_ms"] == pytest.approx(400, abs=1)


@pytest.mark.parametrize("name", ["tap", "pointer_location", "corner_flash", "lit_key"])
def test_the_action_is_found_in_it_too(tmp_path, name):
    scene = ACTED[name]
    clip = Clip(every(60, 2.0), options={"qp": "0"})  # without loss: blocks of the encoder lie otherwise
    alone = measure_screencast(film(tmp_path / "alone.mp4", ACTING, scene.paint, clip), scene.options())
    framed = measure_screencast(filmed(tmp_path / "framed.mp4", scene.paint, clip, on=ACTING), scene.options())
    one, other = (found.evidence["action"]["chosen"] for found in (alone, framed))
    assert (other["kind"], other["time_ms"]) == (scene.kind, one["time_ms"])
    x0, y0, x1, y1 = one["rect"]
    assert list(other["rect"]) == [x0 + AROUND[1], y0 + AROUND[0], x1 + AROUND[1], y1 + AROUND[0]]
    assert framed.metrics["response_time_ms"] == alone.metrics["response_time_ms"]


def test_what_is_shown_around_later_on_belongs_to_the_screen(tmp_path):
    def spreads(picture, time):
        box(picture, 0, 0, 1, 1, (0, 0, 0))
        box(picture, 0.2, 0.2, 0.8, 0.8, (200, 200, 200))
        if time >= 300:
            box(picture, 0.3, 0.3, 0.7, 0.5, (170, 40, 40))
        if time >= 600:
            box(picture, 0.02, 0.02, 0.98, 0.1, (90, 90, 90))

    found = measured(filmed(tmp_path / "spreads.mp4", spreads, framed=np.asarray))
    assert found.metrics["finish_time_ms"] == pytest.approx(400, abs=1)
    assert found.evidence["notes"] == []


def letters(picture):
    """Return a picture of words in the middle of black, as a system shows while it starts."""
    black = np.zeros_like(picture)
    return cv2.putText(black, "Hello", (90, 240), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (230, 230, 230), 2)


def keeps_a_bar(picture):
    """Return a screen whose navigation bar is black, and what is above it is not."""
    picture[-40:] = 0
    return picture


@pytest.mark.parametrize(
    "framed",
    [
        np.asarray,
        letters,
        keeps_a_bar,
        partial(around, above_and_aside=(6, 6)),  # so little may be anything
        partial(around, level=60),  # no black
        lambda picture: np.pad(picture, ((0, 0), (20, 80), (0, 0))),  # more on one side
    ],
)
def test_black_that_may_be_the_screens_own_is_kept(tmp_path, framed):
    path = filmed(tmp_path / "a.mp4", lambda *_: None, Clip(every(60, 0.2), options={"crf": "10"}), framed)
    recording = read_recording(path)
    with closing(recording.store):
        assert recording.grid.whole is None
        assert (recording.grid.width, recording.grid.height) == (recording.info.width, recording.info.height)


def test_pixels_are_those_of_the_blocks(tmp_path):
    path = filmed(tmp_path / "framed.mp4", answers)
    recording = read_recording(path)
    with closing(recording.store):
        assert recording.grid.within == (72, 46, 342, 526)
        first = lumas(path, 1, recording, [0], 0)[0]
        assert first.shape == (SCREEN.height, SCREEN.width)
        (levels,) = recording.levels(0, 0)
    means = first[:480, :264].reshape(60, 8, 33, 8).mean(axis=(1, 3))
    assert levels[0][:, :33] == pytest.approx(means, abs=1)


@pytest.mark.parametrize("rotation", [0, 90])
def test_the_change_map_is_that_of_the_screen_alone_at_its_place(tmp_path, rotation):
    clip = replace(CLIP, rotation=rotation, options={"qp": "0"})
    alone, framed = (
        cv2.imdecode(np.frombuffer(change_map(path, MeasureOptions(action_ms=ACTION_MS)), np.uint8), -1)
        for path in (
            film(tmp_path / "alone.mp4", SCREEN, answers, clip),
            filmed(tmp_path / "framed.mp4", answers, clip),
        )
    )
    (high, wide), size = (AROUND[::-1] if rotation else AROUND), (SCREEN.width, SCREEN.height)
    down, along = size if rotation else size[::-1]
    assert framed.shape[:2] == (down + 2 * high, along + 2 * wide)
    screen = framed[high : high + down, wide : wide + along]
    assert framed[..., 3].any()
    assert np.count_nonzero(framed[..., 3]) == np.count_nonzero(screen[..., 3])
    pixels = alone.repeat(8, axis=0).repeat(8, axis=1)
    np.testing.assert_array_equal(screen, pixels[-down:, :along])  # a turn puts the blocks that are cut first
