"""Which small picture that moves over the screen is a mouse cursor's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from analysis.arrays import F64, U8, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.arrows import find_arrow
from analysis.events.cursor.footprints import Place
from analysis.events.cursor.hovering import Tip, tips_of
from analysis.events.cursor.own_changes import clean_share, own_changes
from analysis.events.cursor.paths import NEUTRAL, POINTER, Path, blocks_of, goes_straight_away, leads_away
from analysis.events.cursor.sightings import (
    SIGHT,
    Step,
    Track,
    follow,
    movements,
    paths_of,
    spot_of,
    surely_in,
    unlike_at,
)
from analysis.events.cursor.sprites import SPRITE, find_sprites, small_parts
from analysis.events.cursor.unseen_moves import since_answered
from analysis.events.cursor.visits import is_visited
from analysis.events.pace import slot_of_screen_ms
from analysis.events.recurrence import states
from analysis.events.touch import MOVING
from analysis.options import MeasureOptions
from analysis.video.areas import grow
from analysis.video.pixels import BLOCK_PX
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class TrackLimits:
    """What tells a hand that moves a cursor from an app that moves something."""

    fewest: int = 3  # places: two could be two things
    far_px: int = 12  # at a width of 540, from one end to the other
    late: int = 3  # steps of what sets out late and goes so: pixel for pixel it is no chance
    later: int = 2  # likewise, after as long a rest as where a finger moves
    slots: float = 1.5  # of a slow screen without a change are a rest
    bent_px: float = 2.0  # off the straight line between its ends, and
    bent_share: float = 0.05  # of its length: what bends so, and was there before the action, is in a hand
    off_px: int = 6  # from corner to corner: a sprite may lack the rim that an arrow's look has
    alone: int = 6  # steps of what looks like an arrow since all has answered
    drags: float = 0.02  # of the screen changes in each step in which it drags something
    looked_at: int = 8  # pictures around the action, for what looks like an arrow
    clean: float = 0.5  # of its steps leave nothing else changed where it was and is: what spins does not
    again: float = 0.3  # of its places may be the same as one before: a spinner comes round
    ring_px: int = 64  # at most from side to side, and all of its places lie around an empty middle: what turns
    hollow: float = 0.5  # of the furthest place's distance from there: none lies nearer
    rounds: float = 1.5  # times as far as the ring is round does it go
    halo_blocks: int = 5  # around it: a disc that screencast software draws behind it, and what a codec carries on
    worn: int = 6  # steps that change nothing but what lies so near, and
    worn_share: float = 0.8  # of its steps since all has answered: it wears a disc, or lets the screen through


TRACK = TrackLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """A cursor that was followed pixel by pixel: its movements, its tip's, and the blocks it changes by picture.

    `sure` are the pictures in which it is seen as it was, and in the one before as well: what else changes then is
    not its own. In those that are `worn` it wears a disc.
    """

    paths: Sequence[Path] = ()
    tips: Sequence[Tip] = ()
    steps: Mapping[int, Bools] = field(default_factory=dict)
    sure: frozenset[int] = frozenset()
    worn: frozenset[int] = frozenset()

    @property
    def resting(self) -> frozenset[int]:
        """The pictures in which it surely has not moved."""
        return self.sure - {step for path in self.paths for step in path.pictures}


def find_tracked(
    recording: Recording, changes: Changes, elsewhere: Bools, options: MeasureOptions, steady: Bools | None = None
) -> Tracked:
    """Return the cursor of a recording that is worth looking at pixel by pixel, if a hand is seen to move it.

    No answer moves before the user acts. An app's own movement runs along one axis, or in a circle; a hand's does
    neither. `elsewhere` (rows, columns) goes on by itself, and alone is not worth it; the cursor itself may, but it
    does not blink or keep time, as what is `steady` does.
    """
    if recording.pixels is None or not is_visited(recording, changes, elsewhere, options.action_ms, steady):
        return Tracked()
    lumas = _looked_at(recording, changes, options.action_ms)
    times, slot_ms = recording.picture_ms, slot_of_screen_ms(recording, changes)
    tracks: list[Track] = []
    tail = frozenset(since_answered(changes, elsewhere, times, options.action_ms))
    worn: dict[int, Bools] = {}
    for sprite in find_sprites(changes, lumas, times, options.action_ms):
        track = follow(sprite, changes, lumas)
        if not _of_a_hand(track, changes, times, options, slot_ms):
            continue
        is_arrow = _is_arrow(track, lumas, times, options.action_ms)  # of any colour: its disc is drawn around it
        if not is_arrow and _adds_colour(recording, track, changes, lumas):
            continue
        clean = _is_clean(track, changes, lumas, times, options.action_ms)
        late = tail | _since_rest(track, changes, elsewhere, times, options)
        around = {} if clean else _worn(track, changes, elsewhere, late)
        wears = _wears(track, around, late)
        if wears:
            worn |= around
        if clean or wears or is_arrow:
            tracks.append(track)
    if not tracks and (arrow := _by_its_look(changes, lumas, times, options.action_ms)):
        alone = _is_seen_alone(arrow, changes, lumas, tail)
        around = {} if alone else _worn(arrow, changes, elsewhere, tail)
        if alone or _wears(arrow, around, tail):
            tracks.append(arrow)
            worn |= around
    if not tracks:
        return Tracked()
    apart = [one for at, one in enumerate(tracks) if not any(_goes_along(one, known) for known in tracks[:at])]
    paths = sorted((path for track in apart for path in paths_of(track, times)), key=lambda path: path.pictures[0])
    steps = own_changes(tracks, changes, lumas, times) | worn
    tips = [tip for track in apart for tip in tips_of(track)]
    sure = frozenset(picture for track in apart for picture in surely_in(track, lumas))
    return Tracked(paths, tips, steps, sure, frozenset(worn))


def _wears(track: Track, worn: Mapping[int, Bools], tail: Set[int]) -> bool:
    """Return whether it moves alone, but for what goes along around it (`worn`), in the pictures of the `tail`."""
    moved = sum(picture in tail for picture, _, _ in track.steps())
    return len(worn) >= TRACK.worn and len(worn) >= TRACK.worn_share * moved


def _since_rest(
    track: Track, changes: Changes, elsewhere: Bools, times_ms: F64, options: MeasureOptions
) -> frozenset[int]:
    """Return the pictures in which it moves, and nothing changes but what lies around it, since all had rested.

    Something had answered before, which may be as small; but a finger that moves may have begun to drag something.
    `elsewhere` (rows, columns) goes on by itself.
    """
    if options.interaction_type in MOVING:
        return frozenset()
    steps, found, last_ms = {step[0]: step[1:] for step in track.steps()}, list[int](), math.inf
    places: tuple[Place, ...] = ()
    for picture in changes.changed_pictures():
        if picture in track.places:
            places = (track.places[picture],)
        blocks = changes.blocks(picture) & ~elsewhere
        if times_ms[picture] < options.action_ms or not blocks.any():
            continue
        if (blocks & ~_around(track, steps.get(picture, places), changes.shape)).any():
            found = []
        elif picture in steps and (found or times_ms[picture] - last_ms >= POINTER.later_ms):
            found.append(picture)
        last_ms = float(times_ms[picture])
    return frozenset(found)


def _worn(track: Track, changes: Changes, elsewhere: Bools, tail: Set[int]) -> dict[int, Bools]:
    """Return what changes (rows, columns) by picture where it moves and nothing changes but around it.

    `tail` are the pictures since all has answered; `elsewhere` goes on by itself.
    """
    found: dict[int, Bools] = {}
    for picture, *places in track.steps():
        if picture in tail:
            blocks = changes.blocks(picture) & ~elsewhere
            if not (blocks & ~_around(track, places, changes.shape)).any():
                found[picture] = blocks
    return found


def _by_its_look(changes: Changes, lumas: Mapping[int, U8], times_ms: F64, action_ms: float) -> Track | None:
    """Return the track of what looks like a cursor's arrow around the action, if it moves.

    It may move too seldom, or go away too soon, to be known by how it moves; or it has dragged something.
    """
    seen = (find_arrow(lumas[picture], picture) for picture in _near_action(lumas, times_ms, action_ms))
    sprite = next(filter(None, seen), None)
    if sprite is None:
        return None
    followed = follow(sprite, changes, lumas)
    blurred = {at for at, place in followed.places.items() if unlike_at(sprite, lumas[at], place) > SIGHT.unlike}
    blurred -= _alone(followed, blurred, changes, lumas)
    track = Track(sprite, {at: place for at, place in followed.places.items() if at not in blurred})
    return track if track.steps() else None


def _is_seen_alone(track: Track, changes: Changes, lumas: Mapping[int, U8], tail: Set[int]) -> bool:
    """Return whether it moves alone, or does in the pictures of the `tail`, since all has answered."""
    steps = track.steps()
    late = [step for step in steps if step[0] in tail]
    tried = (steps, late) if len(late) >= TRACK.alone else (steps,)
    return any(clean_share(track, chosen, changes, lumas) >= TRACK.clean for chosen in tried)


def _alone(track: Track, blurred: Set[int], changes: Changes, lumas: Mapping[int, U8]) -> set[int]:
    """Return the `blurred` pictures in which a track comes to its place while nothing else changes."""
    return {
        step[0] for step in track.steps() if step[0] in blurred and clean_share(track, [step], changes, lumas) > 0
    }


def _is_arrow(track: Track, lumas: Mapping[int, U8], times_ms: F64, action_ms: float) -> bool:
    """Return whether what moves looks like an arrow around the action: it may drag something all the way."""
    for picture in _near_action(lumas, times_ms, action_ms):
        place, arrow = track.places.get(picture), find_arrow(lumas[picture], picture)
        if place is not None and arrow is not None and arrow.taken is not None:
            return max(abs(one - other) for one, other in zip(place, arrow.taken[1], strict=True)) <= TRACK.off_px
    return False


def _near_action(lumas: Mapping[int, U8], times_ms: F64, action_ms: float) -> list[int]:
    """Return the pictures around the action in which an arrow is looked for, the nearest first."""
    return sorted(lumas, key=lambda picture: abs(times_ms[picture] - action_ms))[: TRACK.looked_at]


def _looked_at(recording: Recording, changes: Changes, action_ms: float) -> Mapping[int, U8]:
    """Return the luma of pictures with changes and of those before them."""
    assert recording.pixels is not None
    changed = np.flatnonzero(changes.count)
    wanted = np.unique(np.concatenate([changed, np.maximum(changed - 1, 0)]))
    return recording.pixels(recording, wanted.tolist(), int(np.searchsorted(recording.picture_ms, action_ms)))


def _of_a_hand(track: Track, changes: Changes, times_ms: F64, options: MeasureOptions, slot_ms: float) -> bool:
    """Return whether a hand moved it: before the action, on a bent way, or when all else has come to rest.

    Where something is dragged, only what it does before the action tells, or long after the screen has answered, or
    on a bent way after that.
    """
    steps = track.steps()
    if _turns([steps[0][1], *(at for _, _, at in steps)] if steps else []):
        return False
    earlier = [step for step in steps if times_ms[step[0]] < options.action_ms]
    there = any(times_ms[picture] < options.action_ms for picture in track.places)
    if options.interaction_type in MOVING:
        answered_ms = _answered_ms(track, changes, times_ms, options.action_ms)
        late = (it for it in movements(track, times_ms) if times_ms[it[0][0]] - answered_ms >= POINTER.later_ms)
        steps = [*earlier, *chain.from_iterable(late)]
        goes_away = _goes_away(track, times_ms, options.action_ms, answered_ms)
        if there and (goes_away or _dragged_something(track, changes, times_ms, options.action_ms, answered_ms)):
            return True  # what is pulled into the screen, as a spinner, comes with the pull
    elif options.interaction_type == "draw":
        steps = earlier
    places = [steps[0][1], *(at for _, _, at in steps)] if steps else []
    if len(set(places)) < TRACK.fewest or 1 - len(set(places)) / len(places) > TRACK.again:
        return False
    spread = np.ptp(np.array(places), axis=0)
    if spread.max() < TRACK.far_px:
        return False
    if earlier:
        return bool(spread.min() >= SPRITE.aside_px)
    if leads_away(np.array(places, float)) and (
        (there and _is_bent(places)) or _is_late(track, steps, changes, times_ms, options, slot_ms)
    ):
        return True
    apart = [movement for movement in movements(track, times_ms) if movement[0] in steps]
    return any(
        goes_straight_away(np.array([movement[0][1], *(at for _, _, at in movement)], float))
        and _is_late(track, movement, changes, times_ms, options, slot_ms)
        for movement in apart
    )


def _goes_away(track: Track, times_ms: F64, action_ms: float, answered_ms: float) -> bool:
    """Return whether what rested since it was dragged goes on alone on a bent way, when the screen has answered."""
    _, *others = [it for it in movements(track, times_ms) if times_ms[it[0][0]] >= action_ms] or [[]]
    late = [step for step in chain.from_iterable(others) if times_ms[step[0]] > answered_ms]
    return len(late) >= TRACK.alone and _is_bent([late[0][1], *(at for _, _, at in late)])


def _dragged_something(track: Track, changes: Changes, times_ms: F64, action_ms: float, answered_ms: float) -> bool:
    """Return whether what went along as far more moved goes on alone on a bent way, long after that has rested."""
    steps = [step for step in track.steps() if times_ms[step[0]] >= action_ms]
    along = [step for step in steps if times_ms[step[0]] <= answered_ms]
    if sum(changes.blocks(picture).mean() > TRACK.drags for picture, _, _ in along) < TRACK.alone:
        return False
    alone = [step for step in steps if times_ms[step[0]] >= answered_ms + POINTER.later_ms]
    return len(alone) >= 2 * TRACK.alone and _is_bent([alone[0][1], *(at for _, _, at in alone)])


def _answered_ms(track: Track, changes: Changes, times_ms: F64, action_ms: float) -> float:
    """Return when something larger than a cursor, or something else, changed last since the action, ms.

    Infinite if nothing did: then a finger may still be down. It may change where it stays, or is not found again.
    """
    steps, last_ms = {step[0]: step for step in track.steps()}, np.inf
    places: tuple[Place, ...] = ()
    for picture in changes.changed_pictures():
        if picture in track.places:
            places = (track.places[picture],)
        if times_ms[picture] < action_ms:
            continue
        blocks = changes.blocks(picture)
        own = _around(track, steps[picture][1:] if picture in steps else places, changes.shape)
        if picture in steps:
            own |= small_parts(blocks)
        if (blocks & ~own).any():
            last_ms = float(times_ms[picture])
    return last_ms


def _around(track: Track, places: Sequence[Place], shape: tuple[int, int]) -> Bools:
    """Return (rows, columns): what is covered at some places, by the disc as well that it may wear."""
    own = np.zeros(shape, dtype=bool)
    for place in places:
        own |= blocks_of(spot_of(track.sprite, place), shape)
    return grow(own, TRACK.halo_blocks)


def _turns(places: Sequence[Place]) -> bool:
    """Return whether all places lie on a small ring, round which the way goes more than once: no hand's does."""
    if len(places) <= TRACK.fewest:
        return False
    corners = np.array(places, float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    if not TRACK.far_px <= (high - low).min() <= (high - low).max() <= TRACK.ring_px:
        return False
    away = np.hypot(*(corners - (low + high) / 2).T)
    way = np.hypot(*np.diff(corners, axis=0).T).sum()
    return bool(away.min() >= TRACK.hollow * away.max() and way >= TRACK.rounds * 2 * np.pi * away.max())


def _is_clean(track: Track, changes: Changes, lumas: Mapping[int, U8], times_ms: F64, action_ms: float) -> bool:
    """Return whether it moves alone: nothing else changes around it, or not until it drags something.

    Before the user acts nothing goes along with a cursor.
    """
    steps = track.steps()
    earlier = [step for step in steps if times_ms[step[0]] < action_ms]
    tried = (steps, earlier) if len(earlier) >= TRACK.fewest else (steps,)
    return any(clean_share(track, chosen, changes, lumas) >= TRACK.clean for chosen in tried)


def _goes_along(track: Track, known: Track) -> bool:
    """Return whether a track moves when a known one does: another sight of the same cursor."""
    moved, same = ({picture for picture, _, _ in one.steps()} for one in (track, known))
    return 2 * len(moved & same) > len(moved)


def _is_bent(places: Sequence[Place]) -> bool:
    """Return whether a way lies off the straight line between its ends, as no animation's does."""
    away = np.array(places, float) - places[0]
    length = float(np.hypot(*away[-1]))
    if length < TRACK.far_px:
        return False
    off = float(np.abs(away @ [-away[-1][1], away[-1][0]]).max()) / length
    return off >= max(TRACK.bent_px, TRACK.bent_share * length)


def _is_late(
    track: Track,
    steps: Sequence[Step],
    changes: Changes,
    times_ms: F64,
    options: MeasureOptions,
    slot_ms: float,
) -> bool:
    """Return whether all else had come to rest before it set out: what a tap sets off begins with it.

    What goes along one axis may be an app's: the next picture of a slow screen, `slot_ms` later, is no rest.
    """
    first = steps[0][0]
    moved = {picture for picture, _, _ in track.steps()}
    others = [
        float(times_ms[picture])
        for picture in changes.changed_pictures()
        if picture < first and picture not in moved and times_ms[picture] >= options.action_ms
    ]
    ways = np.abs(np.subtract([at for _, _, at in steps], steps[0][1]))
    way = ways[np.hypot(*ways.T).argmax()]
    far = way.min() >= SPRITE.aside_px or np.hypot(*way) >= POINTER.far_blocks * BLOCK_PX
    rest_ms = float(times_ms[first]) - others[-1] if others else 0.0
    fewest, least_ms = POINTER.late_pictures, max(POINTER.late_ms, TRACK.slots * slot_ms)
    if way.min() >= SPRITE.aside_px:
        fewest, least_ms = TRACK.later if rest_ms >= POINTER.later_ms else TRACK.late, POINTER.late_ms
    return rest_ms >= least_ms and bool(far) and len(steps) >= fewest


def _adds_colour(recording: Recording, track: Track, changes: Changes, lumas: Mapping[int, U8]) -> bool:
    """Return whether what is drawn is more colourful than what it covers: no cursor is.

    That is seen where it has come clear of where it was, in one step or in several. Steps in which something else
    changes do not tell: it may be lost among that.
    """
    if recording.store.planes < 3:
        return False
    more: list[float] = []
    since: tuple[int, Place] | None = None  # a picture before it came clear, and where it was then
    for picture, was, at in track.steps():
        if not clean_share(track, [(picture, was, at)], changes, lumas):
            since = None
            continue
        if since is None or _is_clear(track, was, at):
            since = picture - 1, was
        if _is_clear(track, since[1], at):
            where = blocks_of(spot_of(track.sprite, at), recording.grid.shape)
            (before, *_, now) = states(recording, where, since[0], picture)
            colour = [np.hypot(one[1] - NEUTRAL, one[2] - NEUTRAL) for one in (before, now)]
            more.append(float((colour[1] - colour[0]).max()))
            since = picture, at
    return bool(more) and float(np.median(more)) > POINTER.colour * 64


def _is_clear(track: Track, was: Place, at: Place) -> bool:
    """Return whether a sprite that went from one place to another does not lie over where it was."""
    return bool(max(abs(a - b) for a, b in zip(was, at, strict=True)) >= max(track.sprite.mask.shape))
