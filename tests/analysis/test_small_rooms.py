from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.detection.noise import NOISE, learn_floor
from analysis.events.onset import fade_began
from analysis.kernels.limits import BlockLimits
from analysis.options import MeasureOptions
from analysis.series import FrameSeries
from analysis.video.areas import count_near, disc, grow
from analysis.video.grid import BlockGrid, block_size
from analysis.video.masks import Mask
from analysis.video.store import BlockStore
from tests import naive

areas = arrays(np.bool_, (7, 9))


@settings(max_examples=40, deadline=None)
@given(areas, st.integers(1, 3))
def test_area_helpers_equal_their_twins(blocks, reach):
    np.testing.assert_array_equal(grow(blocks, reach), naive.grow(blocks, reach))
    np.testing.assert_array_equal(count_near(blocks, reach), naive.count_near(blocks, reach))


def test_disc_covers_its_centre_and_nothing_far():
    area = disc((20, 20), (10.0, 10.0), 3.0)
    assert area[10, 10]
    assert not area[10, 14]
    assert area.sum() == pytest.approx(np.pi * 9, rel=0.2)


@pytest.mark.parametrize(
    ("size", "expected"), [((270, 584), 8), ((540, 1170), 8), ((1080, 2400), 16), ((2400, 1080), 16)]
)
def test_block_size_follows_the_shorter_side(size, expected):
    assert block_size(*size) == expected


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_rectangles_turn_to_the_shown_picture_and_back(rotation):
    grid = BlockGrid(100, 60, 10, rotation)
    rect = (10, 20, 40, 50)
    assert grid.to_coded(grid.to_shown(rect)) == rect


@pytest.mark.parametrize(
    ("rotation", "shown"),
    [(0, (40, 30, 70, 60)), (90, (140, 40, 170, 70)), (180, (230, 140, 260, 170)), (270, (30, 230, 60, 260))],
)
def test_rectangles_of_a_screen_within_the_picture_turn_with_all_of_it(rotation, shown):
    """The picture is 300 × 200 px, the screen in it 100 × 60, 30 px from the left and 10 from above."""
    grid = BlockGrid(100, 60, 10, rotation, 30, 10, (300, 200))
    rect = (10, 20, 40, 50)
    assert grid.to_shown(rect) == shown
    assert grid.to_coded(shown) == rect
    assert grid.within == (30, 10, 130, 70)
    assert grid.shown_size == ((200, 300) if rotation in (90, 270) else (300, 200))


def test_a_mask_over_all_of_the_picture_covers_what_lies_under_it_of_the_screen():
    grid = BlockGrid(100, 60, 10, 0, 30, 10, (300, 200))
    masked = grid.masked([Mask("left", 0, 0, 50, 200, "px"), Mask("beside", 0, 0, 300, 8, "px")])
    assert masked[:, :2].all()
    assert not masked[:, 2:].any()


def test_rect_around_blocks_is_cut_at_the_edge():
    grid = BlockGrid(25, 25, 10)
    blocks = np.zeros(grid.shape, bool)
    assert grid.rect_of(blocks) is None
    blocks[1:, 2] = True
    assert grid.rect_of(blocks) == (20, 10, 25, 25)


def test_masks_in_fractions_and_pixels_cover_the_same_blocks():
    grid = BlockGrid(100, 200, 10)
    fraction = grid.masked([Mask("bar", 0, 0, 1, 0.05)])
    np.testing.assert_array_equal(fraction, grid.masked([Mask("bar", 0, 0, 100, 10, "px")]))
    assert fraction[0].all()
    assert not fraction[1:].any()


@pytest.mark.parametrize(
    ("values", "cure"),
    [
        ((0.5, 0, 0.4, 1), "x0 < x1"),
        ((0, 0, 2, 1), "unit px"),
        ((0, 0, 1, 1, "cm"), "fraction or px"),
        ((-1, 0, 1, 1), "negative"),
    ],
)
def test_a_wrong_mask_is_refused_with_its_cure(values, cure):
    with pytest.raises(ValueError, match=cure):
        Mask("bar", *values)


@pytest.mark.parametrize(
    ("values", "cure"),
    [
        ({"interaction_type": "stare"}, "use one of tap"),
        ({"action_ms": -1.0}, "0 or more"),
        ({"action_ms": float("nan")}, "0 or more"),
        ({"refresh_hz": 0.0}, "such as 60"),
        ({"touch_xy": (1.0, float("inf"))}, "finite"),
    ],
)
def test_wrong_options_are_refused_with_their_cure(values, cure):
    with pytest.raises(ValueError, match=cure):
        MeasureOptions(**values)


def test_a_series_survives_packing():
    rng = np.random.default_rng(1)
    series = FrameSeries(np.cumsum(rng.random(50)), *rng.random((3, 50)).astype(np.float32))
    back = FrameSeries.unpack(series.pack())
    for name in ("time_ms", "ssim_mean", "ssim_worst", "changed_pct"):
        np.testing.assert_array_equal(getattr(back, name), getattr(series, name))
    assert len(series.pack()) < 20 * 50 + 40


def test_other_bytes_are_no_series():
    with pytest.raises(ValueError, match="extract the run again"):
        FrameSeries.unpack(b"something else")


@pytest.mark.parametrize("budget", [1, 10**6])
def test_the_store_reads_back_in_order_from_memory_and_from_disk(budget):
    store = BlockStore(2, 3, budget)
    rows = [(np.arange(6, dtype=np.uint16).reshape(2, 3) * k, np.full(3, k, np.uint8)) for k in range(4)]
    for means, strength in rows:
        store.append(means, strength)
    for _ in range(2):
        for (means, strength), (one, two) in zip(rows, store, strict=True):
            np.testing.assert_array_equal(means, one)
            np.testing.assert_array_equal(strength, two)
    assert [int(strength[0]) for _, strength in store.span(1, 2)] == [1, 2]
    assert [int(strength[0]) for _, strength in store.span(-1, 9)] == [0, 1, 2, 3]
    one, two = store.span(0, 3), store.span(2, 3)
    assert [int(next(span)[1][0]) for span in (one, two, one, two)] == [0, 2, 1, 3]
    for picture in (3, 0):
        for read, written in zip(store.at(picture), rows[picture], strict=True):
            np.testing.assert_array_equal(read, written)
    for picture in (-1, 4):
        with pytest.raises(IndexError, match="has 4"):
            store.at(picture)
    store.append(*rows[1])
    assert [int(strength[0]) for _, strength in store] == [0, 1, 2, 3, 1]
    store.close()


def test_a_still_recording_has_no_noise_floor_and_grain_has_one():
    times = np.arange(0, 2000, 1000 / 60)
    grain = np.full(len(times), 1.5, np.float32)
    assert learn_floor(grain, times, 2000.0) == 1.5
    assert learn_floor(grain[:5], times[:5], 2000.0) == 0.0


def test_a_game_that_never_rests_is_no_grain():
    times = np.arange(0, 2000, 1000 / 60)
    assert learn_floor(np.full(len(times), 30, np.float32), times, 2000.0) == 0.0
    assert learn_floor(np.zeros(1, np.float32), times[:1], 2000.0) == 0.0


def test_a_fade_over_the_screen_is_no_grain():
    medians = np.array([0, 3, 3, 3], np.float32)
    assert learn_floor(medians, np.array([0.0, 500, 517, 533]), 2000.0) == 0.0


def test_limits_rise_with_the_floor_and_at_a_key_frame():
    limits = BlockLimits()
    calm, key = (NOISE.for_picture(limits, 0.0, 0.0, 0.0, age) for age in ("old", "key"))
    grainy = NOISE.for_picture(limits, 0.0, 0.0, 2.0, "old")
    young = NOISE.for_picture(limits, 0.0, 0.0, 0.0, "young")
    assert calm.isolated < young.isolated < key.isolated
    assert calm.moving < young.moving  # beside a motion, too, the picture after a key frame corrects it
    assert calm.moving < grainy.moving


def test_a_change_before_the_instant_looked_back_to_began_where_it_was_found():
    """Pictures may come faster than the 1 ms that is left to an echo before the response."""
    store = BlockStore(1, 30)
    for level in (0, 640, 1280, 1920):
        store.append(np.full((1, 30), level, np.uint16), np.zeros(30, np.uint8))
    recording = SimpleNamespace(picture_ms=np.array([0.0, 0.2, 0.4, 0.6]), store=store, key_frame=np.zeros(4, bool))
    assert fade_began(recording, np.ones((5, 6), bool), 1, action_ms=0.0) == 1
    assert fade_began(recording, np.ones((5, 6), bool), 2, action_ms=1.0) == 2
    assert fade_began(recording, np.ones((5, 6), bool), 3, action_ms=0.0) == 1
