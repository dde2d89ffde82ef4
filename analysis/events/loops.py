"""What is shown over and over up to the end of a recording: loaders, skeletons that shimmer, looped pictures.

What pauses between two rounds, or sweeps over a wide area, need not be in motion just where and when the recording
ends. It is known by its period: each block shows again what it had shown one round earlier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, I64, Bools
from analysis.detection.changes import Changes
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class LoopLimits:
    """When blocks show again what they had shown a period before, all along."""

    slot_ms: float = 1000 / 60
    period_ms: tuple[float, float] = (250.0, 2500.0)  # what is quicker is in motion at the end anyway
    again_ms: float = 400.0  # must be seen twice, up to the end, and a whole period: drags end alike by chance
    whole_ms: float = 1000.0  # with the round before it: what has moved for less may have stopped as the file ends
    levels: float = 6.0  # that a block moves meanwhile: it is seen to go round
    off: float = 0.3  # of what it varies by around its median it may differ from a round ago, both in the mean
    blocks: int = 6  # that go round together
    better: float = 1.05  # times as many blocks must follow a longer period: two rounds are a period as well
    sample: int = 128  # blocks that are asked for the period first
    roughly: float = 2.0  # times as far off they may be then, at every other slot
    likely: int = 5  # of the periods that fit these are tried with all blocks


LOOP = LoopLimits()


def looping_at_end(recording: Recording, changes: Changes, ignored: Bools, since_ms: float) -> Bools:
    """Return (rows, columns): what has gone round since `since_ms` and still does at the end, but for `ignored`.

    The last part of the recording shows, block by block, what was shown one period earlier. What changed once in
    the meantime does not, nor what has stopped.
    """
    found = np.zeros(changes.shape, dtype=bool)
    shortest, longest = (round(ms / LOOP.slot_ms) for ms in LOOP.period_ms)
    times, end_ms = recording.picture_ms, float(recording.time_ms[-1])
    since_ms = max(since_ms, end_ms - (longest + _again(longest)) * LOOP.slot_ms)
    first = int(np.searchsorted(times, since_ms))
    changed = [picture for picture in changes.changed_pictures() if picture >= first]
    if not changed or end_ms - since_ms < (shortest + _again(shortest)) * LOOP.slot_ms:
        return found
    active: Bools = changes.ever(changed) & ~ignored
    where = np.flatnonzero(active)
    if len(where) < LOOP.blocks:
        return found
    some = _course(recording, where[:: -(-len(where) // LOOP.sample)], first, end_ms)
    lags = [lag for lag in range(shortest, longest + 1, 2) if lag + _again(lag) <= len(some)]
    rough = {lag: int(np.count_nonzero(_goes_round(some, lag, LOOP.roughly, every=2))) for lag in lags}
    likely = sorted(filter(rough.__getitem__, rough), key=rough.__getitem__)[-LOOP.likely :]
    if not likely:
        return found
    course, best = _course(recording, where, first, end_ms), np.zeros(len(where), dtype=bool)
    for lag in sorted({lag + beside for lag in likely for beside in (-1, 0, 1)}):
        if lag + _again(lag) <= len(course):
            loops = _goes_round(course, lag)
            if np.count_nonzero(loops) > max(LOOP.better * np.count_nonzero(best), LOOP.blocks - 1):
                best = loops
    found.ravel()[where[best]] = True
    return found


def _again(lag: int) -> int:
    """Return how many slots of a period must be seen twice."""
    least, whole = (round(ms / LOOP.slot_ms) for ms in (LOOP.again_ms, LOOP.whole_ms))
    return max(lag, least, whole - lag)


def _course(recording: Recording, where: I64, first: int, end_ms: float) -> F32:
    """Return (slots, blocks): the luma of some blocks in every slot from picture `first` to the end, levels."""
    times = recording.picture_ms[first:]
    slots = np.arange(times[0], end_ms + LOOP.slot_ms / 2, LOOP.slot_ms)
    shown = [means[0].take(where) for means, _ in recording.store.span(first, first + len(times) - 1)]
    at = np.maximum(np.searchsorted(times, slots + LOOP.slot_ms / 2) - 1, 0)
    course: F32 = (np.array(shown)[at] / np.float32(64)).astype(np.float32)
    return course


def _goes_round(course: F32, lag: int, roughly: float = 1.0, every: int = 1) -> Bools:
    """Return (blocks,): which of them show at the end what they had shown `lag` slots before, `every` so many."""
    seen, most = _again(lag), roughly * LOOP.off
    now, then = course[-seen::every], course[-seen - lag : -lag : every]
    far, off = np.ptp(now, axis=0), np.abs(now - then).mean(axis=0)
    goes_round: Bools = (far >= LOOP.levels) & (off <= most * far / 2)  # nothing varies by more than half its range
    now = now[:, goes_round]
    goes_round[goes_round] = off[goes_round] <= most * np.abs(now - np.median(now, axis=0)).mean(axis=0)
    return goes_round
