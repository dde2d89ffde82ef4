"""Finding: something small that changes while nothing stirs around it, where something strong moved before.

Where something large moved before, a single block must move far to count: an encoder may correct by a tenth of the
motion after a rest. But what it gets round to it stirs here and there. A row of digits, a dialog's edge or a bar
that goes changes by itself, in one place, among blocks that stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import F32, Bools
from analysis.detection.changes import CHANGE, Changes, since_anew_ms
from analysis.kernels.levels import LEVELS
from analysis.kernels.limits import BlockLimits
from analysis.video.areas import connected, count_near, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class LoneLimits:
    """What a small change must show to be none of an encoder's."""

    blocks: int = 8  # in a picture: 64 px at a width of 540; an encoder may put fewer right at once
    piece: int = 3  # that hang together
    near_blocks: int = 2  # beyond the edge of each: pieces that lie further apart are what an encoder gets round to
    most: float = 0.02  # of the screen, of what is seen to change as of what is not: a larger thing shows anyway
    reach_blocks: int = 6  # around each piece
    stirs: float = 1.0  # levels: less is rounding
    share: float = 0.05  # of the blocks around may stir


LONE = LoneLimits()


def reveal_lone(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with what stands alone after the action added, in pictures that are seen to change little.

    Not where a picture was coded anew, nor where something had changed shortly before.
    """
    times, least = recording.picture_ms, changes.least_levels
    anew = since_anew_ms(recording) <= CHANGE.key_frame_ms
    little = changes.count <= LONE.most * ignored.size
    wanted = (times >= action_ms) & little & (changes.energy >= LONE.blocks * least) & ~anew
    packed, count = list(changes.packed), changes.count.copy()
    for picture in map(int, np.flatnonzero(wanted)):
        _, codes = recording.store.at(picture)
        seen = changes.blocks(picture)
        strength = np.where(ignored | seen, np.float32(0), LEVELS[codes].reshape(ignored.shape))
        if np.count_nonzero(strength >= changes.limits.supporting * least) < LONE.blocks:
            continue
        first = int(np.searchsorted(times, times[picture] - changes.limits.in_motion_ms))
        blocks = alone(strength, changes.ever(range(first, picture + 1)), changes.limits, least)
        if np.count_nonzero(blocks) >= LONE.blocks and len(list(connected(grow(blocks, LONE.near_blocks)))) == 1:
            packed[picture], count[picture] = np.packbits(seen | blocks), np.count_nonzero(seen | blocks)
    return replace(changes, packed=packed, count=count)


def alone(strength: F32, moving: Bools, limits: BlockLimits, least: float) -> Bools:
    """Return the pieces of what stands out from rest, (rows, columns), around which nothing stirs, nor just moved.

    `strength` is how far each block moved unseen, levels, `moving` what is seen to, both (rows, columns). From rest
    a block must move by `least` levels.
    """
    supports = strength >= limits.supporting * least
    agree = (strength >= limits.strong_isolated * least) | (count_near(supports, 1) >= limits.support)
    stands = (strength >= least) & agree
    whole = stands | (grow(stands, 1) & supports)
    found = np.zeros_like(moving)
    if whole.mean() > LONE.most:
        return found
    stirs = strength >= LONE.stirs
    for piece in connected(whole):
        rim = grow(piece, 1)
        around = grow(piece, LONE.reach_blocks) & ~rim
        calm = np.count_nonzero(stirs & around) <= LONE.share * np.count_nonzero(around)
        if calm and np.count_nonzero(piece) >= LONE.piece and not (rim & moving).any():
            found |= piece
    return found
