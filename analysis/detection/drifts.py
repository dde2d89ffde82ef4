"""Finding: something small that drifts, noticed late once it has come far, or never; and when that is over.

A scrollbar that fades by a level a picture is a change where it has come far enough from the last kept picture
(analysis/kernels/deciding.py); what it still has to go is less than that, and may be half of its way. An encoder
may hold it for some pictures and let it come by small jumps: then no picture is kept long enough. But the last one
shows it where it came to. A drift is over when nobody sees what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F32, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.kernels.levels import LEVELS
from analysis.video.areas import connected
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
    every_ms: float = 100.0  # so often it is asked how far each block is from where it comes to
    inner: float = 0.5  # of the way of nearly all blocks: what goes less far is the rim, and tells less
    inner_blocks: int = 10  # that go farther: an encoder that refines a photograph shifts fewer together
    steps: int = 4  # pictures at least in which it moves: a correction takes one or two
    straight: float = 1.1  # times as far may the way be: what is refined, or turns, goes to and fro
    jump: float = 0.6  # of the way, in one picture: what jumps does not drift


DRIFT = DriftLimits()


def reveal_drifts(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with slow drifts after the action added: the rest of those found late, and the unseen.

    `ignored` are the blocks, (rows, columns), in which nothing is looked for that was not found.
    """
    return _with_unseen(recording, _with_rest(recording, changes, action_ms), ignored, action_ms)


def _with_rest(recording: Recording, changes: Changes, action_ms: float) -> Changes:
    """Return the changes with the rest of what was found late added, in pictures without any other."""
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


def _with_unseen(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with drifts added of which no picture was found: the last one shows what came of them.

    As something is first seen to change, all may be in motion: what drifts then tells nothing of when.
    """
    times = recording.picture_ms
    first, last = max(int(np.searchsorted(times, action_ms, side="right")) - 1, 0), len(times) - 1
    way = _come(recording, changes, first, last)
    answer = next((at for at in range(first + 1, last + 1) if changes.count[at]), None)
    rested_ms = -np.inf if answer is None else times[answer] + DRIFT.rest_ms
    found: dict[int, Bools] = {}
    for part in _parts(way, changes.least_levels, ignored):
        inner = part & (np.abs(way) >= DRIFT.inner * np.percentile(np.abs(way[part]), 90))
        if np.count_nonzero(inner) < DRIFT.inner_blocks:
            continue
        for picture in _steps(recording, changes, part, inner, first, last):
            if times[picture] > rested_ms:
                found[picture] = part | found.get(picture, changes.blocks(picture))
    packed, count = list(changes.packed), changes.count.copy()
    for picture, blocks in found.items():
        packed[picture], count[picture] = np.packbits(blocks), np.count_nonzero(blocks)
    alone = {picture for picture in found if not changes.count[picture]}
    return replace(changes, packed=packed, count=count, drifts=changes.drifts | alone)


def _come(recording: Recording, changes: Changes, first: int, last: int) -> F32:
    """Return (rows, columns): how far each block comes to the last picture, levels, from where it was farthest.

    Only what it does without being seen counts, from shortly after its last visible change on.
    """
    times, shape = recording.picture_ms, changes.shape
    end, way = recording.store.at(last)[0][0].astype(np.float32), np.zeros(shape, np.float32)
    picture, before = first, first
    while picture < last:
        now = (end - recording.store.at(picture)[0][0]).reshape(shape) / np.float32(64)
        since = min(int(np.searchsorted(times, times[picture] - DRIFT.rest_ms)), before + 1)
        moving = changes.ever(range(max(since, first), picture + 1))
        way = np.where(moving | (np.abs(now) > np.abs(way)), now, way)
        before = picture
        picture = max(int(np.searchsorted(times, times[picture] + DRIFT.every_ms)), picture + 1)
    return np.where(changes.ever(range(before + 1, last + 1)), np.float32(0), way)


def _parts(way: F32, least: float, ignored: Bools) -> Iterator[Bools]:
    """Yield what is small and came `least` levels far together the same way, (rows, columns) each."""
    for sign in (-1, 1):
        for part in connected((way * sign >= least) & ~ignored):
            if DRIFT.fewest <= np.count_nonzero(part) <= DRIFT.small * part.size:
                yield part


def _steps(
    recording: Recording, changes: Changes, part: Bools, inner: Bools, first: int, last: int
) -> Sequence[int]:
    """Return the pictures in which a part drifts, as far as one sees it; none if it jumps, or goes to and fro."""
    times = recording.picture_ms
    seen = (at for at in range(last, first, -1) if changes.count[at] and (changes.blocks(at) & part).any())
    if (latest := next(seen, None)) is not None:
        first = int(np.searchsorted(times, times[latest] + DRIFT.rest_ms, side="right")) - 1
    luma = _luma(recording, inner, first, last)
    farthest = int(np.abs(luma - luma[-1]).argmax())
    steps = np.diff(luma[farthest:]) * np.sign(luma[-1] - luma[farthest])
    way, length = float(steps.sum()), float(np.abs(steps).sum())
    few = np.count_nonzero(steps >= DRIFT.moves) < DRIFT.steps
    if few or way < changes.least_levels or length > DRIFT.straight * way or steps.max() > DRIFT.jump * way:
        return ()
    left = way - np.cumsum(steps)
    begins = int(np.flatnonzero(left <= way - DRIFT.moves)[0])
    over = int(np.flatnonzero(left <= DRIFT.left)[0])
    pictures = farthest + first + 1 + np.arange(begins, over + 1)
    if times[pictures[-1]] - times[pictures[0]] > DRIFT.slow_ms:
        return ()
    goes = steps[begins : over + 1] >= DRIFT.moves
    goes[-1] = True
    drifts: list[int] = pictures[goes].tolist()
    return drifts


def _luma(recording: Recording, blocks: Bools, first: int, last: int) -> F32:
    """Return (pictures,): the median luma of some blocks, (rows, columns), in pictures first … last, levels."""
    places = np.flatnonzero(blocks)
    spans = recording.store.span(first, last)
    return np.array([np.median(means[0][places]) for means, _ in spans], np.float32) / np.float32(64)
