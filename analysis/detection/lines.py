"""Finding: a line that moves or goes while nothing else does: a scrollbar that slides off, the edge of a drawer.

Where something large moved before, a single block must move far to count: an encoder may correct by a tenth of
the motion after a rest. Its corrections differ from block to block, or fill a whole transform block. A line that is
drawn changes all its blocks by as much, and none beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from analysis.arrays import F32, F64, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.kernels.levels import LEVELS
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class LineLimits:
    """What the blocks of a line must show together."""

    blocks: int = 9  # one after the other: a transform block of 64 px has eight
    alike: float = 0.1  # of a block's strength may the next one differ
    beside: float = 0.25  # of it may the second block on either side move: the first may hold a part of the line
    calm_ms: float = 500.0  # after a visible change there: an encoder corrects an edge that moved all along


LINE = LineLimits()


def reveal_lines(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with lines added that move after the action, in pictures without any visible change.

    Not where a picture was coded anew.
    """
    times = recording.picture_ms
    anew = since_anew_ms(recording) <= CHANGE.key_frame_ms
    stirs = changes.energy >= LINE.blocks * changes.least_levels
    wanted = (times >= action_ms) & (changes.count == 0) & stirs & ~anew
    packed, count = list(changes.packed), changes.count.copy()
    least = int(np.searchsorted(LEVELS, changes.least_levels))  # as a code
    for picture in map(int, np.flatnonzero(wanted)):
        _, codes = recording.store.at(picture)
        if np.count_nonzero(codes >= least) < LINE.blocks:
            continue
        blocks = lines(np.where(ignored, np.float32(0), LEVELS[codes].reshape(ignored.shape)), changes.least_levels)
        if blocks.any():
            blocks &= ~_changed_lately(changes, picture, times)
        count[picture] = blocks.sum()
        if count[picture]:
            packed[picture] = np.packbits(blocks)
    return replace(changes, packed=packed, count=count)


def lines(strength: F32, least: float) -> Bools:
    """Return the blocks, (rows, columns), of lines down or across that all change alike, by `least` levels or more.

    `strength` is in levels, (rows, columns).
    """
    return _down(strength, least) | _down(strength.T, least).T


def _down(strength: F32, least: float) -> Bools:
    """Return the blocks, (rows, columns), of lines that run down the picture."""
    beside = np.pad(strength, ((0, 0), (2, 2)))
    most = LINE.beside * strength
    alone = (strength >= least) & (beside[:, :-4] <= most) & (beside[:, 4:] <= most)
    differs = np.abs(np.diff(strength, axis=0)) > LINE.alike * strength[:-1]
    goes_on: Bools = alone[:-1] & alone[1:] & ~differs  # from this block to the one below
    length = LINE.blocks - 1
    if goes_on.shape[0] < length:
        return np.zeros(strength.shape, dtype=bool)
    windows = np.lib.stride_tricks.sliding_window_view(goes_on, length, axis=0)
    whole: Bools = np.logical_and.reduce(windows, axis=-1)
    found = np.zeros(strength.shape, np.uint8)
    found[: len(whole)] = whole
    return cv2.dilate(found, np.ones((LINE.blocks, 1), np.uint8), anchor=(0, LINE.blocks - 1)).view(np.bool_)


def _changed_lately(changes: Changes, picture: int, times_ms: F64) -> Bools:
    """Return (rows, columns): where something changed visibly shortly before a picture."""
    first = int(np.searchsorted(times_ms, times_ms[picture] - LINE.calm_ms))
    lately = np.zeros(changes.shape, dtype=bool)
    for earlier in range(first, picture):
        lately |= changes.blocks(earlier)
    return lately
