"""Circles that were drawn, in what differs between two pictures."""

import cv2
import numpy as np
import pytest

from analysis.events.circles import find_circle


def drawn(paint, shape=(120, 140)):
    differs = np.zeros(shape, np.uint8)
    paint(differs)
    return differs.astype(np.int16)


def ring(x, y, radius, level=60, thick=2):
    return lambda differs: cv2.circle(differs, (x, y), radius - 1, level, thick)


def dot(x, y, radius, level=60):
    return lambda differs: cv2.circle(differs, (x, y), radius, level, -1)


@pytest.mark.parametrize("radius", [10, 20, 44])
@pytest.mark.parametrize("level", [14, 60, 200])
def test_a_ring_is_found_where_it_is(radius, level):
    found = find_circle(drawn(ring(70, 60, radius, level)), 4, 60)
    assert (found.x, found.y, found.radius) == pytest.approx((70, 60, radius), abs=1.5)
    assert found.free == 1
    assert found.beyond == 0


def test_a_dot_is_filled():
    found = find_circle(drawn(dot(70, 60, 20)), 4, 60)
    assert (found.x, found.y, found.radius) == pytest.approx((70, 60, 20), abs=1.5)
    assert found.free == 0


def test_a_cursor_in_a_ring_leaves_most_of_it_free():
    def paint(differs):
        ring(70, 60, 20)(differs)
        cv2.fillConvexPoly(differs, np.array([(70, 60), (70, 76), (81, 71)]), 220)

    found = find_circle(drawn(paint), 4, 60)
    assert (found.x, found.y, found.radius) == pytest.approx((70, 60, 20), abs=1.5)
    assert 0.4 < found.free < 1


def test_what_lies_beyond_is_counted():
    def paint(differs):
        ring(50, 60, 20)(differs)
        differs[10:20, 110:120] = 90

    assert find_circle(drawn(paint), 4, 60).beyond == 100


def test_noise_hides_no_ring():
    noise = np.random.default_rng(5).integers(0, 8, (120, 140))
    found = find_circle(np.maximum(drawn(ring(70, 60, 20)), noise).astype(np.int16), 4, 60)
    assert (found.x, found.y, found.radius) == pytest.approx((70, 60, 20), abs=1.5)


def square(differs):
    differs[40:80, 50:90] = 60


def letters(differs):
    cv2.putText(differs, "Send", (20, 70), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 60, 3)


def line(differs):
    differs[60, 10:130] = 60


@pytest.mark.parametrize("paint", [square, letters, line, lambda differs: None])
def test_nothing_else_is_a_circle(paint):
    assert find_circle(drawn(paint), 4, 60) is None


def test_only_circles_of_the_size_asked_for_are_found():
    assert find_circle(drawn(ring(70, 60, 20)), 24, 60) is None
    assert find_circle(drawn(ring(70, 60, 20)), 4, 16) is None


def test_the_same_picture_gives_the_same_circle():
    differs = drawn(ring(70, 60, 20))
    assert find_circle(differs, 4, 60) == find_circle(differs, 4, 60)
