"""Moves of a known cursor that nothing showed to be its own: it sets out from where it was not seen to come.

So it does where a touch dot that lets the screen through comes over another ground, or where all of the screen had
changed under it meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.paths import POINTER, Path, Spot, blocks_of, box_of, is_within
from analysis.video.areas import across, connected, grow


@dataclass(frozen=True, slots=True)
class UnseenLimits:
    """When a small change is a step of a cursor that was not seen to go on."""

    beside_blocks: int = 1  # what lies so near to a place touches it
    aside_blocks: int = 2  # off the way between two places: a hand draws arcs
    spots: int = 3  # times as many blocks as its place: where it was, where it is, and what lies between
    places: int = 2  # where it was, and where it is
    next_slots: float = 1.5  # of the screen: the picture after, or before
    many: int = 6  # steps of a movement that tell without a known one beside them: fewer may be other things
    around_blocks: int = 5  # a disc that goes along, and what a codec carries on
    off_blocks: float = 6.0  # from the middle of a place to that of a step that leads away from it


UNSEEN = UnseenLimits()


def unseen_moves(
    own: Mapping[int, Bools], paths: Sequence[Path], times_ms: F64, rest_ms: float, told: Collection[int]
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


def moves_between(
    steps: Mapping[int, Bools], since: Mapping[int, Bools], times_ms: F64, rest_ms: float
) -> dict[int, Bools]:
    """Return the steps (rows, columns) by picture that lead from one known step of a cursor to the next one.

    A disc that lets the screen through is not seen as it was over another ground. Each of these pictures changes
    one small thing or two, which touch what the picture before or the one after changed, without a rest of
    `rest_ms`. They lead away from the first one: else something may have answered where the cursor rests between
    them. `since` is what changes since something larger has answered: before, a cursor may drag something.
    """
    found: dict[int, Bools] = {}
    led: list[int] = []  # a known step, and those after it that may lead to the next one
    away = False
    for picture, blocks in since.items():
        known = _is_known(steps, picture, blocks)
        goes_on = bool(led) and times_ms[picture] - times_ms[led[-1]] <= rest_ms and _touch(since[led[-1]], blocks)
        if known and goes_on and away:
            way = [since[one] for one in (*led, picture)]
            if all(_leads_on(*three) for three in zip(way, way[1:], way[2:], strict=False)):
                found |= {between: since[between] for between in led[1:]}
        if known:
            led, away = [picture], False
        elif goes_on:
            led.append(picture)
            away = away or not _touch(since[led[0]], blocks)
        else:
            led = []
    return found


def goes_out(
    steps: Mapping[int, Bools], since: Mapping[int, Bools], times_ms: F64, rest_ms: float
) -> dict[int, Bools]:
    """Return the steps (rows, columns) by picture by which a known cursor goes out over an edge of the screen.

    Too little of it is seen there to be known. They follow two known steps without a rest of `rest_ms`, each
    touches what the one before changed and leads nearer to the edge, which the last one touches. `since` is what
    changes since something larger has answered.
    """
    pictures = list(since)
    known = [_is_known(steps, picture, since[picture]) for picture in pictures]
    last = len(known) - 1 - known[::-1].index(True) if any(known) else 0
    if not last or not known[last - 1]:
        return {}
    way = pictures[last - 1 :]
    for at, (one, other) in enumerate(pairwise(way), 1):
        if times_ms[other] - times_ms[one] > rest_ms or not _touch(since[one], since[other]):
            way = way[:at]
            break
    gone = {picture: since[picture] for picture in way[2:]}
    return gone if gone and any(_reaches(turned, since, way) for turned in range(4)) else {}


def sets_out(
    steps: Mapping[int, Bools], since: Mapping[int, Bools], times_ms: F64, rest_ms: float
) -> dict[int, Bools]:
    """Return the steps (rows, columns) by picture of movements that no path tells of a known, wide cursor.

    Each step touches what the one before changed, without a rest of `rest_ms`, and the movement goes on from a
    known step, or on to one; or it leads away from where the cursor was seen last, or from elsewhere to where it is
    seen next. A small one may lie on a button, which does so as well. `since` is what changes since something
    larger has answered.
    """
    found: dict[int, Bools] = {}
    known = [picture for picture, blocks in since.items() if _is_known(steps, picture, blocks)]
    for way in ways_in(sorted(since.keys() - known), since, times_ms, rest_ms):
        before = max((picture for picture in known if picture < way[0]), default=None)
        after = min((picture for picture in known if picture > way[-1]), default=None)
        ends = [(before, way[0], way[-1]), (after, way[-1], way[0])]
        for there, near, far in ends:
            if there is None or not _touch(since[there], since[near]):
                continue
            goes_on = abs(times_ms[near] - times_ms[there]) <= rest_ms
            if goes_on or _is_off(since[far], since[there]):
                found |= {picture: since[picture] for picture in way}
    return found


def follows_on(
    steps: Mapping[int, Bools],
    since: Mapping[int, Bools],
    times_ms: F64,
    rest_ms: float,
    answered_ms: float,
    slot_ms: float,
    end_ms: float,
) -> dict[int, Bools]:
    """Return the steps (rows, columns) by picture of a known cursor that an encoder blurred, or hid in its trail.

    Each touches what the one before changed, without a rest of `rest_ms`. The movement leads on to a known step, or
    from one, in the next picture of a screen that shows one each `slot_ms`; or it is long, and leads away from
    where the cursor was seen last, or from elsewhere to where it is seen next; or the film is cut in it, at
    `end_ms`, when it has begun where the cursor was seen last, by steps no larger than known ones. All else had
    rested for `rest_ms`: `since` is what changes since something has answered, at `answered_ms` at last.
    """
    found: dict[int, Bools] = {}
    known = {picture for picture, blocks in since.items() if _is_known(steps, picture, blocks)}
    own = [at for at in since if at not in known and (at not in steps or _is_around(since[at], steps[at]))]
    changed_ms = [answered_ms, *(float(times_ms[picture]) for picture in since)]
    calm_ms = next((later for sooner, later in pairwise(changed_ms) if later - sooner > rest_ms), math.inf)
    ways = list(ways_in(own, since, times_ms, rest_ms))
    earlier = {way[0]: sooner[-1] for sooner, way in pairwise(ways)}

    def leads_to_known(way: Sequence[int]) -> bool:
        return _leads_to_known(way, known, steps, since, times_ms, slot_ms)

    def is_next(way: Sequence[int]) -> bool:
        sooner = earlier.get(way[0])
        rested = sooner is None or sooner in known or times_ms[way[0]] - times_ms[sooner] > rest_ms
        return rested and (leads_to_known(way) or (way[-1] == cut and _sets_out_at_last(way, known, steps, since)))

    last = len(times_ms) - 1
    cut = last if end_ms - times_ms[last] <= UNSEEN.next_slots * slot_ms else None
    ways = [way for way in ways if times_ms[way[0]] >= calm_ms]
    while more := list(filter(is_next, ways)):
        ways = [way for way in ways if way not in more]
        known.update(*more)
        found |= {picture: since[picture] for way in more for picture in way}
    return found


def _leads_to_known(
    way: Sequence[int],
    known: Collection[int],
    steps: Mapping[int, Bools],
    since: Mapping[int, Bools],
    times_ms: F64,
    slot_ms: float,
) -> bool:
    """Return whether a movement leads to the next known step of a cursor, or from the last one.

    One step of which a part is known must do both: as a cursor sets out, a button beside it may go pale.
    """
    before = max((picture for picture in known if picture < way[0]), default=None)
    after = min((picture for picture in known if picture > way[-1]), default=None)
    leads = 0
    for there, near, far in ((before, way[0], way[-1]), (after, way[-1], way[0])):
        if there is None or not _touch(since[there], since[near]):
            continue
        at_once = abs(times_ms[near] - times_ms[there]) <= UNSEEN.next_slots * slot_ms
        leads += bool(at_once or (len(way) >= UNSEEN.many and _is_off(since[far], since[there])))
    return leads > (len(way) == 1 and way[0] in steps)


def _sets_out_at_last(
    way: Sequence[int], known: Collection[int], steps: Mapping[int, Bools], since: Mapping[int, Bools]
) -> bool:
    """Return whether a movement begins where a cursor was seen last: two steps, none larger than known ones.

    Many steps lead on: else something else moves there.
    """
    before = [picture for picture in known if picture < way[0]]
    if len(way) < UNSEEN.places or not before or not _touch(since[max(before)], since[way[0]]):
        return False
    if len(way) >= UNSEEN.many and not _is_off(since[way[-1]], since[way[0]], UNSEEN.aside_blocks):
        return False
    largest = max(across(steps[picture]) for picture in before if picture in steps)
    return all(across(since[picture]) <= largest + UNSEEN.beside_blocks for picture in way)


def _is_around(blocks: Bools, own: Bools) -> bool:
    """Return whether all that changes lies around a cursor's own place, as a disc does that goes along."""
    return not (blocks & ~grow(own, UNSEEN.around_blocks)).any()


def moves_at_once(
    steps: Mapping[int, Bools], since: Mapping[int, Bools], times_ms: F64, slot_ms: float
) -> dict[int, Bools]:
    """Return the steps (rows, columns) by picture between two known ones of a cursor that did not rest meanwhile.

    On a screen that shows a picture each `slot_ms` they follow the one known step and each other at once, and the
    other follows them; so the cursor clicked nothing there. An encoder blurs it: of each of these a part is known,
    and all of it lies around the two known steps. `since` is what changes since something has answered.
    """
    found: dict[int, Bools] = {}
    pictures = list(since)
    known = [at for at, picture in enumerate(pictures) if _is_known(steps, picture, since[picture])]
    for first, last in pairwise(known):
        between = pictures[first + 1 : last]
        if between and np.diff(times_ms[pictures[first : last + 1]]).max() <= UNSEEN.next_slots * slot_ms:
            near = since[pictures[first]] | since[pictures[last]]
            if all(picture in steps and _is_around(since[picture], near) for picture in between):
                found |= {picture: since[picture] for picture in between}
    return found


def joins(
    steps: Mapping[int, Bools], since: Mapping[int, Bools], times_ms: F64, rest_ms: float
) -> dict[int, Bools]:
    """Return the steps (rows, columns) by picture that lead from one known step of a cursor to the next, elsewhere.

    Each touches what the one before changed, without a rest of `rest_ms`. The cursor wears a disc, of which an
    encoder may blur some steps; `since` is what changes since something larger has answered.
    """
    found: dict[int, Bools] = {}
    for way in ways_in(sorted(since), since, times_ms, rest_ms):
        known = [picture for picture in way if _is_known(steps, picture, since[picture])]
        for before, after in pairwise(known):
            if _is_off(since[after], since[before]):
                found |= {picture: since[picture] for picture in way if before < picture < after}
    return found


def ways_in(
    pictures: Sequence[int], since: Mapping[int, Bools], times_ms: F64, rest_ms: float
) -> Iterator[list[int]]:
    """Yield series of pictures, each of which touches what the one before changed, without a rest."""
    way: list[int] = []
    for picture in pictures:
        if way and (times_ms[picture] - times_ms[way[-1]] > rest_ms or not _touch(since[way[-1]], since[picture])):
            yield way
            way = []
        way.append(picture)
    if way:
        yield way


def _reaches(turned: int, since: Mapping[int, Bools], way: Sequence[int]) -> bool:
    """Return whether each step of a way leads nearer to an edge of the screen, which the last one touches.

    That edge comes to lie at the top when the screen is `turned` by so many quarters.
    """
    seen = [np.rot90(since[picture], turned) for picture in way]
    lowest = [int(np.flatnonzero(blocks.any(axis=1))[-1]) for blocks in seen]
    return bool(seen[-1][0].any()) and all(later < sooner for sooner, later in pairwise(lowest))


def since_answered(
    changes: Changes, elsewhere: Bools, times_ms: F64, action_ms: float, wide: int = POINTER.widest_blocks
) -> dict[int, Bools]:
    """Return what changes, (rows, columns) by picture, since more than a cursor's step last did after the action.

    Nothing, if no more than that does. `elsewhere` (rows, columns) goes on by itself, and is left out; the cursor
    is `wide` blocks on each side at most.
    """
    since: dict[int, Bools] = {}
    answered = False
    for picture in changes.changed_pictures():
        blocks = changes.blocks(picture) & ~elsewhere
        if times_ms[picture] < action_ms or not blocks.any():
            continue
        if not _is_step(blocks, POINTER.across(wide)):
            answered, since = True, {}
        elif answered:
            since[picture] = blocks
    return since


def since_rested(
    changes: Changes,
    elsewhere: Bools,
    times_ms: F64,
    action_ms: float,
    wide: int,
    steps: Mapping[int, Bools],
    rest_ms: float,
) -> dict[int, Bools]:
    """Return what changes, (rows, columns) by picture, since all had rested after something as small answered.

    Nothing, if more than a cursor's step changes at any time after the action.
    """
    since: dict[int, Bools] = {}
    last_ms = math.inf
    for picture in changes.changed_pictures():
        blocks = changes.blocks(picture) & ~elsewhere
        if times_ms[picture] < action_ms or not blocks.any():
            continue
        if not _is_step(blocks, POINTER.across(wide)):
            return {}
        if since or times_ms[picture] - last_ms > rest_ms:
            since[picture] = blocks
        elif last_ms < math.inf or not _is_known(steps, picture, blocks):
            last_ms = float(times_ms[picture])
    return since


def _is_step(blocks: Bools, most: int) -> bool:
    """Return whether what changes is in two places at most, where a cursor was and where it is.

    Each is so many blocks across at most.
    """
    parts = list(connected(grow(blocks, UNSEEN.beside_blocks)))
    return len(parts) <= UNSEEN.places and all(across(part & blocks) <= most for part in parts)


def _is_known(steps: Mapping[int, Bools], picture: int, blocks: Bools) -> bool:
    """Return whether all that a picture changes is known for a step of the cursor."""
    return picture in steps and not (blocks & ~steps[picture]).any()


def _leads_on(before: Bools, blocks: Bools, after: Bools) -> bool:
    """Return whether all that a step changes touches what the one before changed, or the one after does."""
    near = grow(before | after, UNSEEN.beside_blocks)
    return all((part & near).any() for part in connected(grow(blocks, UNSEEN.beside_blocks)))


def _touch(one: Bools, other: Bools) -> bool:
    return bool((grow(one, UNSEEN.beside_blocks) & other).any())


def _is_off(blocks: Bools, place: Bools, least: float = UNSEEN.off_blocks) -> bool:
    """Return whether a step lies off a place, and not around it: what is pressed there changes around it."""
    middles = [np.argwhere(where).mean(axis=0) for where in (blocks, place)]
    return float(np.hypot(*(middles[0] - middles[1]))) >= least


def _back_to(
    place: Spot, own: Mapping[int, Bools], pictures: Sequence[int], times_ms: F64, rest_ms: float
) -> list[int]:
    """Return those of the pictures but the last that lead from a place to what the last one changes, if any do."""
    *between, first = pictures
    there = blocks_of(place, own[first].shape)
    if (own[first] & there).any():
        return []  # it sets out from there
    way = box_of(*np.nonzero(own[first] | there))
    most = UNSEEN.spots * max(int(np.count_nonzero(there)), POINTER.widest_blocks)
    led, later = [], first
    for picture in reversed(between):
        blocks = own[picture]
        if times_ms[later] - times_ms[picture] > rest_ms or np.count_nonzero(blocks) > most:
            return []
        touches = (grow(blocks, UNSEEN.beside_blocks) & own[later]).any()
        if not touches or not is_within(box_of(*np.nonzero(blocks)), way, UNSEEN.aside_blocks):
            return []
        led.append(picture)
        if (grow(blocks, UNSEEN.beside_blocks) & there).any():
            return led
        later = picture
    return []
