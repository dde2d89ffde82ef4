"""The mouse cursor of a computer, on captures of a simulator, a desktop or a mirrored phone.

A cursor is one small patch that moves rigidly over a screen that stands still: every place that it leaves shows
again what it showed before the cursor came. It is there before it moves and is still there afterwards, and a hand
moves it. An animation runs along a straight line, a spinner comes and goes, and what a finger drags is not seen to
move before the finger is down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from analysis.arrays import F64, I32, I64, Bools
from analysis.detection.changes import NOTHING, Changes
from analysis.events.recurrence import states
from analysis.events.touch import MOVING
from analysis.options import MeasureOptions
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class PointerLimits:
    """How small a cursor is, how cleanly it goes, and what tells a hand from an animation."""

    widest_blocks: int = 6  # on each side: 48 px at a width of 540, and what a codec carries around it
    clusters: int = 3  # where it was, where it is, and where it was before, coded late
    rest_ms: float = 150.0  # a hand that pauses for longer begins another path
    fewest: int = 3  # pictures of a path: two places could be two things
    levels: float = 3.0  # a place that differs by less shows the same: rounding of a transform block
    share: float = 0.2  # likewise, of the most that it differed by: what an encoder leaves of a patch
    astray: float = 0.1  # of the pictures of a path may show more than the patch: an encoder's trail
    far_blocks: float = 8.0  # a path must go so far to tell of a cursor by itself: a spinner is smaller
    detour: float = 2.0  # times as far may its way be: what turns goes three times as far, and comes back
    bent_blocks: float = 0.4  # away from the straight line: on one, centres of blocks lie within 0.11
    bent_share: float = 0.015  # likewise of its length: a hand's path is an arc with corrections
    off_blocks: float = 2.5  # how far from where it was last seen a known cursor sets out
    unseen: int = 3  # pictures that it may have moved on in while all else changed
    short_blocks: float = 4.0  # what goes less far from there may be what it clicked on: a switch, 3.5 at most
    edge_blocks: float = 1.0  # half a patch: its middle is as near to the screen's edge when it comes in
    most: int = 240  # pictures that are looked at as one path: four seconds
    late_ms: float = 60.0  # after all else has come to rest: what a tap sets off begins with it
    late_pictures: int = 4  # of such a path: three strays of an encoder may lie as if one thing had jumped
    mass: float = 30.0  # levels, summed over its blocks: an arrow of 12 px makes 60, strays of an encoder 20
    stray_blocks: int = 3  # a change of fewer is no rest disturbed: an encoder corrects so much
    colour: float = 4.0  # levels: cursors are black, white or grey, and a codec carries a little colour along
    kept: float = 0.5  # of all that shifts: what a patch that shifts over text does not take along; a tick: all
    pause_ms: float = 45.0  # a hand that moves shows in every picture; before it clicks it rests for longer


POINTER = PointerLimits()
NEUTRAL = 128 * 64  # of a plane of colours, 1/64 levels
Spot = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Pointer:
    """What the cursor changes: `steps` are blocks (rows, columns) by picture; empty where there is no cursor."""

    shape: tuple[int, int]
    steps: dict[int, Bools] = field(default_factory=dict)

    @property
    def path(self) -> Bools:
        """(rows, columns): everywhere it was seen to go."""
        return self.path_between(0, max(self.steps, default=0))

    def path_between(self, first: int, last: int) -> Bools:
        """Return (rows, columns): where it went in pictures first … last."""
        path = np.zeros(self.shape, dtype=bool)
        for picture, blocks in self.steps.items():
            if first <= picture <= last:
                path |= blocks
        return path

    def explains(self, picture: int, blocks: Bools) -> bool:
        """Return whether it accounts for all these blocks of a picture."""
        own = self.steps.get(picture)
        return own is not None and not (blocks & ~own).any()

    def taken_from(self, changes: Changes) -> Changes:
        """Return the changes without those of the cursor."""
        if not self.steps:
            return changes
        packed, count = list(changes.packed), changes.count.copy()
        for picture, blocks in self.steps.items():
            left = changes.blocks(picture) & ~blocks
            count[picture] = left.sum()
            packed[picture] = np.packbits(left) if count[picture] else NOTHING
        return Changes(changes.shape, packed, count, changes.energy, changes.floor_levels, changes.limits)


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """One movement of one patch.

    `pictures` are those in which it moves; `centres` (n, 2) are its row and column, in blocks, in each picture from
    before the first to the last. `begin` and `end` are its first and its last place: row and column of the first
    block, and of the last.
    """

    pictures: Sequence[int]
    centres: F64
    begin: Spot
    end: Spot

    def of_the_hand(self, times_ms: F64, shifts: Collection[int]) -> list[int]:
        """Return its pictures, but for those at its ends, after a pause, that are no shift: the user clicked."""
        pictures = list(self.pictures)
        for at, beside in ((-1, -2), (0, 1)):
            while len(pictures) > 1 and pictures[at] not in shifts:
                if abs(times_ms[pictures[at]] - times_ms[pictures[beside]]) <= POINTER.pause_ms:
                    break
                pictures.pop(at)
        return pictures

    def leads_to(self, other: _Path) -> bool:
        """Return whether another path sets out from where this one ends; in motion, it went on in between."""
        if other.pictures[0] <= self.pictures[-1]:
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
    def bend(self) -> float:
        """How far it strays from the straight line between its ends, blocks."""
        way, away = self.centres[-1] - self.centres[0], self.centres - self.centres[0]
        length = float(np.hypot(*way))
        return float(np.abs(away @ [-way[1], way[0]]).max()) / length if length >= 1 else self.far

    @property
    def by_hand(self) -> bool:
        """Whether it goes far, on no straight line and in no circle."""
        way = float(np.hypot(*np.diff(self.centres, axis=0).T).sum())
        bent = self.bend >= max(POINTER.bent_blocks, POINTER.bent_share * self.far)
        return bent and self.far >= POINTER.far_blocks and way <= POINTER.detour * self.far


def find_pointer(recording: Recording, changes: Changes, elsewhere: Bools, options: MeasureOptions) -> Pointer:
    """Return what a mouse cursor changes; `elsewhere` (rows, columns) goes on by itself all the time.

    A cursor is known by one path that a hand drew: before the action, or in an interaction in which nothing is
    dragged. What sets out from where it was seen last, or arrives where it sets out next, is the cursor as well.
    """
    runs = list(_runs(recording, changes, elsewhere))
    paths = [path for run in runs for path in _paths(recording, changes, run, elsewhere)]
    times, still = recording.picture_ms, options.interaction_type not in (*MOVING, "draw")
    if not any(path.far >= POINTER.far_blocks for path in paths):
        return Pointer(changes.shape)
    others = _others(recording, changes, paths, elsewhere)

    def tells(path: _Path) -> bool:
        begins, ends = times[path.pictures[0]], times[path.pictures[-1]]
        before = others[(others >= options.action_ms) & (others < begins)]
        late = len(before) > 0 and begins - before[-1] >= POINTER.late_ms and path.far >= POINTER.far_blocks
        late = late and len(path.pictures) >= POINTER.late_pictures
        return (still or ends < options.action_ms) and (path.by_hand or late)

    chains = _chained([path for path in paths if path.far >= POINTER.short_blocks])
    chosen = [path for chain in chains if any(map(tells, (*chain, *_joined(chain, times)))) for path in chain]
    if not chosen:
        return Pointer(changes.shape)
    own = {picture: changes.blocks(picture) & ~elsewhere for run in runs for picture in run}
    shifts = {picture for picture, blocks in own.items() if _keeps_its_light(recording, blocks, picture)}
    moved = {picture for path in chosen for picture in path.of_the_hand(times, shifts)}
    rests = [[picture for picture in run if picture not in moved] for run in runs]
    for rest in rests:
        if rest and shifts.issuperset(rest) and _shifts(recording, rest, own, chosen):
            moved |= set(rest)
    return Pointer(changes.shape, {picture: own[picture] for picture in sorted(moved)})


def _runs(recording: Recording, changes: Changes, elsewhere: Bools) -> Iterator[list[int]]:
    """Yield series of pictures, soon after each other, in which nothing changes but a few little things."""
    times = recording.picture_ms
    run: list[int] = []
    for picture in changes.changed_pictures():
        pause = bool(run) and times[picture] - times[run[-1]] > POINTER.rest_ms
        little = _little(changes, picture, elsewhere)
        if run and (pause or not little or len(run) == POINTER.most):
            yield run
            run = []
        if little:
            run.append(picture)
    if run:
        yield run


def _little(changes: Changes, picture: int, elsewhere: Bools) -> bool:
    wide = POINTER.widest_blocks
    if changes.count[picture] > POINTER.clusters * wide**2 + np.count_nonzero(elsewhere):
        return False
    blocks = changes.blocks(picture) & ~elsewhere
    parts, _, stats, _ = cv2.connectedComponentsWithStats(grow(blocks, 1).view(np.uint8))
    return 1 < parts <= POINTER.clusters + 1 and bool((stats[1:, 2:4] <= 2 * wide + 2).all())


def _paths(recording: Recording, changes: Changes, run: Sequence[int], elsewhere: Bools) -> list[_Path]:
    """Return the movements of one patch in a run; a run that is none as a whole is halved."""
    if len(run) < POINTER.fewest:
        return []
    whole = _fit(recording, changes, run, elsewhere)
    if whole is not None:
        return [whole]
    middle = len(run) // 2
    halves = [_paths(recording, changes, part, elsewhere) for part in (run[:middle], run[middle:])]
    longest: list[_Path] = []
    for path in (path for half in halves for path in half):
        if not longest or path.pictures[-1] > longest[-1].pictures[-1]:
            path = _lengthened(recording, changes, run, path, elsewhere)
            longest = [one for one in longest if one.pictures[0] < path.pictures[0]]
            longest.append(path)
    return [path for path in longest if not _comes_or_goes(recording, changes, run, path, elsewhere)]


def _comes_or_goes(
    recording: Recording, changes: Changes, run: Sequence[int], path: _Path, elsewhere: Bools
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
        if hidden or not _within(_box(*np.nonzero(blocks)), spot, 1):
            continue
        then, now, free = (states(recording, blocks, p, p)[0] for p in (picture - 1, picture, away))
        bare = then if beside else now
        if np.abs(bare - free).max() <= max(POINTER.levels * 64, POINTER.share * np.abs(now - then).max()):
            return True
    return False


def _lengthened(recording: Recording, changes: Changes, run: Sequence[int], path: _Path, elsewhere: Bools) -> _Path:
    """Return a path with the pictures before and after it in its run that fit it as well."""
    first, last = run.index(path.pictures[0]), run.index(path.pictures[-1])
    for earlier, later in ((1, 0), (0, 1)):
        while first - earlier >= 0 and last + later < len(run):
            longer = _fit(recording, changes, run[first - earlier : last + later + 1], elsewhere)
            if longer is None:
                break
            path, first, last = longer, first - earlier, last + later
    return path


def _fit(recording: Recording, changes: Changes, pictures: Sequence[int], elsewhere: Bools) -> _Path | None:
    """Return the path of the one patch that accounts for all that these pictures change, None if none does.

    Behind a patch lies a screen that stands still: a block's own picture is the one before the first change, or,
    where the patch lay at first, the one after the last. Every picture must show one patch before that screen.
    """
    visited: Bools = np.any([changes.blocks(picture) for picture in pictures], axis=0) & ~elsewhere
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
    wide = POINTER.widest_blocks
    compact = seen & (bottom - top < wide) & (rightmost - leftmost < wide)
    if (~compact[1:-1]).sum() > POINTER.astray * len(shown) or not seen[[0, -1]].any():
        return None
    if _adds_colour(shown, np.where(left, shown[-1], shown[0])):
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
    return _Path(pictures, centres, tuple(spots[0]), tuple(spots[-1]))


def _adds_colour(shown: I32, screen: I32) -> bool:
    """Return whether blocks (pictures, planes, blocks) are more colourful than the screen behind: no cursor is."""
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


def _chained(paths: Sequence[_Path]) -> Iterator[list[_Path]]:
    """Yield the paths that lead to each other: where one ends, the next one begins."""
    chain: list[_Path] = []
    for path in paths:
        if chain and not chain[-1].leads_to(path):
            yield chain
            chain = []
        chain.append(path)
    if chain:
        yield chain


def _joined(chain: Sequence[_Path], times_ms: F64) -> list[_Path]:
    """Return the paths of a chain with those that follow each other without a rest put together."""
    joined: list[_Path] = []
    for path in chain:
        last = joined[-1] if joined else None
        if last is None or times_ms[path.pictures[0]] - times_ms[last.pictures[-1]] > POINTER.rest_ms:
            joined.append(path)
        else:
            centres = np.concatenate([last.centres, path.centres])
            joined[-1] = _Path([*last.pictures, *path.pictures], centres, last.begin, path.end)
    return joined


def _others(recording: Recording, changes: Changes, paths: Sequence[_Path], elsewhere: Bools) -> F64:
    """Return when something changes that is no path of a patch, nor lies where one sets out next, ms, rising."""
    moved = {picture for path in paths for picture in path.pictures}
    found = []
    for picture in changes.changed_pictures():
        if picture not in moved:
            after = next((path for path in paths if path.pictures[0] > picture), None)
            rows, columns = np.nonzero(changes.blocks(picture) & ~elsewhere)
            if len(rows) >= POINTER.stray_blocks and not (after and _within(_box(rows, columns), after.begin, 1)):
                found.append(float(recording.picture_ms[picture]))
    return np.array(found)


def _box(rows: I64, columns: I64) -> Spot:
    return int(rows.min()), int(columns.min()), int(rows.max()), int(columns.max())


def _shifts(recording: Recording, rest: Sequence[int], own: Mapping[int, Bools], paths: Sequence[_Path]) -> bool:
    """Return whether a cursor that is known shifts a little, or changes its form, where it rests.

    Either nothing changes but in its own place, or, when it has left, the screen shows what it showed before.
    """
    before = max((p for p in paths if p.pictures[-1] < rest[0]), key=lambda p: p.pictures[-1], default=None)
    after = min((p for p in paths if p.pictures[0] > rest[-1]), key=lambda p: p.pictures[0], default=None)
    spots = [path for path in (before and before.end, after and after.begin) if path]
    changed: Bools = np.any([own[picture] for picture in rest], axis=0)
    rows, columns = np.nonzero(changed)
    box = _box(rows, columns)
    if any(_within(box, spot, 1) and _no_larger(box, spot) for spot in spots):
        return True
    if before is None or after is None or not any(_within(box, spot, 3) for spot in spots):
        return False
    asked = (before.pictures[0] - 1, rest[-1], after.pictures[-1])
    came, covered, left = (states(recording, changed, picture, picture)[0] for picture in asked)
    least = np.maximum(POINTER.levels * 64, POINTER.share * np.abs(covered - came).max())
    return bool((np.abs(left - came) <= least).all())


def _within(box: Spot, spot: Spot, reach: int) -> bool:
    """Return whether a box lies within a spot and `reach` blocks around it."""
    low = all(side >= place - reach for side, place in zip(box[:2], spot[:2], strict=True))
    return low and all(side <= place + reach for side, place in zip(box[2:], spot[2:], strict=True))


def _no_larger(box: Spot, spot: Spot) -> bool:
    """Return whether a box is at most one block wider and one block higher than a spot."""
    return all(box[2 + k] - box[k] <= spot[2 + k] - spot[k] + 1 for k in (0, 1))


def _keeps_its_light(recording: Recording, blocks: Bools, picture: int) -> bool:
    """Return whether what a step takes from some blocks it gives to others: what moves takes its light along.

    A tick, a letter, a key that lights up do not.
    """
    then, now = states(recording, grow(blocks, 1), picture - 1, picture)
    shift = (now - then).astype(float)
    return bool(np.abs(shift.sum(axis=1)).max() <= POINTER.kept * np.abs(shift[0]).sum())
