"""Whether small things come and go on a recording so that looking for a mouse cursor pixel by pixel is worth it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.paths import POINTER
from analysis.events.cursor.sprites import SPRITE, small_parts
from analysis.events.pace import gaps_in_motion_ms
from analysis.video.areas import across, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class VisitLimits:
    """When a place was visited: it shows again what it showed before something small came."""

    rest_ms: float = 300.0  # of a block, before what it shows is taken for its own
    longest_ms: float = 2500.0  # as long as a cursor rests on its way
    levels: float = 3.0  # a block that differs by less shows the same
    share: float = 0.2  # likewise, of its last step
    visits: int = 2  # pictures in which something leaves one place and is at another
    slow_ms: float = 28.0  # between changes: a screen, or a recorder, at 30 Hz or less, on which a cursor leaps
    slowest_ms: float = 45.0  # at 22 Hz or less it may be seen at three places, and none of them twice
    earlier: int = 2  # pictures with something small before the action, at a higher rate
    moved: int = 3  # so many of them are a hand's: it may go so little that no place shows what it did before
    seen: int = 3  # pictures with something small then
    quick_share: float = 0.1  # of the pictures may come sooner: two that were late
    alone_ms: float = 250.0  # after anything else: so long a screen rests before something small goes alone
    alone: int = 2  # pictures one after the other, on a slow recorder's film: a caret that goes shows one
    wanders: int = 8  # pictures with one small thing alone, which gets
    stops_ms: float = 100.0  # before the film ends, if it gets less far: what spins goes on
    wide_blocks: int = 12  # so far across: a large spinner stays within


VISIT = VisitLimits()


def is_visited(
    recording: Recording, changes: Changes, elsewhere: Bools, action_ms: float, steady: Bools | None = None
) -> bool:
    """Return whether something small moved before the action, or leaves a place as it was and is at another, twice.

    A cursor does whenever it moves twice. Asked for are recordings in which it may have moved before the action,
    and those of screens, or recorders, that are so slow that it leaps. `elsewhere` (rows, columns) goes on by
    itself, `steady` of that blinks or keeps time, as no hand does.
    """
    times = recording.picture_ms
    gaps = gaps_in_motion_ms(recording, changes)
    slow = len(gaps) > 0 and float(np.quantile(gaps, VISIT.quick_share)) >= VISIT.slow_ms
    if len(gaps) and float(np.median(gaps)) >= VISIT.slowest_ms:
        some = (picture for picture in changes.changed_pictures() if small_parts(changes.blocks(picture)).any())
        return sum(1 for _ in islice(some, VISIT.seen)) == VISIT.seen
    left_out = elsewhere if steady is None or not _pauses(changes, times, elsewhere & ~steady) else steady
    earlier = (picture for picture in changes.changed_pictures() if times[picture] < action_ms)
    moved = (picture for picture in earlier if small_parts(changes.blocks(picture) & ~left_out).any())
    count = sum(1 for _ in islice(moved, VISIT.moved))
    if count == VISIT.moved or _wanders(changes, times, left_out, action_ms, float(recording.time_ms[-1])):
        return True
    if count < VISIT.earlier and not slow:
        return False
    if slow and _goes_alone(changes, times, left_out, action_ms):
        return True
    return _comes_and_goes(recording, changes, elsewhere)


def _goes_alone(changes: Changes, times_ms: F64, left_out: Bools, action_ms: float) -> bool:
    """Return whether small things alone change, one picture after the other, when the screen has answered."""
    rested_ms, alone = np.inf, 0
    for picture in changes.changed_pictures():
        now_ms = float(times_ms[picture])
        changed = changes.blocks(picture) & ~left_out
        if now_ms < action_ms or not changed.any():
            continue
        if now_ms < rested_ms or (small_parts(changed) != changed).any():
            rested_ms, alone = now_ms + VISIT.alone_ms, 0
            continue
        alone += 1
        if alone == VISIT.alone:
            return True
    return False


def _wanders(changes: Changes, times_ms: F64, left_out: Bools, action_ms: float, end_ms: float) -> bool:
    """Return whether one small thing alone changes, picture after picture, and gets further than a spinner does.

    Or it does so until nothing changes any more, and has left where it was: that may be a cursor which had dragged
    something before. A spinner goes on to the end.
    """
    alone, way = 0, np.zeros(changes.shape, dtype=bool)
    first = last = way
    stopped_ms = np.inf
    for picture in changes.changed_pictures():
        changed = changes.blocks(picture) & ~left_out
        if times_ms[picture] < action_ms or not changed.any():
            continue
        if across(changed) > SPRITE.widest_blocks:
            alone, way[:] = 0, False
            continue
        alone += 1
        way |= changed
        first, last = changed if alone == 1 else first, changed
        stopped_ms = float(times_ms[picture])
        if alone >= VISIT.wanders and across(way) > VISIT.wide_blocks:
            return True
    stops = end_ms - stopped_ms >= VISIT.stops_ms
    return alone >= VISIT.wanders and stops and not (grow(first, 1) & last).any()


def _pauses(changes: Changes, times_ms: F64, area: Bools) -> bool:
    """Return whether what goes on in an area rests meanwhile, as a hand does and a spinner does not."""
    when = times_ms[[picture for picture in changes.changed_pictures() if (changes.blocks(picture) & area).any()]]
    return bool(np.diff(when).max(initial=0.0) > POINTER.rest_ms)


def _comes_and_goes(recording: Recording, changes: Changes, elsewhere: Bools) -> bool:
    """Return whether something small leaves a place as it was, and is at another one, in two pictures at least."""
    shape, times = changes.shape, recording.picture_ms
    own, when = np.zeros(shape), np.full(shape, -np.inf)
    before, last, visits = np.zeros(shape), -2, 0
    since = np.full(shape, -np.inf)  # when a block's visit began
    for picture in changes.changed_pictures():
        now_ms = float(times[picture])
        if last != picture - 1:
            before = _light(recording, picture - 1, shape)
        now = _light(recording, picture, shape)
        changed = changes.blocks(picture) & ~elsewhere
        fresh = changed & (now_ms - when > VISIT.rest_ms)
        own[fresh], since[fresh] = before[fresh], now_ms
        small = small_parts(changed)
        step = np.abs(now - before)
        same = np.abs(now - own) <= np.maximum(VISIT.levels, VISIT.share * step)
        back = small & ~fresh & same & (now_ms - since <= VISIT.longest_ms)
        if back.any() and (small & ~same).any():
            visits += 1
            if visits == VISIT.visits:
                return True
        when[changed] = now_ms
        before, last = now, picture
    return False


def _light(recording: Recording, picture: int, shape: tuple[int, int]) -> F64:
    """Return (rows, columns): the mean luma of each block of a picture, levels; of the first, if there is none."""
    means, _ = recording.store.at(max(picture, 0))
    light: F64 = means[0].reshape(shape) / 64
    return light
