"""Grain, dithering, masks, the platform's dot, drops: what must not and what must count, on rendered clips."""

import numpy as np
import pytest

from analysis.detection.noise import frozen_floor
from analysis.measure import measure_screencast
from analysis.metrics import EVERY_METRIC
from analysis.options import MeasureOptions
from analysis.video.masks import Mask
from tests.analysis.events.handmade import SHAPE, film_blocks, slots
from tests.analysis.scenes import ACTION_MS, box, circle, tint
from tests.synthetic import Clip, Screen, every, film

OPTIONS = MeasureOptions(action_ms=ACTION_MS)
SLOT = 1000 / 60


def opens(picture, time):
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))


def with_grain(paint, deviation):
    rng = np.random.default_rng(5)

    def painted(picture, time):
        paint(picture, time)
        noisy = picture + rng.normal(0, deviation, (*picture.shape[:2], 1))
        picture[:] = np.clip(noisy, 0, 255).astype(np.uint8)

    return painted


def with_dither(paint):
    def painted(picture, time):
        paint(picture, time)
        rows, columns = np.indices(picture.shape[:2])
        odd = (rows + columns + round(time / SLOT)) % 2 == 0
        picture[odd] = np.minimum(picture[odd], 253) + 2

    return painted


def measure(folder, paint, options=OPTIONS, **clip):
    path = film(folder / "clip.mp4", Screen(), paint, Clip(every(60, 2), **clip))
    return measure_screencast(path, options, metrics=EVERY_METRIC)


@pytest.mark.parametrize("paint", [with_grain(opens, 4), with_grain(opens, 8), with_dither(opens)])
def test_grain_and_dithering_are_no_change(paint, tmp_path):
    measured = measure(tmp_path, paint)
    assert measured.outcome == "ok"
    assert measured.metrics["response_time_ms"] == pytest.approx(100, abs=SLOT)
    assert measured.metrics["finish_time_ms"] == pytest.approx(100, abs=2 * SLOT)


def test_noise_that_hides_every_change_is_named_with_its_strength(tmp_path):
    measured = measure(tmp_path, with_grain(lambda picture, time: None, 40))
    assert measured.outcome == "too_noisy"
    assert set(measured.metrics.values()) == {None}
    floor = measured.evidence["noise_floor_levels"]
    assert f"noise of {floor:.1f} levels" in measured.message
    assert measured.evidence["threshold_levels"] > 12


def frozen(paint, seconds=2.0):
    recording, changes = film_blocks(paint, slots(seconds))
    return frozen_floor(recording, changes.energy)


def here_and_there(share, levels):
    """Return a painter: in each picture a share of all blocks jumps to a level of its own."""
    rng = np.random.default_rng(3)
    boards = [np.full(SHAPE, 200.0)]
    for _ in range(130):
        jumps = rng.random(SHAPE) < share
        boards.append(np.where(jumps, 200 + rng.normal(0, levels, SHAPE), boards[-1]))

    def painted(board, time):
        board[:] = boards[round(time / SLOT)]

    return painted


def test_grain_that_is_coded_here_and_there_has_a_floor():
    weak, strong = (frozen(here_and_there(0.05, levels)) for levels in (2, 6))
    assert 1 < weak < strong / 2 < 8


def test_what_stirs_in_one_place_or_moves_together_or_seldom_is_no_grain():
    def one_place(board, time):
        here_and_there(0.3, 6)(board, time)
        board[12:], board[:, 8:] = 200, 200

    def together(board, time):
        board[:] = 150 + 5 * np.sin(time / 60 + np.arange(SHAPE[1]) / 8)

    def seldom(board, time):
        if 1000 < time < 1500:
            here_and_there(0.05, 6)(board, time)

    assert [frozen(paint) for paint in (one_place, together, seldom)] == [0.0, 0.0, 0.0]


def test_a_clip_that_ends_while_its_first_picture_is_still_sharpened_tells_nothing_of_grain(tmp_path):
    def slides(picture, time):
        left = 0.1 + time / 1000
        box(picture, left, 0.3, left + 0.4, 0.6, (40, 60, 60))

    path = film(tmp_path / "clip.mp4", Screen(), slides, Clip(every(60, 0.2)))
    measured = measure_screencast(path, MeasureOptions(action_ms=0), metrics=EVERY_METRIC)
    assert measured.metrics["response_time_ms"] == pytest.approx(SLOT, abs=1)


def test_grain_alone_is_no_response(tmp_path):
    assert measure(tmp_path, with_grain(lambda picture, time: None, 6)).outcome == "no_response"


def test_a_mask_over_the_change_removes_it_and_is_shown(tmp_path):
    mask = Mask("dialog", 0.15, 0.25, 0.85, 0.65)
    measured = measure(tmp_path, opens, MeasureOptions(action_ms=ACTION_MS, masks=(mask,)))
    assert measured.outcome == "no_response"
    assert measured.evidence["masks"] == [mask.as_dict()]


def test_the_platforms_dot_is_no_response(tmp_path):
    def touched(picture, time):
        if 520 <= time < 600:  # a frame after the action: with it, it would be taken for a mark
            tint(picture, circle(picture, 0.5, 0.8, 0.055), 0.5)
        if time >= 640:
            box(picture, 0.1, 0.2, 0.9, 0.4, (40, 60, 60))

    shown = MeasureOptions(action_ms=ACTION_MS, show_touches=True, touch_xy=(135.0, 0.8 * 584))
    measured = measure(tmp_path, touched, shown)
    assert measured.metrics["response_time_ms"] == pytest.approx(150, abs=SLOT)
    assert "dot" in str(measured.evidence["ignored"])
    assert measure(tmp_path, touched).metrics["response_time_ms"] == pytest.approx(33, abs=SLOT)


@pytest.mark.parametrize("kind", ["swipe", "scroll"])
@pytest.mark.parametrize("answers", [True, False])
def test_the_platforms_dot_is_no_response_where_it_moves_either(kind, answers, tmp_path):
    """A finger goes 14 px to the left in every slot; the page follows it 200 ms late, or not at all."""

    def swiped(picture, time):
        if answers and time >= 700:
            place = min((time - 700) / 300, 1) * 0.5
            box(picture, 0.55 - place, 0.1, 0.95 - place, 0.5, (40, 60, 120))
        if 500 <= time < 700:
            tint(picture, circle(picture, 0.8 - 14 / 270 * (time - 500) / SLOT, 0.8, 0.055), 0.5)

    options = MeasureOptions(
        action_ms=ACTION_MS, interaction_type=kind, show_touches=True, touch_xy=(0.8 * 270, 0.8 * 584)
    )
    told = measure(tmp_path, swiped, options)
    (rect,) = (area["rect"] for area in told.evidence["ignored"] if "dot" in area["reason"])
    assert rect[0] < 0.4 * 270
    unaided = measure(tmp_path, swiped)
    assert not unaided.evidence["ignored"]  # nobody tells of the dot: it is found as one that goes with a finger
    assert "as a touch dot does" in unaided.evidence["events"][0]["left_out"]["response"]
    for measured in (told, unaided):
        if answers:
            assert measured.metrics["response_time_ms"] == pytest.approx(200, abs=SLOT)
        else:
            assert measured.outcome == "no_response"


def moves(picture, time, lost=()):
    slot = round((time - 600) / SLOT)
    while slot in lost:
        slot -= 1
    place = min(max(slot, 0), 30) / 40
    box(picture, 0.1 + place * 0.8, 0.4, 0.3 + place * 0.8, 0.6, (30, 90, 160))


def test_a_drop_counts_as_repeat_and_as_gap_alike(tmp_path):
    lost = {7, 8, 15}

    def janky(picture, time):
        moves(picture, time, lost)

    repeats = measure(tmp_path, janky)
    times = [time for time in every(60, 2) if round((time - 600) / SLOT) not in lost]
    gaps = measure_screencast(film(tmp_path / "gaps.mp4", Screen(), janky, Clip(times)), OPTIONS)
    assert repeats.metrics["dropped_frames"] == gaps.metrics["dropped_frames"] == 3
    assert repeats.metrics["longest_freeze_ms"] == pytest.approx(3 * SLOT, abs=0.1)


def test_a_smooth_motion_drops_nothing(tmp_path):
    assert measure(tmp_path, moves).metrics["dropped_frames"] == 0


def test_the_response_of_a_slow_fade_is_where_it_begins(tmp_path):
    def fades(picture, time):
        tint(picture, slice(None), 0.25 * float(np.clip((time - 700) / 3000, 0, 1)))

    path = film(tmp_path / "clip.mp4", Screen(), fades, Clip(every(60, 4.5)))
    metrics = measure_screencast(path, OPTIONS).metrics
    assert metrics["response_time_ms"] == pytest.approx(200, abs=100)  # six frames make the first level
    assert metrics["finish_time_ms"] == pytest.approx(3200, abs=150)  # the last levels take as long
