"""Circles in what differs between two pictures: rings and dots that recorders and simulators draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from analysis.arrays import F64, I16, I64, Bools


@dataclass(frozen=True, slots=True)
class CircleLimits:
    """When the edge of what differs is a circle."""

    levels: float = 8.0  # a pixel differs: more than an encoder's rounding
    share: float = 0.3  # or of the strongest differences: ringing around them is weaker
    most_points: int = 160  # of the edge: more tell no more
    tries: int = 300  # three points make a circle; of a ring with a cursor in it most are its own
    off_px: float = 1.2  # from the circle, or `off_share` of its radius: as far a point may lie
    off_share: float = 0.06
    sectors: int = 24
    least_px: float = 4.0  # its radius: a smaller one is any spot
    covered: float = 0.9  # of its sectors hold a point of the edge: a cursor, or the picture's edge, may hide some
    step_px: float = 1.0  # towards its middle
    rim_filled: float = 0.4  # of what lies so far from the middle differs: it is the rim still
    noisy: float = 0.25  # of a sector's pixels may differ: what an encoder stirs
    band: tuple[float, float] = (0.3, 0.55)  # of the radius: what a ring leaves free but where a cursor is


CIRCLE = CircleLimits()


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, in pixels.

    Its rim reaches from `radius` in to `inner`; `free` is the share of its sectors in which nothing differs within,
    `beyond` how many pixels differ outside of it.
    """

    x: float
    y: float
    radius: float
    inner: float
    free: float
    beyond: int

    def moved(self, right: int, down: int) -> Circle:
        """Return the same circle so many pixels further to the right and down."""
        return replace(self, x=self.x + right, y=self.y + down)

    def distance(self, shape: tuple[int, ...]) -> F64:
        """Return how far each pixel of a picture lies from the middle, in pixels, (height, width)."""
        rows, columns = np.ogrid[: shape[0], : shape[1]]
        return np.hypot(rows - self.y, columns - self.x)

    def sectors(self, shape: tuple[int, ...]) -> I64:
        """Return the number of the sector in which each pixel of a picture lies, (height, width)."""
        rows, columns = np.ogrid[: shape[0], : shape[1]]
        return _sectors(columns - self.x, rows - self.y, CIRCLE)


def find_circle(differs: I16, least_px: float, most_px: float, limits: CircleLimits = CIRCLE) -> Circle | None:
    """Return the circle that is the outer edge of what differs, levels (height, width), or None.

    What else differs, in it or beside it, may make its edge longer: the circle is that of three points on which
    most of its sectors agree (random sample consensus). The same picture gives the same circle.
    """
    best: Circle | None = None
    for level in _thresholds(differs, limits):
        mask = differs > level
        found = _on_edge(mask, max(least_px, limits.least_px), most_px, limits)
        if found is None:
            continue
        x, y, radius = found
        rows, columns = np.nonzero(mask)
        far = np.hypot(rows - y, columns - x)
        beyond = int(np.count_nonzero(far > radius + max(2.0, 0.1 * radius)))
        inner = _inner(far, (x, y), radius, mask.shape, limits)
        circle = Circle(x, y, radius, inner, _free(mask, x, y, radius, limits), beyond)
        if best is None or circle.beyond < best.beyond:
            best = circle
    return best


def _thresholds(differs: I16, limits: CircleLimits) -> Iterator[float]:
    yield limits.levels
    strong = differs[differs > limits.levels]
    if len(strong) and (level := limits.share * float(np.percentile(strong, 95))) > limits.levels:
        yield level


def _on_edge(
    mask: Bools, least_px: float, most_px: float, limits: CircleLimits
) -> tuple[float, float, float] | None:
    lines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not lines:
        return None
    points = np.concatenate([line[:, 0] for line in lines]).astype(np.float64)
    if len(points) < limits.sectors / 2:
        return None
    points = points[np.linspace(0, len(points) - 1, min(len(points), limits.most_points)).astype(int)]
    draw = np.random.default_rng(0).integers(0, len(points), (limits.tries, 3))
    x, y, radius = _through(*(points[draw[:, corner]] for corner in range(3)))
    good = np.isfinite(radius) & (radius >= least_px) & (radius <= most_px)
    if not good.any():
        return None
    x, y, radius = x[good], y[good], radius[good]
    right, down = points[:, 0] - x[:, None], points[:, 1] - y[:, None]
    off = np.abs(np.hypot(right, down) - radius[:, None])
    on = off <= np.maximum(limits.off_px, limits.off_share * radius)[:, None]
    sector = _sectors(right, down, limits)
    held = np.zeros((len(x), limits.sectors), dtype=bool)
    circle, point = np.nonzero(on)
    held[circle, sector[circle, point]] = True
    covered = held.sum(axis=1)
    most = int(covered.max())
    if most < limits.covered * limits.sectors:
        return None
    same = np.flatnonzero(covered == most)
    best = same[np.argmax(on[same].sum(axis=1))]
    return float(x[best]), float(y[best]), float(radius[best])


def _inner(
    far: F64, centre: tuple[float, float], radius: float, shape: tuple[int, ...], limits: CircleLimits
) -> float:
    """Return how far in the rim of a circle reaches, given how far from its middle each pixel is that differs."""
    down, right = np.ogrid[: shape[0], : shape[1]]
    all_far = np.hypot(down - centre[1], right - centre[0])
    edges = np.arange(radius, -1.0, -limits.step_px)
    for outer, inner in pairwise(edges):
        there = np.count_nonzero((all_far <= outer) & (all_far > inner))
        if np.count_nonzero((far <= outer) & (far > inner)) < limits.rim_filled * there and outer < radius - 1:
            return float(outer)
    return 0.0


def _free(mask: Bools, x: float, y: float, radius: float, limits: CircleLimits) -> float:
    """Return the share of the sectors within a circle, apart from its middle and its rim, that do not differ."""
    down, right = np.ogrid[: mask.shape[0], : mask.shape[1]]
    down, right = down - y, right - x
    far = np.hypot(down, right)
    within = (far >= limits.band[0] * radius) & (far <= limits.band[1] * radius)
    across, along = (np.broadcast_to(offset, mask.shape)[within] for offset in (right, down))
    sector = _sectors(across, along, limits)
    all_of, taken = (np.bincount(part, minlength=limits.sectors) for part in (sector, sector[mask[within]]))
    return float(np.mean(taken <= limits.noisy * all_of))


def _sectors(right: F64, down: F64, limits: CircleLimits) -> I64:
    """Return the number of the sector in which each point lies, so far from the middle."""
    numbers = ((np.arctan2(down, right) + np.pi) * limits.sectors / (2 * np.pi)).astype(np.int64)
    return numbers % limits.sectors


def _through(one: F64, two: F64, three: F64) -> tuple[F64, F64, F64]:
    """Return middles and radii of the circles through three points each; not finite where they lie on a line."""
    (ax, ay), (bx, by), (cx, cy) = one.T, two.T, three.T
    a, b, c = ax**2 + ay**2, bx**2 + by**2, cx**2 + cy**2
    with np.errstate(divide="ignore", invalid="ignore"):
        twice = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
        x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / twice
        y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / twice
    return x, y, np.hypot(ax - x, ay - y)
