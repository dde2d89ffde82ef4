"""Changes that nobody can see: an encoder that gets round to them shifts whole areas by a level or two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np

from analysis.arrays import F64, I32, AnyArray, Bools
from analysis.events.event import EVENT, Event
from analysis.events.recurrence import state, states
from analysis.kernels.levels import LEVELS
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class FaintLimits:
    """When a whole event is too faint to be seen, and when a faint step goes on with a fade."""

    levels: float = 5.0  # 24 px of a block that change by 12 levels move its mean by 4.5
    left_levels: float = 3.0  # of a change may be left, in a step and in all, when it is over for every eye
    left_share: float = 0.99  # of its blocks: a cursor that just sets out over a page that fades is not the fade's
    rim_blocks: int = 1  # around a cursor's own blocks: what little of it lies there is not told apart
    pictures: int = 16  # what goes on for longer is a motion
    way_ms: float = 150.0  # so far back lies what a fade goes on with
    correction_share: float = 0.01  # of the blocks that the motion changed
    correction_levels: float = 12.0  # what is stronger is seen: an encoder corrects 2 to 8 levels after a motion
    tail_ms: float = 500.0  # after the motion: so long it may go on with what nobody sees
    strays: int = 5  # blocks at most that it corrects as a cursor goes on: what fades as that leaves is larger
    fading: int = 3  # blocks at least that go on together: two go the same way by chance
    strays_ms: float = 300.0  # after the motion: the cursor takes the bits
    shift: float = 0.5  # levels, of a block's mean: what is only drawn otherwise goes no way
    slow_ms: float = 1000.0  # so far back it is asked how far something small has drifted meanwhile
    looks: int = 6  # in that time: what fades slowly was elsewhere in one of them
    goes_on: float = 0.5  # of a fade's blocks do: in the few seen all, of an encoder's corrections next to none


FAINT = FaintLimits()
FAINTEST_SEEN = int(np.searchsorted(LEVELS, FAINT.levels, side="right")) - 1  # as a code: what is above is seen


def strongest_of(recording: Recording, blocks: Bools, picture: int) -> float:
    """Return by how many levels that block changes in a picture that changes most of some, (rows, columns)."""
    _, codes = recording.store.at(picture)
    return float(LEVELS[codes[blocks.ravel()]].max())


def is_left_over(recording: Recording, blocks: Bools, picture: int, last: int, times_ms: F64) -> bool:
    """Return whether nobody sees what blocks, (rows, columns), do from a picture on to the `last` of a change.

    The last steps of a fade move them by a few levels, all together, when it had been clear to see. A fade that
    is slow all along ends with its last step.
    """
    if not stays_unseen(recording, blocks, picture, last):
        return False
    since_ms, seen = times_ms[picture] - FAINT.tail_ms, False
    for earlier in range(picture - 1, 0, -1):
        if times_ms[earlier] < since_ms:
            return False
        levels = strongest_of(recording, blocks, earlier)
        if levels > FAINT.levels:
            return True
        if not seen and levels and _off(recording, blocks, earlier, last) > FAINT.left_levels:
            since_ms, seen = times_ms[earlier] - FAINT.way_ms, True
    return False


def stays_unseen(recording: Recording, blocks: Bools, picture: int, last: int) -> bool:
    """Return whether blocks, (rows, columns), move by next to nothing in a picture, and up to the `last` of all."""
    _, codes = recording.store.at(picture)
    if most_of(LEVELS[codes[blocks.ravel()]]) > FAINT.left_levels:
        return False
    return _off(recording, blocks, picture, last) <= FAINT.left_levels


def _off(recording: Recording, blocks: Bools, picture: int, last: int) -> float:
    """Return how far blocks, (rows, columns), are before a picture from what they are in the last, levels."""
    before, now = (state(recording, blocks, at) for at in (picture - 1, last))
    return float(most_of(np.abs(now - before).max(axis=0))) / 64


def most_of(values: AnyArray) -> AnyArray:
    """Return what nearly all blocks, (…, blocks), stay below: of a few it is the most that any shows."""
    at = ceil(FAINT.left_share * values.shape[-1] - 1)  # as np.quantile's "inverted_cdf", in less time
    return np.partition(values, at)[..., at]


def is_stray(recording: Recording, count: F64, left: Bools, picture: int, times_ms: F64, least: float) -> bool:
    """Return whether what a picture with a moving cursor changes besides is next to nothing of what moved before.

    Or it is a few blocks that nobody sees, however long ago that was. What is seen and goes on as it went is the
    end of a fade. `left` (rows, columns) are the blocks that the cursor does not account for, if any; `count` (m,)
    says how many blocks each picture changes, `least` which shift of a block is seen, levels.
    """
    blocks = np.count_nonzero(left)
    if not blocks:
        return True
    recent = (times_ms >= times_ms[picture] - FAINT.strays_ms) & (times_ms < times_ms[picture])
    levels = strongest_of(recording, left, picture)
    most = FAINT.strays
    if levels > FAINT.levels:
        most = min(most, FAINT.correction_share * count[recent].max(initial=0))
    few = bool(blocks <= most and levels < FAINT.correction_levels)
    if not few or blocks < FAINT.fading or levels <= FAINT.levels:
        return few
    return not _goes_on(recording, left, picture, times_ms, least)


def is_tail(recording: Recording, count: F64, blocks: Bools, picture: int, times_ms: F64, least: float) -> bool:
    """Return whether a picture's changes are next to nothing of a motion before, too faint to be seen, and astray.

    So an encoder that has few bits, or other motion to code, refines what it left coarse. `blocks` (rows, columns)
    are those that do not go on by themselves, `count` (m,) says how many blocks each picture changes, `least` which
    shift of a block is seen, levels.
    """
    recent = (times_ms >= times_ms[picture] - FAINT.tail_ms) & (times_ms < times_ms[picture])
    if np.count_nonzero(blocks) >= FAINT.correction_share * count[recent].max(initial=0):
        return False
    seen = strongest_of(recording, blocks, picture) > FAINT.levels
    return not seen and not _goes_on(recording, blocks, picture, times_ms, least)


def goes_astray(recording: Recording, blocks: Bools, picture: int, times_ms: F64, least: float) -> bool:
    """Return whether blocks, (rows, columns), that all move by less than `least` levels do not go on as before.

    Such a step is found only because a whole neighbourhood moves the same way. A fade ends so, on its way; an
    encoder puts an area right by a level once what moved there rests, one way or the other.
    """
    faint = strongest_of(recording, blocks, picture) < least
    return faint and not _goes_on(recording, blocks, picture, times_ms, least)


def _goes_on(recording: Recording, blocks: Bools, picture: int, times_ms: F64, least: float) -> bool:
    """Return whether half of the blocks of a step go the way that they went before."""
    first = max(int(np.searchsorted(times_ms, times_ms[picture] - FAINT.way_ms)) - 1, 0)
    *earlier, step = np.diff(states(recording, blocks, first, picture), axis=0)
    way = _way(np.array(earlier, np.int32).reshape(-1, *step.shape), 64 * least)
    goes_on = (_by_shifts(step) * _by_shifts(way)).sum(axis=0) > 0
    return bool(goes_on.mean() >= FAINT.goes_on)


def _by_shifts(way: I32) -> I32:
    """Return a way, (planes, blocks), but for what is no shift."""
    return np.where(np.abs(way) >= 64 * FAINT.shift, way, 0)


def _way(shifts: I32, least: float) -> I32:
    """Return (planes, blocks): the last of some shifts, (n, planes, blocks), that is seen, else their sum."""
    way: I32 = shifts.sum(axis=0, dtype=np.int32)
    for shift in shifts:
        way = np.where(np.abs(shift).max(axis=0) >= least, shift, way)
    return way


def is_unseen(
    event: Event, others: Iterable[Event], recording: Recording, times_ms: F64, cursor: Mapping[int, Bools]
) -> bool:
    """Return whether an event is too faint to be seen, and begins when all that can be seen of others rests.

    The last steps of a motion are faint as well, and follow at once; but not those of a `cursor`, of which it is
    told what is its own, (rows, columns), in which picture.
    """
    if not _shifts_little(event, recording):
        return False
    first = int(np.searchsorted(times_ms, event.start_ms - EVENT.apart_ms))
    beside = list(others)
    for picture, (_, codes) in enumerate(recording.store.span(first, event.first - 1), first):
        seen = codes.reshape(event.shape) > FAINTEST_SEEN
        if picture in cursor:
            seen &= ~grow(cursor[picture], FAINT.rim_blocks)
        for other in beside if seen.any() else ():
            at = int(np.searchsorted(other.pictures, picture))
            changes = at < len(other.pictures) and other.pictures[at] == picture
            if changes and (seen[other.box] & other.part).any():
                return False
    return not _has_faded(event, recording)


def is_faint(event: Event, recording: Recording) -> bool:
    """Return whether an event is too faint to be seen, nor has faded so slowly that no picture shows it."""
    return _shifts_little(event, recording) and not _has_faded(event, recording)


def _shifts_little(event: Event, recording: Recording) -> bool:
    """Return whether a whole event changes no block visibly, neither in one picture nor from before it to any."""
    if not event.first or len(event.pictures) > FAINT.pictures or _strongest_code(event, recording) > FAINTEST_SEEN:
        return False
    before, *after = states(recording, event.place, event.first - 1, event.last)
    return all(np.abs(now - before).max() <= 64 * FAINT.levels for now in after)


def _strongest_code(event: Event, recording: Recording) -> int:
    """Return the strongest change of any of an event's blocks in any of its pictures, coded."""
    spans = recording.store.span(event.first, event.last)
    return max(int(codes.reshape(event.shape)[event.box][event.part].max()) for _, codes in spans)


def _has_faded(event: Event, recording: Recording) -> bool:
    """Return whether a few blocks of a faint event have come far since anything was last seen at its place.

    What fades so slowly that no picture shows it is noticed late, once it has come far, so all its way counts. An
    encoder may correct more at once.
    """
    places = np.flatnonzero(event.place)
    if len(places) < FAINT.fading or LEVELS[_strongest_code(event, recording)] > FAINT.left_levels:
        return False
    picture = event.first - 1
    begin = int(np.searchsorted(recording.picture_ms, recording.picture_ms[picture] - FAINT.slow_ms, side="right"))
    now = state(recording, event.place, event.last)

    def is_far(then: int) -> bool:
        way = np.abs(now - state(recording, event.place, then)).max(axis=0)
        return bool(np.count_nonzero(way > 64 * FAINT.levels) >= FAINT.fading)

    if not any(map(is_far, np.linspace(begin - 1, picture, FAINT.looks, dtype=int).clip(0).tolist())):
        return False  # which is quick to see, and nearly always so
    while picture >= begin:
        _, codes = recording.store.at(picture)
        if recording.key_frame[picture] or codes.take(places).max() > FAINTEST_SEEN:
            break
        picture -= 1
    return is_far(max(picture, 0))
