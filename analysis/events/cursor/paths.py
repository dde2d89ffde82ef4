"""The ways of small patches that move rigidly over a screen that stands still, as a mouse cursor does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, I32, I64, Bools
from analysis.detection.changes import Changes
from analysis.events.pace import slot_of_screen_ms
from analysis.events.recurrence import state, states
from analysis.video.areas import box_around, connected, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class PointerLimits:
    """How small a cursor is, how cleanly it goes, and what tells a hand from an animation."""

    widest_blocks: int = 6  # on each side: 48 px at a width of 540, and what a codec carries around it
    with_halo_blocks: int = 10  # with a disc around it, as emulated touch screens and screencast software draw
    with_halo_pictures: int = 6  # of one path since the action tell that: fewer may be other things in a row
    clusters: int = 3  # where it was, where it is, and where it was before, coded late
    rest_ms: float = 150.0  # a hand that pauses for longer begins another path
    missed: float = 2.2  # pictures of a slow recorder: one without a change is no rest
    fewest: int = 3  # pictures of a path: two places could be two things
    levels: float = 3.0  # a place that differs by less shows the same: rounding of a transform block
    share: float = 0.2  # likewise, of the most that it differed by: what an encoder leaves of a patch
    astray: float = 0.1  # of the pictures of a path may show more than the patch: an encoder's trail
    far_blocks: float = 5.0  # a path must go so far to tell of a cursor by itself: a spinner is smaller
    wanders_blocks: float = 20.0  # a loader's circle is smaller
    back_blocks: float = 2.0  # nearer again to where it set out: it has turned
    straight: float = 1.25  # times as far may its way to the furthest place be: half a circle is 1.57 times
    repeats_blocks: float = 0.35  # apart in the mean: so exactly no hand goes the same way again, at the same pace
    repeats_far: float = 3.0  # blocks: what goes as far from where it was then
    repeats_ms: tuple[float, float] = (250.0, 100.0)  # after so much at least; and for so long
    detour: float = 2.0  # times as far may its way be: what turns goes three times as far, and comes back
    bent_blocks: float = 0.4  # away from the straight line: on one, centres of blocks lie within 0.11
    bent_share: float = 0.015  # likewise of its length: a hand's path is an arc with corrections
    off_blocks: float = 2.5  # how far from where it was last seen a known cursor sets out
    unseen: int = 3  # pictures that it may have moved on in while all else changed
    short_blocks: float = 4.0  # what goes less far from there may be what it clicked on: a switch, 3.5 at most
    least_blocks: float = 1.0  # but not when all else has answered and come to rest
    ring_blocks: float = 2.0  # so far up and left of its middle is its tip: some recorders draw a circle around it
    aside_blocks: float = 0.5  # likewise down and right: as exact as blocks are
    ring_wide: int = 8  # blocks across: of a recorder's circle 24 px around the tip, at a width of 372
    ring_ms: float = 250.0  # so long it is there at most
    edge_blocks: float = 1.0  # half a patch: its middle is as near to the screen's edge when it comes in
    most: int = 240  # pictures that are looked at as one path: four seconds
    late_ms: float = 60.0  # after all else has come to rest: what a tap sets off begins with it
    later_ms: float = 250.0  # likewise, where a finger moves: it has left by then, with all that it dragged
    late_pictures: int = 4  # of such a path: three strays of an encoder may lie as if one thing had jumped
    mass: float = 30.0  # levels, summed over its blocks: an arrow of 12 px makes 60, strays of an encoder 20
    stray_blocks: int = 3  # a change of fewer is no rest disturbed: an encoder corrects so much
    part_blocks: int = 8  # off where its pixels are seen: a link that it leaves, a second cursor's place, late
    colour: float = 4.0  # levels: most cursors are black, white or grey; a codec carries a little colour along
    kept: float = 0.5  # of all that shifts: what a patch that shifts over text does not take along; a tick: all
    pause_ms: float = 45.0  # a hand that moves shows in every picture; before it clicks it rests for longer

    @staticmethod
    def across(wide: int) -> int:
        """Return how far across a step of a patch so `wide` reaches, blocks: two places beside each other."""
        return 2 * wide + 2


POINTER = PointerLimits()
NEUTRAL = 128 * 64  # of a plane of colours, 1/64 levels
Spot = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """One movement of one patch.

    `pictures` are those in which it moves; `centres` (n, 2) are its row and column, in blocks, in each picture from
    before the first to the last. `begin` and `end` are its first and its last place: row and column of the first
    block, and of the last. What is `unlikely` to be a cursor is wide, or more colourful than the screen behind it.
    `begins_by` and `ends_by` are the edges of the screen that it touches there.
    """

    pictures: Sequence[int]
    centres: F64
    begin: Spot
    end: Spot
    unlikely: bool = False
    begins_by: frozenset[str] = frozenset()
    ends_by: frozenset[str] = frozenset()

    @property
    def all_pictures(self) -> I64:
        """(n,): the pictures from before the first to the last, also those in which it rests."""
        return np.arange(self.pictures[0] - 1, self.pictures[-1] + 1)

    def of_the_hand(self, times_ms: F64, shifts: Collection[int]) -> list[int]:
        """Return its pictures, but for those at its ends, after a pause, that are no shift: the user clicked."""
        pictures = list(self.pictures)
        for at, beside in ((-1, -2), (0, 1)):
            while len(pictures) > 1 and pictures[at] not in shifts:
                if abs(times_ms[pictures[at]] - times_ms[pictures[beside]]) <= POINTER.pause_ms:
                    break
                pictures.pop(at)
        return pictures

    def leads_to(self, other: Path) -> bool:
        """Return whether another path sets out from where this one ends; in motion, it went on in between.

        What goes out over an edge of the screen may come in again anywhere along it.
        """
        if other.pictures[0] <= self.pictures[-1] or self.ends_by & other.begins_by:
            return True
        hops = [float(np.hypot(*(one - two))) for one, two in (self.centres[-2:], other.centres[:2])]
        pictures = min(other.pictures[0] - self.pictures[-1], POINTER.unseen)
        off = float(np.hypot(*(other.centres[0] - self.centres[-1])))
        return off <= POINTER.off_blocks + pictures * max(hops)

    @property
    def far(self) -> float:
        """How far it came from where it set out, blocks."""
        return float(np.hypot(*(self.centres - self.centres[0]).T).max())

    @property
    def goes_somewhere(self) -> bool:
        """Whether its way leads from one place to another, or nearly straight away from the first: in no circle."""
        return leads_away(self.centres) or goes_straight_away(self.centres)

    @property
    def by_hand(self) -> bool:
        """Whether it goes far, on no straight line and in no circle."""
        return _is_bent(self.centres) and self.far >= POINTER.far_blocks and leads_away(self.centres)

    @property
    def wanders(self) -> bool:
        """Whether a stretch of it goes further than what turns in a circle does, on no straight line."""
        return any(
            float(np.hypot(*(out[-1] - out[0]))) >= POINTER.wanders_blocks and _is_bent(out) and leads_away(out)
            for out in _outward(self.centres)
        )


def _is_bent(places: F64) -> bool:
    """Return whether a way, (n, 2), strays from the straight line between its ends, as a hand does."""
    way, away = places[-1] - places[0], places - places[0]
    length, far = float(np.hypot(*way)), float(np.hypot(*away.T).max())
    bend = float(np.abs(away @ [-way[1], way[0]]).max()) / length if length >= 1 else far
    return bend >= max(POINTER.bent_blocks, POINTER.bent_share * far)


def _outward(places: F64) -> Iterator[F64]:
    """Yield the stretches of a way, (n, 2), each to where it turns back to where that stretch set out."""
    start = 0
    while start < len(places) - 1:
        away = np.hypot(*(places[start:] - places[start]).T)
        back = np.flatnonzero(np.maximum.accumulate(away) - away > POINTER.back_blocks)
        furthest = int(away[: int(back[0]) if len(back) else len(away)].argmax())
        yield places[start : start + furthest + 1]
        start += max(furthest, 1)


def leads_away(places: F64) -> bool:
    """Return whether a way, (n, 2), leads from one place to another, and not in a circle."""
    way, away = np.diff(places, axis=0), places - places[0]
    return bool(np.hypot(*way.T).sum() <= POINTER.detour * np.hypot(*away.T).max())


def goes_straight_away(places: F64) -> bool:
    """Return whether a way, (n, 2), leads nearly straight to its furthest place, wherever it goes from there."""
    away = np.hypot(*(places - places[0]).T)
    furthest = int(away.argmax())
    way = np.hypot(*np.diff(places[: furthest + 1], axis=0).T).sum()
    return bool(way <= POINTER.straight * away[furthest])


def repeats(places: F64, times_ms: F64) -> bool:
    """Return whether a way, (n, 2) with the times (n,) at which it was there, goes round to a beat.

    A hand may come back to where it was, but not at the same pace all along the way.
    """
    step_ms = float(np.median(np.diff(times_ms))) if len(times_ms) > 1 else 0.0
    if step_ms <= 0:
        return False
    even = np.arange(times_ms[0], times_ms[-1] + step_ms / 2, step_ms)
    way = np.stack([np.interp(even, times_ms, one) for one in places.T], axis=1)
    least, fewest = (max(round(ms / step_ms), 1) for ms in POINTER.repeats_ms)
    for lag in range(least, len(way) - fewest):
        again = way[lag:]
        far = np.hypot(*np.ptp(again, axis=0)) >= POINTER.repeats_far
        if far and np.hypot(*(again - way[:-lag]).T).mean() <= POINTER.repeats_blocks:
            return True
    return False


def rest_of_hand_ms(recording: Recording, changes: Changes) -> float:
    """Return how long nothing changes at least where a hand rests: more than two pictures of a slow screen."""
    return max(POINTER.rest_ms, POINTER.missed * slot_of_screen_ms(recording, changes))


def calm_runs(recording: Recording, changes: Changes, elsewhere: Bools, wide: int) -> Iterator[list[int]]:
    """Yield series of pictures, soon after each other, in which nothing changes but a few little things.

    A patch is `wide` blocks on each side at most, or there are three so little.
    """
    times, outside = recording.picture_ms, ~elsewhere
    run: list[int] = []
    for picture in changes.changed_pictures():
        pause = bool(run) and times[picture] - times[run[-1]] > POINTER.rest_ms
        little = _little(changes, picture, outside, wide)
        if run and (pause or not little or len(run) == POINTER.most):
            yield run
            run = []
        if little:
            run.append(picture)
    if run:
        yield run


def _little(changes: Changes, picture: int, outside: Bools, wide: int) -> bool:
    """Return whether a picture changes a few little things `outside` of what goes on by itself, and no more."""
    if changes.count[picture] > POINTER.clusters * wide**2 + np.count_nonzero(~outside):
        return False
    blocks, most = changes.blocks(picture) & outside, POINTER.across(wide)
    if not 0 < np.count_nonzero(blocks) <= POINTER.clusters * most**2:
        return False
    parts = [part[box_around(part)].shape for part in connected(grow(blocks, 1))]
    return len(parts) <= POINTER.clusters and max(map(max, parts)) <= most


def paths_in(recording: Recording, changes: Changes, run: Sequence[int], elsewhere: Bools, wide: int) -> list[Path]:
    """Return the movements of one patch in a run, one after the other, each as far as one patch accounts for it.

    It is `wide` blocks on each side at most.
    """
    paths: list[Path] = []
    run = _without_flashes(recording, changes, run, elsewhere)

    def begins(at: int) -> int:
        """Take the path that begins there, if one does; return how many pictures it has."""
        path = _longest(recording, changes, run[at:], elsewhere, wide)
        if path is None or _comes_or_goes(recording, changes, run, path, elsewhere):
            return 0
        paths.append(path)
        return len(path.pictures)

    at = 0
    while at + POINTER.fewest <= len(run):
        at += begins(at) or 1
    if paths and at < len(run):
        begins(len(run) - POINTER.fewest)  # it goes out over the edge, from where it was still seen
    return paths


def _without_flashes(recording: Recording, changes: Changes, run: Sequence[int], elsewhere: Bools) -> Sequence[int]:
    """Return the pictures of a run but for those in which something comes and goes: no step of what moves."""
    fleeting: set[int] = set()
    for come, gone in pairwise(run):
        blocks = (changes.blocks(come) | changes.blocks(gone)) & ~elsewhere
        if come not in fleeting and flashes(recording, blocks, come, gone):
            fleeting |= {come, gone}
    return [picture for picture in run if picture not in fleeting]


def flashes(recording: Recording, blocks: Bools, come: int, gone: int) -> bool:
    """Return whether what comes in one picture goes soon after in another, and leaves what was there before."""
    if not 0 < recording.picture_ms[gone] - recording.picture_ms[come] <= POINTER.ring_ms:
        return False
    then, shown, now = (state(recording, blocks, picture) for picture in (come - 1, come, gone))
    least = np.maximum(POINTER.levels * 64, POINTER.share * np.abs(shown - then).max())
    return bool((np.abs(now - then) <= least).all())


def _longest(
    recording: Recording, changes: Changes, run: Sequence[int], elsewhere: Bools, wide: int
) -> Path | None:
    """Return the path of the patch that a run begins with, as far as it goes; None if it begins with none."""
    path = _fit(recording, changes, run, elsewhere, wide)
    if path is not None:
        return path
    path = _fit(recording, changes, run[: POINTER.fewest], elsewhere, wide)
    fits, fails = POINTER.fewest, len(run)
    while path is not None and fails - fits > 1:
        size = min(2 * fits, (fits + fails) // 2)
        longer = _fit(recording, changes, run[:size], elsewhere, wide)
        if longer is None:
            fails = size
        else:
            path, fits = longer, size
    return path


def _comes_or_goes(
    recording: Recording, changes: Changes, run: Sequence[int], path: Path, elsewhere: Bools
) -> bool:
    """Return whether the patch appears where its path begins, just before, or goes where it ends, just after.

    Not where it may come from `elsewhere`, where nobody looked.
    """
    first, last = run.index(path.pictures[0]), run.index(path.pictures[-1])
    ends = [(run[first - 1], -1, path.begin, run[last])] if first > 0 else []
    ends += [(run[last + 1], 0, path.end, run[first] - 1)] if last + 1 < len(run) else []
    for picture, beside, spot, away in ends:
        blocks: Bools = changes.blocks(picture) & ~elsewhere
        hidden = (grow(blocks, POINTER.widest_blocks) & elsewhere).any()
        if hidden or not is_within(box_of(*np.nonzero(blocks)), spot, 1):
            continue
        then, now, free = (state(recording, blocks, p) for p in (picture - 1, picture, away))
        bare = then if beside else now
        if np.abs(bare - free).max() <= max(POINTER.levels * 64, POINTER.share * np.abs(now - then).max()):
            return True
    return False


def _fit(
    recording: Recording, changes: Changes, pictures: Sequence[int], elsewhere: Bools, wide: int
) -> Path | None:
    """Return the path of the one patch that accounts for all that these pictures change, None if none does.

    Behind a patch lies a screen that stands still: a block's own picture is the one before the first change, or,
    where the patch lay at first, the one after the last. Every picture must show one patch before that screen.
    """
    visited: Bools = changes.ever(pictures) & ~elsewhere
    shown = states(recording, visited, pictures[0] - 1, pictures[-1])
    from_first, from_last = (np.abs(shown - one).max(axis=1) for one in (shown[0], shown[-1]))
    most = np.maximum(from_first.max(axis=0), from_last.max(axis=0))
    same = np.maximum(POINTER.levels * 64, POINTER.share * most)
    at_last = np.argmax(from_last <= same, axis=0)  # since when a block showed its last state, at first
    at_first = len(shown) - 1 - np.argmax(from_first[::-1] <= same, axis=0)  # until when its first state, at last
    left = (from_first[-1] > same) & (at_last + at_first < len(shown) - 1)
    off = np.where(left, from_last, from_first)
    off = np.where(off > same, off, 0)
    rows, columns = np.nonzero(visited)
    (top, bottom), (leftmost, rightmost) = _reach(off > 0, rows), _reach(off > 0, columns)
    seen: Bools = np.any(off > 0, axis=1)
    compact = seen & (bottom - top < wide) & (rightmost - leftmost < wide)
    if (~compact[1:-1]).sum() > POINTER.astray * len(shown) or not seen[[0, -1]].any():
        return None
    if np.median(off.sum(axis=1)) < POINTER.mass * 64:
        return None
    known = np.maximum.accumulate(np.where(seen, np.arange(len(shown)), np.argmax(seen)))
    off, spots = off[known], np.stack([top, leftmost, bottom, rightmost], axis=1)[known].tolist()
    centres = np.stack([off @ rows, off @ columns], axis=1) / off.sum(axis=1, keepdims=True) + 0.5
    for end, inner, further in ((0, 1, 2), (-1, -2, -3)):
        gone = centres[inner] + (centres[inner] - centres[further])
        if not compact[end] and (seen[end] or not _outside(gone, visited.shape)):
            return None
    unlikely = wide > POINTER.widest_blocks or _adds_colour(shown, np.where(left, shown[-1], shown[0]))
    came, went = tuple(spots[0]), tuple(spots[-1])
    edges = (_edges(came, visited.shape), _edges(went, visited.shape))
    return Path(pictures, centres, came, went, unlikely, *edges)


def _edges(spot: Spot, shape: tuple[int, ...]) -> frozenset[str]:
    """Return which edges of the screen a spot touches."""
    top, left, bottom, right = spot
    there = {"top": top == 0, "left": left == 0, "bottom": bottom == shape[0] - 1, "right": right == shape[1] - 1}
    return frozenset(edge for edge, touches in there.items() if touches)


def _adds_colour(shown: I32, screen: I32) -> bool:
    """Return whether blocks (pictures, planes, blocks) are more colourful than the screen behind."""
    if len(screen) < 3:
        return False
    colour, behind = (np.hypot(one[..., 1, :] - NEUTRAL, one[..., 2, :] - NEUTRAL) for one in (shown, screen))
    return bool((colour > behind + POINTER.colour * 64).mean(axis=1).max() > POINTER.astray)


def _reach(where: Bools, places: I64) -> tuple[I64, I64]:
    """Return (n,), (n,): the first and the last row, or column, of the blocks of each picture."""
    low: I64 = np.where(where, places, np.iinfo(np.int64).max).min(axis=1)
    high: I64 = np.where(where, places, -1).max(axis=1)
    return low, high


def _outside(place: F64, shape: tuple[int, ...]) -> bool:
    """Return whether a row and a column lie beyond the screen's edge, or on it: a cursor comes in and goes out."""
    return bool((np.minimum(place, np.array(shape) - place) <= POINTER.edge_blocks).any())


def box_of(rows: I64, columns: I64) -> Spot:
    """Return the first row and column, and the last, of some blocks."""
    return int(rows.min()), int(columns.min()), int(rows.max()), int(columns.max())


def blocks_of(spot: Spot, shape: tuple[int, ...]) -> Bools:
    """Return (rows, columns): True at a spot, as far as it lies on a screen of this shape."""
    blocks = np.zeros(shape, dtype=bool)
    blocks[max(spot[0], 0) : spot[2] + 1, max(spot[1], 0) : spot[3] + 1] = True
    return blocks


def is_within(box: Spot, spot: Spot, reach: int) -> bool:
    """Return whether a box lies within a spot and `reach` blocks around it."""
    low = all(side >= place - reach for side, place in zip(box[:2], spot[:2], strict=True))
    return low and all(side <= place + reach for side, place in zip(box[2:], spot[2:], strict=True))
