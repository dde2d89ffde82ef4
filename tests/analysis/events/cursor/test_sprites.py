"""How two places of a screen are laid over each other, against slow obvious twins."""

from itertools import product

import numpy as np
import pytest

from analysis.kernels.loading import load
from tests import naive

LEVELS = 24.0
SHADES = np.array([20, 60, 70, 200, 230], np.uint8)


@pytest.mark.parametrize("seed", range(8))
def test_places_in_two_pictures_are_as_unlike_as_a_slow_twin_says(seed):
    """In the middle and in a corner, where a picture ends within what is laid over; one shift finds what moved."""
    rng = np.random.default_rng(seed)
    one, other = (rng.choice(SHADES, (30, 26)) for _ in range(2))
    here, there = (rng.random((int(rng.integers(5, 9)), int(rng.integers(5, 9)))) < 0.7 for _ in range(2))
    first, second = ((9, 8), (0, 0))[seed % 2], ((12, 13), (21, 17))[seed // 2 % 2]
    there = there[: 30 - second[0], : 26 - second[1]]
    other[second[0] : second[0] + 5, second[1] : second[1] + 5] = one[
        first[0] : first[0] + 5, first[1] : first[1] + 5
    ]
    shifts = list(product((-3, -1, 0, 2), (-2, 0, 1)))
    out = np.empty(len(shifts))
    load().lay_over(one, other, here, there, np.array([*first, *second]), np.array(shifts), LEVELS, out)
    pictures, masks, corners = (one, other), (here, there), (first, second)
    expected = [naive.laid_over(pictures, masks, corners, shift, LEVELS) for shift in shifts]
    assert out == pytest.approx(expected)
    assert np.isfinite(out).sum() > 1
    assert np.isinf(out).any() or seed % 2 == 0


def test_what_moved_as_it_is_is_like_itself():
    rng = np.random.default_rng(3)
    one, other = np.full((2, 40, 40), 220, np.uint8)
    one[6:14, 5:12] = other[20:28, 23:30] = rng.integers(0, 100, (8, 7))
    mask, out = np.ones((8, 7), bool), np.empty(2)
    load().lay_over(one, other, mask, mask, np.array([6, 5, 20, 23]), np.array([(0, 0), (0, 3)]), LEVELS, out)
    assert out[0] == 0 < out[1]


@pytest.mark.parametrize("seed", range(6))
def test_a_place_slides_to_where_a_slow_twin_finds_it(seed):
    rng = np.random.default_rng(seed)
    was = rng.choice(SHADES, (9, 8)).astype(np.float32)
    now = np.roll(was, ((1, -2), (0, 3), (-2, 0))[seed % 3], (0, 1))
    now[rng.random(now.shape) < 0.1] = 128
    low, high = now - np.float32(4.5), now + np.float32(9)
    mask = rng.random(was.shape) < 0.8
    best = np.empty(3)
    load().slide(was, low, high, mask, 3, 4, LEVELS, best)
    assert tuple(best) == pytest.approx(naive.slid(was, low, high, mask, (3, 4), LEVELS))
    assert best[0] < 0.5
    assert tuple(best[1:]) == ((1, -2), (0, 3), (-2, 0))[seed % 3]


def test_where_no_pixel_counts_nothing_slid():
    levels, best = np.zeros((6, 5), np.float32), np.empty(3)
    load().slide(levels, levels, levels, np.zeros((6, 5), bool), 2, 2, LEVELS, best)
    assert best.tolist() == [np.inf, 0, 0]


@pytest.mark.parametrize("corners", [(-1, 0, 3, 3), (0, 0, 3, 5), (5, 0, 3, 3)])
def test_a_place_off_the_screen_is_refused(corners):
    picture, mask = np.zeros((9, 9), np.uint8), np.ones((5, 5), bool)
    with pytest.raises(ValueError, match="places on the screen"):
        load().lay_over(picture, picture, mask, mask, np.array(corners), np.zeros((1, 2), int), LEVELS, np.empty(1))
