"""Judging where a slow change began: a fade is found when it has gone some way, and began a little earlier."""

from __future__ import annotations

import numpy as np

from analysis.arrays import F64, Bools
from analysis.recording import Recording

LEAST_BLOCKS = 25  # the mean of so many blocks tells a shift far below what a single block can
LEAST_LEVELS = 0.25
LEAST_SHARE = 0.05
AGAINST_LEVELS = 0.1


def onset(recording: Recording, blocks: Bools, found: int, action_ms: float) -> int:
    """Return the picture in which the change of these blocks, found in picture `found`, began.

    Walks back from there as long as the mean of the blocks lies off its value at the action, on the same side; but
    never past a key frame, which shifts blocks a little by itself.
    """
    if blocks.sum() < LEAST_BLOCKS:
        return found
    start = max(int(np.searchsorted(recording.picture_ms, action_ms)) - 1, 0)
    shift = _means(recording, blocks, start, found)
    shift = (shift - shift[0]) * np.sign(shift[-1] - shift[0])
    least = max(LEAST_LEVELS, LEAST_SHARE * shift[-1])
    picture = found
    while picture - 1 > start and shift[picture - 1 - start] >= least and not recording.key_frame[picture]:
        if shift[picture - start] < shift[picture - 1 - start] - AGAINST_LEVELS:
            break
        picture -= 1
    return picture


def _means(recording: Recording, blocks: Bools, first: int, last: int) -> F64:
    """Return (last - first + 1,): luma mean of the blocks in pictures first … last, levels."""
    where = blocks.ravel()
    return np.array([float(means[0, where].mean()) / 64 for means, _ in recording.store.span(first, last)])
