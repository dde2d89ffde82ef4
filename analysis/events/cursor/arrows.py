"""The arrow of a computer's mouse, known by its look: dark with a light rim or the other way round, and a tail.

Simulators and mirrored phones show it, however seldom it moves. Its body is of one piece, as its rim sets it off
from whatever it lies over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from analysis.arrays import F32, U8, Bools
from analysis.events.cursor.sprites import Corner, Sprite, cut
from analysis.video.areas import box_around, grow


@dataclass(frozen=True, slots=True)
class ArrowLimits:
    """How large an arrow is, and how exactly it is one."""

    high_px: tuple[int, int] = (10, 44)  # at a width of 540
    slender: tuple[float, float] = (0.4, 0.85)  # as wide as high
    alike: float = 0.72  # of what it and the known shape cover together, both do
    body: int = 100  # levels: a dark one's is darker
    sets_off: int = 60  # levels that the rim lies above its body
    rim: float = 0.9  # of its outline is set off


ARROW = ArrowLimits()
# x and y of its corners, as shares of its height
OUTLINE = ((0, 0), (0, 0.88), (0.14, 0.75), (0.32, 1.0), (0.5, 0.91), (0.4, 0.64), (0.62, 0.62))
RIM = 0.055  # of its height
RIM_PX = 2  # around its body
SIZE = (36, 24)  # rows and columns in which shapes are compared
FINE = 16  # times as finely is the arrow drawn


def find_arrow(luma: U8, picture: int) -> Sprite | None:
    """Return the one thing in a picture that looks like a cursor's arrow, None if there is none or are several."""
    places = [place for body in (luma, 255 - luma) for place in _arrows(body)]
    if len(places) != 1:
        return None
    ((corner, mask),) = places
    return Sprite(cut(luma, corner, mask.shape), mask, taken=(picture, corner))


def _arrows(body: U8) -> Iterator[tuple[Corner, Bools]]:
    """Yield the corners of what looks like a dark arrow, and which pixels from there on are it or its rim."""
    dark = (body < ARROW.body).view(np.uint8)
    _, labels, facts, _ = cv2.connectedComponentsWithStats(dark, connectivity=4)
    heights, widths = facts[:, cv2.CC_STAT_HEIGHT], facts[:, cv2.CC_STAT_WIDTH]
    high = (heights >= ARROW.high_px[0]) & (heights <= ARROW.high_px[1])
    slender = (widths >= ARROW.slender[0] * heights) & (widths <= ARROW.slender[1] * heights)
    for label in np.flatnonzero(high & slender).tolist():
        left, top, width, height, _ = facts[label].tolist()
        corner = top - RIM_PX, left - RIM_PX
        if min(corner) < 0 or top + height + RIM_PX > body.shape[0] or left + width + RIM_PX > body.shape[1]:
            continue
        own = labels[top : top + height, left : left + width] == label
        mask = np.pad(own, RIM_PX)
        if _alike(own) >= ARROW.alike and _is_set_off(cut(body, corner, mask.shape), mask):
            yield corner, grow(mask, 1)


def _alike(own: Bools) -> float:
    """Return how much of what a shape and the arrow's cover together both cover, 0 to 1."""
    shape = cv2.resize(own.astype(np.float32), SIZE[::-1], interpolation=cv2.INTER_AREA)
    known = _shape()
    return float(np.minimum(shape, known).sum() / np.maximum(shape, known).sum())


@cache
def _shape() -> F32:
    """Return how much of each place of `SIZE` the arrow's body covers, without its rim, 0 to 1."""
    high = FINE * SIZE[0]
    corners = np.array(OUTLINE) * high + FINE
    drawn = np.zeros((high + 2 * FINE, high + 2 * FINE), np.uint8)
    cv2.fillPoly(drawn, [corners.round().astype(np.int32)], (1,))
    side = 2 * round(RIM * high) + 1
    body = cv2.erode(drawn, np.ones((side, side), np.uint8))
    rows, columns = box_around(body > 0)
    shape = cv2.resize(body[rows, columns].astype(np.float32), SIZE[::-1], interpolation=cv2.INTER_AREA)
    return shape.astype(np.float32, copy=False)


def _is_set_off(values: F32, mask: Bools) -> bool:
    """Return whether something lighter lies all around a dark body, or a pixel further."""
    lightest = cv2.dilate(values, np.ones((3, 3), np.uint8))
    around = grow(mask, 1) & ~mask
    return bool((lightest[around] >= np.median(values[mask]) + ARROW.sets_off).mean() >= ARROW.rim)
