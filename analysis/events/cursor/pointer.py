"""The mouse cursor of a computer, on captures of a simulator, a desktop or a mirrored phone.

A cursor is one small patch that moves rigidly over a screen that stands still: every place that it leaves shows
again what it showed before the cursor came. It is there before it moves and is still there afterwards, and a hand
moves it. An animation runs along a straight line, a spinner comes and goes, and what a finger drags is not seen to
move before the finger is down.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.hidden_steps import with_hidden_steps
from analysis.events.cursor.hovering import Tip
from analysis.events.cursor.own_changes import fits_circle, whole_circle
from analysis.events.cursor.paths import (
    POINTER,
    Path,
    Spot,
    box_of,
    calm_runs,
    flashes,
    is_within,
    leads_away,
    paths_in,
    repeats,
    rest_of_hand_ms,
)
from analysis.events.cursor.tracks import Tracked, find_tracked
from analysis.events.cursor.unseen_moves import unseen_moves, ways_in
from analysis.events.recurrence import state, states
from analysis.events.touch import MOVING
from analysis.options import MeasureOptions
from analysis.video.areas import connected, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True, eq=False)
class Pointer:
    """What the cursor changes: `steps` are blocks (rows, columns) by picture; empty where there is no cursor.

    `tips` are the steps of its tip, where it was followed pixel by pixel; `hovered` what lights up as it passes.
    """

    shape: tuple[int, int]
    steps: dict[int, Bools] = field(default_factory=dict)
    tips: Sequence[Tip] = ()
    hovered: Mapping[int, Bools] = field(default_factory=dict)

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

    def explains_rest(self, picture: int, blocks: Bools) -> bool:
        """Return whether it accounts for what is left of a picture, if anything is."""
        return not blocks.any() or self.explains(picture, blocks)

    def passes(self, picture: int, blocks: Bools) -> bool:
        """Return whether the rest of these blocks, but for its own, lights up or goes out as it passes."""
        hovered = self.hovered.get(picture)
        if hovered is None:
            return False
        own = self.steps.get(picture)
        return not (blocks & ~(hovered if own is None else hovered | own)).any()

    def taken_from(self, changes: Changes) -> Changes:
        """Return the changes without those of the cursor."""
        return changes.without(self.steps)


def find_pointer(
    recording: Recording, changes: Changes, elsewhere: Bools, options: MeasureOptions, steady: Bools | None = None
) -> Pointer:
    """Return what a mouse cursor changes; `elsewhere` (rows, columns) goes on by itself all the time.

    `steady` is what of that blinks or keeps time.

    A cursor is known by one path that a hand drew: before the action, or in an interaction in which nothing is
    dragged. A colourful or a wide one must besides set out when all else has come to rest: apps move such things.
    What sets out from where it was seen last, or arrives where it sets out next, is the cursor as well.
    """
    times = recording.picture_ms
    wide = POINTER.widest_blocks
    runs, own, chosen = _by_blocks(recording, changes, elsewhere, options, wide)
    tracked = find_tracked(recording, changes, elsewhere, options, steady)
    if not chosen and not tracked.paths:
        wide = POINTER.with_halo_blocks
        runs, own, chosen = _by_blocks(recording, changes, elsewhere, options, wide)
    known = sorted([*chosen, *tracked.paths], key=lambda path: path.pictures[0])
    if not known:
        return Pointer(changes.shape)
    shifts = {picture for picture, blocks in own.items() if _keeps_its_light(recording, blocks, picture)}
    moved = {picture for path in chosen for picture in path.of_the_hand(times, shifts)} & own.keys()
    moved -= tracked.resting
    rests = [[picture for picture in run if picture not in moved | tracked.resting] for run in runs]
    for rest in rests:
        if rest and shifts.issuperset(rest) and _shifts(recording, rest, own, known):
            moved |= set(rest)
    told = moved | tracked.steps.keys()
    rest_ms = rest_of_hand_ms(recording, changes)
    moved |= unseen_moves(own, known, times, rest_ms, told)
    clicks = _clicks(recording, own, sorted(own.keys() - moved), known)
    moved |= clicks
    steps = {**tracked.steps, **{picture: _of_the_cursor(tracked, picture, own[picture]) for picture in moved}}
    after = (picture for picture in changes.changed_pictures() if times[picture] >= options.action_ms)
    others = (picture for picture in after if (changes.blocks(picture) & ~elsewhere).any())
    answered = next((picture for picture in others if picture not in steps), len(times))
    late = (picture for picture in clicks if picture > answered)  # before, a word may go pale
    steps |= {picture: whole_circle(own[picture], changes.blocks(picture)) for picture in late}
    stood = {picture for path in chosen for picture in path.pictures} - steps.keys()  # no shifts: it rested then
    steps = with_hidden_steps(steps, recording, changes, elsewhere, options, steady, tracked, stood, wide)
    return Pointer(changes.shape, dict(sorted(steps.items())), tracked.tips)


def _by_blocks(
    recording: Recording, changes: Changes, elsewhere: Bools, options: MeasureOptions, wide: int
) -> tuple[list[list[int]], dict[int, Bools], list[Path]]:
    """Return the calm runs of pictures, what these change (rows, columns), and the paths of a cursor among them.

    It is `wide` blocks on each side at most. Apps move what is as wide as a cursor with a disc around it; so that,
    as what is colourful, must be drawn by a hand when all else has come to rest.
    """
    runs = list(calm_runs(recording, changes, elsewhere, wide))
    paths = [path for run in runs for path in paths_in(recording, changes, run, elsewhere, wide)]
    own = {picture: changes.blocks(picture) & ~elsewhere for run in runs for picture in run}
    if not paths:
        return runs, own, []  # as nearly always: then it matters not what else changes
    likely = [path for path in paths if not path.unlikely]
    moved = {picture for path in likely for picture in path.pictures}
    if wide > POINTER.widest_blocks:  # an encoder's trail may hide where a movement begins
        seen = {picture for path in paths for picture in path.pictures}
        ways = (way for run in runs for way in ways_in(run, own, recording.picture_ms, POINTER.rest_ms))
        moved |= {picture for way in ways if seen.intersection(way) for picture in way}
    if options.interaction_type in MOVING:  # what was dragged may have gone where such a way begins
        likely, moved = [], {picture for path in paths for picture in path.pictures}
    others = _others(recording, changes, likely, moved, elsewhere)
    chosen = _of_a_cursor(
        paths, others, recording.picture_ms, options, lambda chain: _has_come(recording, own, runs, chain)
    )
    if wide > POINTER.widest_blocks:
        first, fewest = np.searchsorted(recording.picture_ms, options.action_ms), POINTER.with_halo_pictures
        if not any(path.pictures[0] >= first and len(path.pictures) >= fewest for path in chosen):
            chosen = []
    return runs, own, chosen


def _of_the_cursor(tracked: Tracked, picture: int, own: Bools) -> Bools:
    """Return what of its `own` step is the cursor's: all where no pixels tell, else little more than they do."""
    exact = tracked.steps.get(picture)
    if exact is None:
        return own
    most = POINTER.part_blocks
    if picture not in tracked.sure:
        most = max(most, int(np.count_nonzero(exact)))
    return exact | _small_parts(own & ~exact, most)


def _small_parts(left: Bools, most: int) -> Bools:
    """Return the parts of what is left of a step that may be a cursor's: larger ones are something else.

    A button lights up beside it, for one.
    """
    small = np.zeros_like(left)
    for part in connected(left):
        if np.count_nonzero(part) <= most:
            small |= part
    return small


def _of_a_cursor(
    paths: Sequence[Path],
    others: F64,
    times_ms: F64,
    options: MeasureOptions,
    has_come: Callable[[Sequence[Path]], bool],
) -> list[Path]:
    """Return the paths of a cursor, rising; `others` are the times of all other changes, ms.

    `has_come` says of paths that lead to each other whether what moves was not there before.
    """
    still = options.interaction_type not in (*MOVING, "draw")

    def rested_ms(path: Path) -> float:
        """Return how long all else had rested since the action before it began, ms; 0 if nothing answered."""
        begins = times_ms[path.pictures[0]]
        before = others[(others >= options.action_ms) & (others < begins)]
        return float(begins - before[-1]) if len(before) else 0.0

    def is_late(path: Path) -> bool:
        return rested_ms(path) >= POINTER.late_ms and len(path.pictures) >= POINTER.late_pictures

    def tells(path: Path) -> bool:
        goes = path.far >= POINTER.far_blocks and (path.goes_somewhere or path.wanders)
        late = goes and is_late(path)
        known = late and (path.by_hand or path.wanders) if path.unlikely else late or path.by_hand
        before = times_ms[path.pictures[-1]] < options.action_ms
        after = options.interaction_type in MOVING and rested_ms(path) >= POINTER.later_ms
        return (still or before or after) and known

    far_enough: list[Path] = []
    for path in paths:
        last = far_enough[-1] if far_enough else None
        goes_on = last is not None and last.leads_to(path) and _follows(last, path, times_ms)
        if goes_on or path.far >= (POINTER.least_blocks if is_late(path) else POINTER.short_blocks):
            far_enough.append(path)
    found: list[Path] = []
    for chain in _chained(far_enough):
        movements = _movements(chain, times_ms)
        told = any(map(tells, (*chain, *map(_joined, movements))))
        if told and not any(_goes_round(paths, times_ms) for paths in movements) and not has_come(chain):
            found += chain
    return found


def _goes_round(movement: Sequence[Path], times_ms: F64) -> bool:
    """Return whether a movement goes the same way again at the same pace, as what an app moves without end."""
    places = np.concatenate([path.centres for path in movement])
    return repeats(places, np.concatenate([times_ms[path.all_pictures] for path in movement]))


def _has_come(
    recording: Recording, own: Mapping[int, Bools], runs: Sequence[Sequence[int]], chain: Sequence[Path]
) -> bool:
    """Return whether what moves came up in the middle of the screen, and leads nowhere: a loader does, no hand.

    Its first place shows, once it is far from there, what it had shown before all of it began. A cursor that was
    hidden while its user typed comes up like that, and goes where it is needed.
    """
    if chain[0].begins_by or leads_away(np.concatenate([path.centres for path in chain])):
        return False
    first = next(run[0] for run in runs if chain[0].pictures[0] in run)
    away = {
        picture: float(np.hypot(*(place - chain[0].centres[0])))
        for path in chain
        for picture, place in zip(path.all_pictures.tolist(), path.centres, strict=True)
    }
    furthest = max(away, key=away.__getitem__)
    then, now, free = (state(recording, own[first], picture) for picture in (first - 1, first, furthest))
    same = np.maximum(POINTER.levels * 64, POINTER.share * np.abs(now - then).max())
    return bool((np.abs(free - then) <= same).all())


def _chained(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield the paths that lead to each other: where one ends, the next one begins."""
    chain: list[Path] = []
    for path in paths:
        if chain and not chain[-1].leads_to(path):
            yield chain
            chain = []
        chain.append(path)
    if chain:
        yield chain


def _movements(chain: Sequence[Path], times_ms: F64) -> list[list[Path]]:
    """Return the paths of a chain, those that follow each other without a rest together."""
    movements: list[list[Path]] = []
    for path in chain:
        if movements and _follows(movements[-1][-1], path, times_ms):
            movements[-1].append(path)
        else:
            movements.append([path])
    return movements


def _joined(movement: Sequence[Path]) -> Path:
    """Return the paths of a movement put together."""
    centres = np.concatenate([path.centres for path in movement])
    pictures = [picture for path in movement for picture in path.pictures]
    unlikely = any(path.unlikely for path in movement)
    return replace(movement[-1], pictures=pictures, centres=centres, begin=movement[0].begin, unlikely=unlikely)


def _follows(last: Path, path: Path, times_ms: F64) -> bool:
    """Return whether a path begins so soon after another that the hand did not rest."""
    return bool(times_ms[path.pictures[0]] - times_ms[last.pictures[-1]] <= POINTER.rest_ms)


def _others(
    recording: Recording, changes: Changes, paths: Sequence[Path], moved: Collection[int], elsewhere: Bools
) -> F64:
    """Return when something changes but where a patch `moved`, or one of the paths sets out next, ms, rising."""
    found = []
    for picture in changes.changed_pictures():
        if picture not in moved:
            after = next((path for path in paths if path.pictures[0] > picture), None)
            rows, columns = np.nonzero(changes.blocks(picture) & ~elsewhere)
            if len(rows) >= POINTER.stray_blocks and not (
                after and is_within(box_of(rows, columns), after.begin, 1)
            ):
                found.append(float(recording.picture_ms[picture]))
    return np.array(found)


def _shifts(recording: Recording, rest: Sequence[int], own: Mapping[int, Bools], paths: Sequence[Path]) -> bool:
    """Return whether a cursor that is known shifts a little, or changes its form, where it rests.

    Either nothing changes but in its own place, or, when it has left, the screen shows what it showed before.
    """
    before = max((p for p in paths if p.pictures[-1] < rest[0]), key=lambda p: p.pictures[-1], default=None)
    after = min((p for p in paths if p.pictures[0] > rest[-1]), key=lambda p: p.pictures[0], default=None)
    spots = [path for path in (before and before.end, after and after.begin) if path]
    changed: Bools = np.any([own[picture] for picture in rest], axis=0)
    rows, columns = np.nonzero(changed)
    box = box_of(rows, columns)
    if any(is_within(box, spot, 1) and _no_larger(box, spot) for spot in spots):
        return True
    if before is None or after is None or not any(is_within(box, spot, 3) for spot in spots):
        return False
    asked = (before.pictures[0] - 1, rest[-1], after.pictures[-1])
    came, covered, left = (state(recording, changed, picture) for picture in asked)
    least = np.maximum(POINTER.levels * 64, POINTER.share * np.abs(covered - came).max())
    return bool((np.abs(left - came) <= least).all())


def _clicks(
    recording: Recording, own: Mapping[int, Bools], pictures: Sequence[int], paths: Sequence[Path]
) -> set[int]:
    """Return the pictures in which a recorder draws a circle around a resting cursor, and takes it away again.

    What comes has its middle where the cursor's tip is, is no wider than a patch, and leaves what was there before.
    It stands out from what lies around it; a word that goes pale as it is pressed does so less than before.
    """
    found: set[int] = set()
    for come, gone in pairwise(pictures):
        before = [path for path in paths if path.pictures[-1] < come]
        blocks = own[come] | own[gone]
        if not before or not flashes(recording, blocks, come, gone):
            continue
        top, left, bottom, right = box_of(*np.nonzero(blocks))
        off = before[-1].centres[-1] - np.array([top + bottom + 1, left + right + 1]) / 2
        at_tip = off.max() <= POINTER.ring_blocks and off.min() >= -POINTER.aside_blocks
        if at_tip and fits_circle(blocks) and _stands_out_more(recording, blocks, come):
            found |= {come, gone}
    return found


def _stands_out_more(recording: Recording, blocks: Bools, picture: int) -> bool:
    """Return whether a picture takes blocks away from the light around them, and not nearer to it."""
    around = grow(blocks, 2) & ~grow(blocks, 1)
    ground = np.median(state(recording, around, picture - 1)[0])
    before, after = (np.abs(one[0] - ground).sum() for one in states(recording, blocks, picture - 1, picture))
    return bool(after >= before)


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
