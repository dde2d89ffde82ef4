"""Whether a rim comes, and leaves, on pictures drawn by hand."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from analysis.events.circles import Circle
from analysis.events.late_mark import comes, grows_over, has_rim, leaves

CIRCLE = Circle(60, 50, 22, 18, 1.0, 0)


def page(edges=False):
    """Return a page, with the edges of a button where the circle's rim is at its sides."""
    luma = np.full((110, 130), 150, np.uint8)
    if edges:
        luma[28:73, 38:83] = 250
    return luma


def ring(luma, darker, wide=4, radius=20):
    shade = np.zeros_like(luma)
    cv2.circle(shade, (60, 50), radius, darker, wide)
    return luma - np.minimum(shade, luma)


@pytest.mark.parametrize("edges", [False, True])
def test_a_rim_that_was_not_there_comes(edges):
    assert comes({0: page(edges), 1: ring(page(edges), 60)}, 1, CIRCLE)


def test_one_that_was_there_and_goes_pale_does_not():
    assert not comes({0: ring(page(), 90), 1: ring(page(), 40)}, 1, CIRCLE)


@pytest.mark.parametrize("edges", [False, True])
@pytest.mark.parametrize(("left", "gone"), [(0, True), (15, True), (50, False)], ids=["all", "hardly", "little"])
def test_a_rim_that_is_not_seen_any_more_has_left_whatever_is_there(edges, left, gone):
    """A page has dimmed meanwhile: the edges of the button are seen still."""
    dimmed = page(edges) - page(edges) // 4
    lumas = {0: page(edges), 1: ring(page(edges), 60), 2: ring(dimmed, left)}
    assert leaves(lumas, 1, 0, 2, CIRCLE) is gone


def test_where_no_picture_shows_it_it_has_not_left():
    assert not leaves({0: page(), 1: ring(page(), 60)}, 1, 0, 2, CIRCLE)


@pytest.mark.parametrize(
    ("wide", "radius", "has_one"), [(4, 22, True), (-1, 20, False)], ids=["a ring", "of one piece"]
)
def test_a_dot_of_one_piece_has_no_rim(wide, radius, has_one):
    circle = replace(CIRCLE, radius=radius)
    assert has_rim({0: page(), 1: ring(page(), 60, wide)}, 1, circle) is has_one


@pytest.mark.parametrize(
    ("later", "grows"),
    [
        ([ring(page(), 60, -1, 25)], True),
        ([page(), ring(page(), 55, -1, 29)], True),
        ([ring(page(), 60, -1)], False),
        ([page()], False),
        ([ring(ring(page(), 20, -1, 29), 60, -1)], False),
        ([ring(page(), 40, -1, 29)], False),
    ],
    ids=[
        "little by little",
        "in a later picture",
        "it rests",
        "it goes",
        "another one beneath",
        "only another one",
    ],
)
def test_a_dot_grows_over_its_rim_where_its_middle_stays(later, grows):
    lumas = dict(enumerate([page(), ring(page(), 60, -1), *later]))
    assert grows_over(lumas, 1, replace(CIRCLE, radius=20)) is grows


def test_what_shows_nothing_within_its_rim_grows_over_none():
    assert not grows_over({0: page(), 1: ring(page(), 60), 2: ring(page(), 60, 4, 29)}, 1, CIRCLE)
