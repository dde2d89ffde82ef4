"""By which part of a pixel things move, against pictures drawn eight times as large, and a slow twin."""

import cv2
import numpy as np
import pytest

from analysis.detection.displacement import displacement
from tests import naive

SHAPE = (6, 9)  # blocks
FINE = 8  # times as large a picture is drawn before it is made small: so an eighth of a pixel can be shown
ALL = np.ones(SHAPE, dtype=bool)


def page(right=0.0, down=0.0):
    """Return a page of strokes that lie so many pixels further right and down; eighths of them are exact."""
    fine = np.full((48 * FINE, 72 * FINE), 235, np.uint8)
    chance = np.random.default_rng(8)
    for x, y, wide, high in chance.integers((4, 4, 2, 2), (60, 36, 10, 8), (40, 4)):
        corner = round((x + right) * FINE), round((y + down) * FINE)
        shade = int(chance.integers(40, 200))
        cv2.rectangle(fine, corner, (corner[0] + wide * FINE - 1, corner[1] + high * FINE - 1), shade, -1)
    return cv2.resize(fine, (72, 48), interpolation=cv2.INTER_AREA)


WAYS = [(0.25, 0.0), (0.0, -0.5), (0.5, 0.25), (-0.75, 0.0), (0.0, 1.0)]


@pytest.mark.parametrize("softened_px", [0.0, 0.6, 1.0])
@pytest.mark.parametrize(("right", "down"), WAYS)
def test_a_displacement_is_told_and_explains_the_difference(right, down, softened_px):
    one, other = page(), page(right, down)
    if softened_px:
        one, other = (cv2.GaussianBlur(picture, (0, 0), softened_px) for picture in (one, other))
    found = displacement(one, other, ALL)
    told = found.differing >= 1
    assert told.sum() >= 10
    assert np.median(found.px[told]) == pytest.approx(np.hypot(right, down), rel=0.1)
    assert np.median(found.explained[told]) > 0.95


@pytest.mark.parametrize("softened_px", [0.0, 0.6])
def test_a_step_between_two_places_is_told_by_the_edges_of_where_it_rests(softened_px):
    pictures = [page(0.75), page(0.375), page()]
    if softened_px:
        pictures = [cv2.GaussianBlur(picture, (0, 0), softened_px) for picture in pictures]
    one, other, rests = pictures
    found = displacement(one, other, ALL, rests)
    told = found.differing >= 1
    assert told.sum() >= 10
    assert np.median(found.px[told]) == pytest.approx(0.375, rel=0.1)
    assert np.median(found.explained[told]) > 0.95
    assert np.median(displacement(one, other, ALL).explained[told]) < np.median(found.explained[told]) - 0.04


NOISE = np.random.default_rng(2).normal(0, 12, (48, 72))
NOISY = np.clip(page() + NOISE, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("drawn", [cv2.GaussianBlur(page(), (3, 3), 0.8), page() // 2 + 100, NOISY])
def test_what_is_only_drawn_otherwise_is_explained_by_no_displacement(drawn):
    """A pixel mixed with both of its neighbours is explained to two thirds, and so is noise by its own edges."""
    for one, other in ((drawn, page()), (page(), drawn)):
        found = displacement(one, other, ALL, page())
        told = found.differing >= 8
        assert told.sum() >= 10
        assert np.quantile(found.explained[told], 0.9) < 0.75


def test_equal_pictures_have_not_moved():
    found = displacement(page(), page(), ALL)
    assert not found.px.any()
    assert not found.explained.any()
    assert not found.differing.any()


def test_no_blocks_tell_nothing():
    found = displacement(page(), page(0.5), np.zeros(SHAPE, dtype=bool))
    assert found.px.shape == SHAPE
    assert not found.differing.any()


def test_windows_are_those_of_a_slow_twin_also_at_the_edges():
    pictures = [picture[:45, :70] for picture in (page(0.5), page(0.5, 0.25), page())]  # the last blocks are cut
    one, other, rests = pictures
    blocks = np.random.default_rng(3).random(SHAPE) < 0.7
    found = displacement(one, other, blocks, rests)
    for row, column in np.ndindex(SHAPE):
        beside = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
        inside = [at for at in beside if at[0] < SHAPE[0] and at[1] < SHAPE[1] and blocks[at]]
        differing, px, explained = naive.displaced(one, other, inside, rests)
        assert found.differing[row, column] == differing
        assert found.px[row, column] == pytest.approx(px)
        assert found.explained[row, column] == pytest.approx(explained)
