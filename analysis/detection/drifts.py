"""Finding: until when something small drifts that is noticed late, once it has come far.

A scrollbar that fades by a level a picture is a change where it has come far enough from the last kept picture
(analysis/kernels/deciding.py); what it still has to go is less than that, and may be half of its way. It is over
when nobody sees what is left of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F32, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.kernels.levels import LEVELS
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class DriftLimits:
    """When a change is a picture of a slow drift, and when that is over."""

    step: float = 2.0  # levels: what moves by more in a picture is seen in it
    far: float = 5.0  # levels, that it has come in `slow_ms`: 24 px of a block that change by 12 move it by 4.5
    left: float = 3.0  # levels: of what is left of it nobody sees more
    moves: float = 0.5  # levels, in `rest_ms`: less is rest
    slow_ms: float = 1000.0
    rest_ms: float = 150.0
    fewest: int = 8  # blocks: 64 px at a width of 540; dither drifts in fewer
    small: float = 0.02  # of the screen: a larger thing shows each step, as whole neighbourhoods go the same way


DRIFT = DriftLimits()


def reveal_drifts(recording: Recording, changes: Changes, action_ms: float) -> Changes:
    """Return the changes with the rest of slow drifts added, in pictures after the action without any other."""
    times, most = recording.picture_ms, DRIFT.small * changes.shape[0] * changes.shape[1]
    anew = since_anew_ms(recording) <= CHANGE.key_frame_ms
    packed, count, drifts = list(changes.packed), changes.count.copy(), set[int]()
    for picture in changes.changed_pictures():
        if times[picture] < action_ms or not DRIFT.fewest <= changes.count[picture] <= most:
            continue
        blocks = changes.blocks(picture)
        _, codes = recording.store.at(picture)
        if LEVELS[codes[blocks.ravel()].max()] > DRIFT.step:
            continue
        for later in range(picture + 1, _last(recording, changes, anew, blocks, picture) + 1):
            packed[later], count[later] = changes.packed[picture], changes.count[picture]
            drifts.add(later)
    return replace(changes, packed=packed, count=count, drifts=frozenset(drifts))


def _last(recording: Recording, changes: Changes, anew: Bools, blocks: Bools, picture: int) -> int:
    """Return the picture in which the drift of some blocks, (rows, columns), of which this is one, is over."""
    times = recording.picture_ms
    first = int(np.searchsorted(times, times[picture] - DRIFT.slow_ms))
    last = picture
    while last + 1 < len(times) and times[last + 1] <= times[picture] + DRIFT.slow_ms:
        if changes.count[last + 1] or anew[last + 1]:
            break
        last += 1
    luma = _luma(recording, blocks, first, last)
    here = picture - first
    way = luma[here] - luma[0]
    goes = (luma[here:] - luma[here]) * np.sign(way)
    if abs(way) < DRIFT.far:
        return picture
    end = 0
    for at in range(1, len(goes)):
        if times[picture + at] - times[picture + end] > DRIFT.rest_ms:
            break
        if goes[at] >= goes[end] + DRIFT.moves:
            end = at
    return picture + int(np.flatnonzero(goes[end] - goes <= DRIFT.left)[0])


def _luma(recording: Recording, blocks: Bools, first: int, last: int) -> F32:
    """Return (pictures,): the median luma of some blocks, (rows, columns), in pictures first … last, levels."""
    places = np.flatnonzero(blocks)
    spans = recording.store.span(first, last)
    return np.array([np.median(means[0][places]) for means, _ in spans], np.float32) / np.float32(64)
