"""Black around a screen: what a site, an editor or a capture of a desktop shows a phone in.

Blocks, shares of the screen, and where its bars lie go by the screen alone, so it is cut out before anything looks
at it. Only what is sure is cut off: black of the first picture, as much on both sides, with a straight edge, where
nothing is ever shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.arrays import U8, Bools
from analysis.video.decode import Picture, Plane
from analysis.video.grid import Rect


@dataclass(frozen=True, slots=True)
class MarginLimits:
    """What black around a screen looks like. Levels are of 8 bits."""

    black: int = 24  # of luma at most: 16 is black in most files
    share: float = 0.03  # of the picture's width or height at least, on each side
    alike: float = 0.02  # of it both sides may differ by
    edge: float = 0.5  # of the line where the screen begins is not black: a letter on black begins no screen
    soft_px: int = 4  # so far inward that line is looked for: corners are round, and edges blurred
    least_px: int = 120  # of the screen that is left, in width and height
    rings_px: int = 8  # next to the screen an encoder draws over its edge
    shown: int = 16  # levels lighter than black: something is shown there


MARGIN = MarginLimits()


def find_screen_within(picture: Picture) -> Rect | None:
    """Return what is left of a coded picture without the black around it, None if there is none to cut off.

    That is (left, top, right, bottom), px of luma; left and top are even, as chroma may have half as many.
    """
    light = _light(picture) > MARGIN.black
    if not light.any():
        return None
    rows, columns = (_cut(np.asarray(light.any(axis=axis))) for axis in (1, 0))
    inside = light[slice(*rows), slice(*columns)]
    if rows != (0, len(light)) and not _begins_straight(inside):
        rows = 0, len(light)
    if columns != (0, light.shape[1]) and not _begins_straight(inside.T):
        columns = 0, light.shape[1]
    (top, bottom), (left, right) = rows, columns
    if (bottom - top, right - left) == light.shape or min(bottom - top, right - left) < MARGIN.least_px:
        return None
    return left, top, right, bottom


def is_black_around(picture: Picture, screen: Rect) -> bool:
    """Return whether nothing is shown around a screen, but next to it."""
    luma, limit = _light(picture), MARGIN.black + MARGIN.shown
    return all(part.max(initial=0) <= limit for part in _around(luma, screen))


def cut_out(picture: Picture, screen: Rect) -> Picture:
    """Return the part of a picture that is the screen."""
    return Picture(picture.time_s, picture.key_frame, *_planes(picture, screen), picture.bits)


def _light(picture: Picture) -> U8:
    """Return (height, width): luma, of 8 bits."""
    luma = picture.luma.samples[:, : picture.luma.width]
    return (luma >> (picture.bits - 8)).astype(np.uint8, copy=False)


def _cut(shown: Bools) -> tuple[int, int]:
    """Return from where to where something is shown; all of it if what lies around is little, or uneven."""
    length = len(shown)
    first, last = int(shown.argmax()) // 2 * 2, length - int(shown[::-1].argmax()) // 2 * 2
    before, after = first, length - last
    if min(before, after) < MARGIN.share * length or abs(before - after) > MARGIN.alike * length:
        return 0, length
    return first, last


def _begins_straight(light: Bools) -> bool:
    """Return whether the first and the last lines hold one most of which is not black."""
    lines = light.mean(axis=1)
    return bool(min(lines[: MARGIN.soft_px].max(), lines[-MARGIN.soft_px :].max()) >= MARGIN.edge)


def _around(luma: U8, screen: Rect) -> Iterator[U8]:
    left, top, right, bottom = screen
    rings = MARGIN.rings_px
    yield luma[: max(top - rings, 0)]
    yield luma[bottom + rings :]
    yield luma[:, : max(left - rings, 0)]
    yield luma[:, right + rings :]


def _planes(picture: Picture, screen: Rect) -> tuple[Plane, tuple[Plane, ...]]:
    left, top, right, bottom = screen
    found = []
    for plane in picture.planes:
        down, across = -(-picture.luma.height // plane.height), -(-picture.luma.width // plane.width)
        part = plane.samples[top // down : -(-bottom // down), left // across : -(-right // across)]
        found.append(Plane(np.ascontiguousarray(part), part.shape[1]))
    return found[0], tuple(found[1:])
