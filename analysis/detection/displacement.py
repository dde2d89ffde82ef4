"""Finding: by which part of a pixel things have moved between two pictures, and whether that is all that they did.

What moves by a part of a pixel differs along its own edges (the first order of Lucas and Kanade, 1981): where it
goes to the right by u, a pixel becomes a mixture of itself and its left neighbour, so Δ = -u · (p(x) - p(x - 1)).
What an encoder draws finer, or coarser, differs along the edges as well, but now to one side and now to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from analysis.arrays import F64, U8, Bools
from analysis.kernels.levels import SUMS
from analysis.kernels.loading import load
from analysis.video.areas import in_windows
from analysis.video.pixels import BLOCK_PX


@dataclass(frozen=True, slots=True)
class DisplacementLimits:
    """How a displacement is told from pixels."""

    levels: float = 12.0  # of luma: a pixel that differs by more is seen, as in the truth of rendered recordings
    steady: float = 1e-3  # of the gradients' energy, and a little, is added to it: where all edges run one way
    little: float = 1.0


DISPLACEMENT = DisplacementLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Displacement:
    """How windows of 2 × 2 blocks have moved; each stands where its upper left block is.

    Attributes
    ----------
    px : (rows, columns) by how much, pixels; what went more than one is told only roughly.
    explained : (rows, columns) which share of the difference that explains, 0 to 1.
    differing : (rows, columns) how many pixels differ by more than `DisplacementLimits.levels`.

    """

    px: F64
    explained: F64
    differing: F64


def displacement(one: U8, other: U8, blocks: Bools, *others: U8) -> Displacement:
    """Return how what lies in some blocks, (rows, columns), has moved from one picture to the other.

    Pictures are (height, width), a block is BLOCK_PX wide and high. What lies outside of the blocks counts as
    equal. Edges are those of the picture that explains most, of these two and any `others`: what lies between two
    pixels is drawn soft, and tells less of how it moved than the same drawn sharp. One of the two becomes a mixture
    of the other with its neighbours, and not the other way. Of noise, its own edge, two thirds are explained.
    """
    tried = [(one, (1,)), (other, (-1,)), *((edges, (-1, 1)) for edges in others)]
    found = [_along(edges, one, other, blocks, ways) for edges, ways in tried]
    explained = np.array([told.explained for told in found])
    best = explained.argmax(axis=0)[np.newaxis]
    px = np.take_along_axis(np.array([told.px for told in found]), best, axis=0)[0]
    return Displacement(px, explained.max(axis=0), found[0].differing)


def _along(edges: U8, one: U8, other: U8, blocks: Bools, ways: Sequence[int]) -> Displacement:
    """Return the same by the edges of one picture, of which a mixture is added (1) or taken away (-1)."""
    sums = np.zeros((*blocks.shape, SUMS))
    pictures = (np.ascontiguousarray(picture) for picture in (edges, one, other))
    load().displace(*pictures, np.ascontiguousarray(blocks), BLOCK_PX, DISPLACEMENT.levels, sums)
    off, differing, *parts = np.moveaxis(in_windows(sums), 2, 0)
    xx, xd, yy, yd = (parts[first : first + 2] for first in (0, 2, 4, 6))
    most = px = np.zeros(blocks.shape)
    for (x, y), way in product(product((0, 1), (0, 1)), ways):
        xy = parts[8 + 2 * x + y]
        steady = DISPLACEMENT.steady * (xx[x] + yy[y]) + DISPLACEMENT.little
        whole = (xx[x] + steady) * (yy[y] + steady) - xy * xy
        dx = np.maximum(0, way * ((yy[y] + steady) * xd[x] - xy * yd[y]) / whole)
        dy = np.maximum(0, way * ((xx[x] + steady) * yd[y] - xy * xd[x]) / whole)
        less = 2 * way * (dx * xd[x] + dy * yd[y]) - (dx * dx * xx[x] + 2 * dx * dy * xy + dy * dy * yy[y])
        px = np.where(less > most, np.hypot(dx, dy), px)
        most = np.maximum(less, most)
    return Displacement(px, most / np.maximum(off, DISPLACEMENT.little), differing)
