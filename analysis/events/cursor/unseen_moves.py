"""Moves of a known cursor that nothing showed to be its own: it sets out from where it was not seen to come.

So it does where a touch dot that lets the screen through comes over another ground, or where all of the screen had
changed under it meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.arrays import F64, Bools
from analysis.events.cursor.paths import POINTER, Path, Spot, box_of, is_within
from analysis.video.areas import grow

BESIDE = 1  # blocks: what lies so near to a place touches it
ASIDE = 2  # blocks off the way between two places: a hand draws arcs
SPOTS = 3  # times as many blocks as a cursor's place: where it was, where it is, and what lies between


def unseen_moves(
    own: Mapping[int, Bools], paths: Sequence[Path], times_ms: F64, rest_ms: float, told: frozenset[int]
) -> set[int]:
    """Return the pictures in which a cursor went on from its last place to where a path of it sets out.

    `own` is what changes in calm pictures, (rows, columns); `paths` are known, rising; `told` are pictures of which
    it is known what it did. Backwards from the path each picture touches what the next one changed, without a rest
    of `rest_ms`, until one touches the last place, where the cursor had rested; none leaves the way between them.
    """
    found: set[int] = set()
    for at, path in enumerate(paths):
        first = path.pictures[0]
        before = max(paths[:at], key=lambda other: other.pictures[-1], default=None)
        if first not in own or before is None:
            continue
        between = [p for p in own if before.pictures[-1] < p < first and p not in told]
        led = _back_to(before.end, own, [*sorted(between), first], times_ms, rest_ms)
        if led and times_ms[led[-1]] - times_ms[before.pictures[-1]] > rest_ms:
            found |= set(led)
    return found


def _back_to(
    place: Spot, own: Mapping[int, Bools], pictures: Sequence[int], times_ms: F64, rest_ms: float
) -> list[int]:
    """Return those of the pictures but the last that lead from a place to what the last one changes, if any do."""
    *between, first = pictures
    there = _blocks_of(place, own[first].shape)
    if (own[first] & there).any():
        return []  # it sets out from there
    way = box_of(*np.nonzero(own[first] | there))
    most = SPOTS * max(int(np.count_nonzero(there)), POINTER.widest_blocks)
    led, later = [], first
    for picture in reversed(between):
        blocks = own[picture]
        if times_ms[later] - times_ms[picture] > rest_ms or np.count_nonzero(blocks) > most:
            return []
        touches = (grow(blocks, BESIDE) & own[later]).any()
        if not touches or not is_within(box_of(*np.nonzero(blocks)), way, ASIDE):
            return []
        led.append(picture)
        if (grow(blocks, BESIDE) & there).any():
            return led
        later = picture
    return []


def _blocks_of(spot: Spot, shape: tuple[int, ...]) -> Bools:
    blocks = np.zeros(shape, dtype=bool)
    blocks[max(spot[0], 0) : spot[2] + 1, max(spot[1], 0) : spot[3] + 1] = True
    return blocks
