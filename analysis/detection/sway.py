"""Measuring: what moves, turns, zooms, lights up or dims all of a screen at once, from one picture to another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from analysis.arrays import F32, F64, I64


@dataclass(frozen=True, slots=True)
class SwayLimits:
    """How it is looked for."""

    bands: int = 2  # that roll over the picture: as often at most does light go on and off while it is read
    rounds: int = 5  # of looking for what does not belong to it: a screen may change meanwhile
    outlier: float = 2.0  # times the error of most blocks counts half
    least_error: float = 0.15  # levels: less is rounding
    places: tuple[int, int] = (6, 4)  # rows and columns of parts of the picture that are asked whether they sway
    still: float = 0.1  # of what the whole moves: a place that should move less is empty, and tells nothing


SWAY = SwayLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Sway:
    """What all of a picture does at once.

    `levels` is what it moves (the root of the mean square over the blocks that do it), `told` the share that it
    explains of what differs, 0 to 1, and `along` (places,) how much of it each place of the picture does: 1 all,
    0 nothing, NaN where that cannot be told.
    """

    levels: float
    told: float
    along: F64


def sway_between(before: F32, after: F32) -> Sway:
    """Return what moves all of a picture of block means (rows, columns), levels, by robust least squares.

    As Lucas and Kanade (1981) register pictures by their gradients, with gain and offset beside the motion, as
    Baker and Matthews (2004) do; blocks that differ otherwise lose their weight: Cauchy's, of robust regression.
    """
    differ = (after - before).ravel()
    parts = _parts((before + after) / np.float32(2))
    weight, moved, error = np.ones_like(differ), np.zeros_like(differ), differ
    for _ in range(SWAY.rounds):
        weighed = parts * weight
        share = np.linalg.lstsq(weighed @ parts.T, weighed @ differ, rcond=None)[0]
        moved = share @ parts
        error = differ - moved
        usual = max(1.4826 * float(np.median(np.abs(error))), SWAY.least_error)  # σ of a normal deviate
        weight = 1 / (1 + (error / (SWAY.outlier * usual)) ** 2)
    all_of_it = float((weight * differ**2).sum())
    told = 1 - float((weight * error**2).sum()) / all_of_it if all_of_it else 0.0
    levels = float(np.sqrt(np.average(moved**2, weights=weight)))
    return Sway(levels, told, _along(differ, moved, before.shape, SWAY.still * levels))


def _along(differ: F32, moved: F32, shape: tuple[int, ...], least: float) -> F64:
    """Return (places,): the part of what each place should move that it does, if that is `least` levels."""
    place = _place_of(shape[0], shape[1])
    count = SWAY.places[0] * SWAY.places[1]
    blocks = np.maximum(np.bincount(place, minlength=count), 1)
    due, done = (np.bincount(place, moved * other, count) for other in (moved, differ))
    tells = due > blocks * least**2
    along: F64 = np.where(tells, done / np.where(tells, due, 1), np.nan)
    return along


def _parts(middle: F32) -> F32:
    """Return (parts, blocks): what each way to move, light up or dim all of a picture does to its blocks."""
    down, right = (slope.astype(np.float32) for slope in np.gradient(middle))
    y, x, *waves = _coordinates(middle.shape[0], middle.shape[1])
    ways = [down, right, y * down + x * right, y * right - x * down, middle, np.ones_like(middle)]
    parts: F32 = np.stack([*ways, *(wave * middle for wave in waves)]).reshape(-1, middle.size)
    return parts


@cache
def _coordinates(rows: int, columns: int) -> tuple[F32, ...]:
    """Return how far down and to the right of the middle a block lies, and the waves of bands: each broadcasts."""
    longest = max(rows, columns)
    y, x = (((np.arange(n) - (n - 1) / 2) / longest).astype(np.float32) for n in (rows, columns))
    turns = [2 * np.pi * band * np.arange(rows) / rows for band in range(1, SWAY.bands + 1)]
    waves = [wave(turn).astype(np.float32)[:, None] for turn in turns for wave in (np.sin, np.cos)]
    return y[:, None], x[None, :], *waves


@cache
def _place_of(rows: int, columns: int) -> I64:
    """Return (blocks,): the number of the place in which each block lies."""
    down, right = (np.arange(n) * parts // n for n, parts in zip((rows, columns), SWAY.places, strict=True))
    place: I64 = (down[:, None] * SWAY.places[1] + right[None, :]).ravel()
    return place
