"""Judging where a change began: it is found when it has gone some way, and may have begun a little earlier."""

from __future__ import annotations

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.kernels.levels import LEVELS
from analysis.video.areas import grow
from analysis.video.recording import Recording

LEAST_BLOCKS = 25  # the mean of so many blocks tells a shift far below what a single block can
LEAST_LEVELS = 0.25
LEAST_SHARE = 0.05
AGAINST_LEVELS = 0.1
REST_MS = 95.0  # without any block that stirs (Changes.energy)
STIR_LEVELS, STIR_BLOCKS, STIR_REACH = 2.0, 2, 2
STIR_PICTURES = 3  # as long as it may take from the first stir to what is visible in itself


def onset(recording: Recording, blocks: Bools, found: int, action_ms: float) -> int:
    """Return the picture in which the change of these blocks, found in picture `found`, began.

    Walks back from there as long as the mean of the blocks lies off its value at the action, on the same side; but
    never past a key frame, which shifts blocks a little by itself.
    """
    if blocks.sum() < LEAST_BLOCKS:
        return found
    start = min(max(int(np.searchsorted(recording.picture_ms, action_ms)) - 1, 0), found)
    shift = _means(recording, blocks, start, found)
    shift = (shift - shift[0]) * np.sign(shift[-1] - shift[0])
    least = max(LEAST_LEVELS, LEAST_SHARE * shift[-1])
    picture = found
    while picture - 1 > start and shift[picture - 1 - start] >= least and not recording.key_frame[picture]:
        if shift[picture - start] < shift[picture - 1 - start] - AGAINST_LEVELS:
            break
        picture -= 1
    return picture


def first_stir(recording: Recording, changes: Changes, blocks: Bools, found: int, action_ms: float) -> int:
    """Return the first picture after a rest that stirs near these blocks, if it comes just before `found`.

    An encoder that has corrected nothing for a while has nothing left to correct: what it writes next is the
    screen's, however faint. Only the place is asked for, so that it belongs to the response. A recorder at a
    variable rate wrote nothing during the rest, and corrects in the first frame after it.
    """
    if recording.variable_rate:
        return found
    times, stirs = recording.picture_ms, changes.energy > 0
    stirred = np.append(np.flatnonzero(stirs[:found]), found)
    place = np.flatnonzero(np.diff(times[stirred], prepend=-np.inf) >= REST_MS)[-1]
    start = int(stirred[place])
    too_long = len(stirred) - 1 - place > STIR_PICTURES
    if too_long or times[start] < action_ms or recording.key_frame[start:found].any():
        return found
    near = grow(blocks, STIR_REACH).ravel()
    for picture, (_, strength) in enumerate(recording.store.span(start, found - 1), start):
        if np.count_nonzero(LEVELS[strength[near]] >= STIR_LEVELS) >= STIR_BLOCKS:
            return picture
    return found


def _means(recording: Recording, blocks: Bools, first: int, last: int) -> F64:
    """Return (last - first + 1,): luma mean of the blocks in pictures first … last, levels."""
    where = blocks.ravel()
    return np.array([float(means[0, where].mean()) / 64 for means, _ in recording.store.span(first, last)])
