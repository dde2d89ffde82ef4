"""Which patches are a platform's dot under the finger: looked at pixel by pixel, in one more pass over the file.

A dot is round, as large when it appears as while it stays, and goes again. A ripple begins round as well, but grows
out of its first circle within a picture or two; a badge or a ticked box stays; a key is not round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from analysis.action.patches import PATCH, Patch
from analysis.arrays import F32, AnyArray
from analysis.video.decode import Picture
from analysis.video.grid import Rect
from analysis.video.pixels import frames
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class RoundLimits:
    """What tells a dot from what else is small."""

    least_levels: float = 4.0  # a pixel that changed: more than an encoder's rounding
    share: float = 0.3  # of its strongest change: the rim of a dot is soft, the ringing around it weak
    filled: float = 0.82  # of the circle around it: a square fills 0.64, a circle 1; encoders fray its rim
    solid: float = 0.55  # of its hull: letters of its own grey may hide up to half of it, and a ring is hollow
    square: float = 0.75  # the shorter by the longer side of its rectangle
    least_px: int = 10  # across: below that a square is as round as a circle
    sectors: int = 12
    inside: tuple[float, float] = (0.6, 0.88)  # of the radius: what lies just within the rim
    outside: tuple[float, float] = (1.15, 1.45)  # and just outside
    within: float = 0.85  # of the radius: inside of the rim, which is soft
    flat_levels: float = 4.0  # what lies under it has one colour
    rings: int = 6  # it may be shaded towards its rim
    unlike: float = 0.7  # of what it changes: a mark in a button stands out as strongly as the button does
    unlike_levels: float = 20.0  # at least: text under a weak dot is coded anew
    unlike_share: float = 0.012  # of the pixels within: a cross fills more; the rims of text under a dot less
    there: float = 0.5  # of the strongest step at the rim so far: the dot is there
    clean: float = 0.45  # of what it changed is left within it: it is gone, and nothing came in its place
    stayed_ms: float = 60.0  # where something came in its place: a ripple's rim has moved on by then
    fading_ms: float = 150.0  # until a dot that goes has gone
    blinks: int = 3  # at one place, each like the other: a recorder's sign, no finger


ROUND = RoundLimits()


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot: the patch that it was, where it is in the coded screen (pixels), and the first frame without it.

    `plain`: it blends one colour over what is there, as a platform's does; a button has a mark in it.
    """

    patch: Patch
    rect: Rect
    gone: int | None
    plain: bool


@dataclass(slots=True)
class _Watched:
    patch: Patch
    left: int
    top: int
    before: F32
    centre: tuple[float, float]
    radius: float
    inside: AnyArray
    outside: AnyArray
    sector: AnyArray
    filled: AnyArray
    signature: F32
    strength: float
    plain: bool = True
    most: float = 1.0
    gone: int | None = None
    gone_ms: float = math.inf
    is_dot: bool | None = None
    times: list[float] = field(default_factory=list)

    @property
    def rect(self) -> Rect:
        x, y, r = self.left + self.centre[0], self.top + self.centre[1], self.radius
        return math.floor(x - r), math.floor(y - r), math.ceil(x + r), math.ceil(y + r)


def find_dots(path: str | Path, recording: Recording, patches: Sequence[Patch], threads: int = 0) -> list[Dot]:
    """Return those of the patches that are dots; decodes the file once more if any could be."""
    side, size = min(recording.grid.width, recording.grid.height), recording.grid.size
    due: dict[int, list[Patch]] = {}
    first = recording.first_frame
    for patch in patches:
        height, width = patch.rows.stop - patch.rows.start, patch.columns.stop - patch.columns.start
        if abs(height - width) <= 2 + 0.3 * max(height, width) and max(height, width) * size <= side:
            due.setdefault(int(first[patch.picture]), []).append(patch)
    if not due:
        return []
    open_: list[_Watched] = []
    seen: list[_Watched] = []
    last: Picture | None = None
    shown = set(first.tolist())
    for frame, picture in frames(path, recording, threads):
        if frame in shown:
            time_ms = float(recording.time_ms[frame])
            open_ = [watched for watched in open_ if not _looked_at(watched, picture, frame, time_ms)]
            if last is not None and frame in due:
                fresh = [found for patch in due[frame] if (found := _round(patch, last, picture, time_ms, size))]
                open_ += fresh
                seen += fresh
        last = picture
    return _without_blinking(_without_ends([one for one in seen if one.is_dot is not False]))


def _crop(picture: Picture, left: int, top: int, right: int, bottom: int) -> F32:
    part = picture.luma.samples[top:bottom, left:right].astype(np.float32)
    return part if picture.bits == 8 else part / np.float32(1 << picture.bits - 8)


def _round(patch: Patch, last: Picture, picture: Picture, time_ms: float, size: int) -> _Watched | None:
    """Return a patch to be watched if what appeared is one round thing, else None."""
    width, height = picture.luma.width, picture.luma.height
    rows, columns = patch.rows, patch.columns
    reach = size * max(rows.stop - rows.start, columns.stop - columns.start) // 2 + size
    left, right = max(0, columns.start * size - reach), min(width, columns.stop * size + reach)
    top, bottom = max(0, rows.start * size - reach), min(height, rows.stop * size + reach)
    before = _crop(last, left, top, right, bottom)
    change = np.abs(_crop(picture, left, top, right, bottom) - before)
    own = np.s_[
        rows.start * size - top : rows.stop * size - top, columns.start * size - left : columns.stop * size - left
    ]
    circle = _circle(change, own)
    if circle is None:
        return None
    x, y, radius = circle
    across, down = np.meshgrid(np.arange(right - left) - x, np.arange(bottom - top) - y)
    far = np.hypot(across, down) / radius
    watched = _Watched(
        patch, left, top, before, (x + 0.5, y + 0.5), radius,
        inside=(far >= ROUND.inside[0]) & (far <= ROUND.inside[1]),
        outside=(far >= ROUND.outside[0]) & (far <= ROUND.outside[1]),
        sector=((np.arctan2(down, across) + np.pi) * ROUND.sectors / (2 * np.pi)).astype(int) % ROUND.sectors,
        filled=far <= ROUND.inside[1],
        signature=np.zeros(ROUND.sectors, np.float32), strength=0.0,
    )  # fmt: skip
    watched.signature = _rim(watched, picture)
    watched.strength = float(change[watched.filled].mean())
    within = far <= ROUND.within
    watched.plain = _plain(
        before[within], _crop(picture, left, top, right, bottom)[within], far[within], watched.strength
    )
    watched.times.append(time_ms)
    return watched if float(np.abs(watched.signature).mean()) >= ROUND.least_levels / 2 else None


def _plain(old: F32, new: F32, far: AnyArray, strength: float) -> bool:
    """Return whether one colour was blended over what was there: new = (1 - a) old + a c, pixel by pixel.

    c may change with the distance from the middle (`far`, in radii), as platforms shade their dots.
    """
    share = 0.0
    if old.std() >= ROUND.flat_levels:
        share = float(np.clip(((old - old.mean()) * (new - new.mean())).mean() / old.var(), 0.0, 1.0))
    left = new - share * old
    ring = np.minimum(far * ROUND.rings / ROUND.within, ROUND.rings - 1).astype(int)
    shade = np.bincount(ring, left, ROUND.rings) / np.maximum(np.bincount(ring, minlength=ROUND.rings), 1)
    unlike = np.abs(left - shade[ring]) > max(ROUND.unlike * strength, ROUND.unlike_levels)
    return bool(unlike.mean() <= ROUND.unlike_share)


def _circle(change: F32, own: tuple[slice, slice]) -> tuple[float, float, float] | None:
    """Return middle and radius of the one round thing that changed within an area, or None.

    What is seen through it, such as letters of its own grey, may break it into pieces: their hull counts.
    """
    strong = change[own][change[own] >= ROUND.least_levels]
    if not len(strong):
        return None
    mask: AnyArray = np.zeros(change.shape, np.uint8)
    mask[own] = change[own] >= max(ROUND.least_levels, ROUND.share * float(np.percentile(strong, 95)))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))  # single pixels are the encoder's
    points = cv2.findNonZero(mask)
    if points is None:
        return None
    hull = cv2.convexHull(points)
    full, (_, _, wide, tall), (_, around) = (
        cv2.contourArea(hull),
        cv2.boundingRect(points),
        cv2.minEnclosingCircle(hull),
    )
    if min(wide, tall) < max(ROUND.least_px, ROUND.square * max(wide, tall)):
        return None
    if full < ROUND.filled * np.pi * around**2 or mask.sum() < ROUND.solid * full:
        return None
    moments = cv2.moments(hull)
    x, y = (moments[name] / moments["m00"] for name in ("m10", "m01"))
    return float(x), float(y), math.sqrt(full / np.pi) + 0.5  # hulls run through the middles of pixels


def _rim(watched: _Watched, picture: Picture) -> F32:
    """Return (sectors,): by how much more the inside of the rim changed than its outside, levels."""
    return _step(watched, _change(watched, picture))


def _change(watched: _Watched, picture: Picture) -> F32:
    height, width = watched.before.shape
    now = _crop(picture, watched.left, watched.top, watched.left + width, watched.top + height)
    changed: F32 = np.abs(now - watched.before)
    return changed


def _step(watched: _Watched, change: F32) -> F32:
    def means(part: AnyArray) -> AnyArray:
        of = watched.sector[part]
        count = np.bincount(of, minlength=ROUND.sectors)
        return np.bincount(of, change[part], ROUND.sectors) / np.maximum(count, 1)

    return (means(watched.inside) - means(watched.outside)).astype(np.float32)


def _looked_at(watched: _Watched, picture: Picture, frame: int, time_ms: float) -> bool:
    """Look at what became of a round thing; True once it is known whether it is a dot."""
    if time_ms - watched.times[0] > PATCH.longest_ms:
        watched.is_dot = False
        return True
    change = _change(watched, picture)
    step, own = _step(watched, change), watched.signature
    share = float((step @ own) / (own @ own))
    if share >= ROUND.there * watched.most:
        watched.most = max(watched.most, share)
        watched.times.append(time_ms)
        return False
    left = float(change[watched.filled].mean()) / watched.strength
    stayed = time_ms - watched.times[0]
    watched.is_dot = left <= ROUND.clean * watched.most or stayed >= ROUND.stayed_ms
    watched.gone, watched.gone_ms = frame, time_ms
    return True


def _without_ends(seen: Sequence[_Watched]) -> list[Dot]:
    """Leave out what is seen where a dot goes, or while it grows stronger or weaker: it is that dot."""
    dots: list[_Watched] = []
    for one in seen:  # in the order of time
        if not any(_covers(dot, one) for dot in dots):
            dots.append(one)
    return [Dot(dot.patch, dot.rect, dot.gone, dot.plain) for dot in dots]


def _covers(dot: _Watched, other: _Watched) -> bool:
    """Return whether something round shows up at a dot's place while that is there, or goes."""
    here = all(abs(a - b) <= dot.radius for a, b in zip(dot.rect, other.rect, strict=True))
    return here and other.times[0] <= dot.gone_ms + ROUND.fading_ms


def _without_blinking(dots: list[Dot]) -> list[Dot]:
    """Leave out what comes and goes at one place again and again."""

    def near(one: Dot, other: Dot) -> bool:
        size = max(one.rect[2] - one.rect[0], 1)
        return all(abs(a - b) <= size / 4 for a, b in zip(one.rect, other.rect, strict=True))

    return [dot for dot in dots if sum(near(dot, other) for other in dots) < ROUND.blinks]
