"""What an encoder leaves as it was while all around it moves, and draws when all rests: whole superblocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import EVENT
from analysis.events.recurrence import state
from analysis.video.areas import box_around, connected, grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class StaleLimits:
    """When a change after a rest is what an encoder had left behind."""

    codecs: frozenset[str] = frozenset({"libdav1d"})  # AV1: no other was seen to pass over so large a block
    superblock_px: int = 64
    filled: float = 0.9  # of the superblocks changes: a word in one is drawn by an app
    most: float = 0.5  # of the screen: what is larger is no piece
    moved: float = 0.5  # of what lies around it had changed since the action


STALE = StaleLimits()


def find_stale(
    recording: Recording, changes: Changes, itself: Bools, pointer: Pointer, action_ms: float
) -> dict[int, Bools]:
    """Return what an encoder draws late, blocks (rows, columns) by picture: superblocks that it had passed over.

    They are whole ones, in the middle of what had moved since the action, and what is drawn in them when all has
    come to rest stands out from what is around them no more than before. `itself` (rows, columns) goes on by
    itself; neither that nor a cursor, `pointer`, is a motion.
    """
    found: dict[int, Bools] = {}
    side, rest = divmod(STALE.superblock_px, recording.grid.size)
    if rest or recording.info.codec not in STALE.codecs:
        return found
    times, moved = recording.picture_ms, np.zeros(changes.shape, dtype=bool)
    latest_ms = np.inf
    for picture in changes.changed_pictures():
        now_ms = float(times[picture])
        blocks, own = changes.blocks(picture) & ~itself, pointer.steps.get(picture)
        blocks = blocks if own is None else blocks & ~own
        if now_ms < action_ms or not blocks.any():
            continue
        stale = np.zeros_like(blocks)
        if now_ms - latest_ms > EVENT.apart_ms and blocks.mean() <= STALE.most:
            for piece in _whole_superblocks(blocks, side):
                around = grow(piece, 1) & ~piece
                if moved[around].mean() >= STALE.moved and _stands_out_no_more(recording, piece, picture):
                    stale |= piece
        if stale.any():
            found[picture] = stale
        if (blocks & ~stale).any():
            latest_ms = now_ms
        moved |= blocks
    return found


def _whole_superblocks(blocks: Bools, side: int) -> Iterator[Bools]:
    """Yield parts of an area, (rows, columns), that fill superblocks of `side` blocks; the screen may cut them."""
    for part in connected(blocks):
        box = box_around(part)
        ends = zip(box, part.shape, strict=True)
        whole = all(edge.start % side == 0 and (edge.stop % side == 0 or edge.stop == end) for edge, end in ends)
        if whole and part[box].mean() >= STALE.filled:
            yield part


def _stands_out_no_more(recording: Recording, piece: Bools, picture: int) -> bool:
    """Return whether the edge of a piece is no clearer in a picture than in the one before it."""
    everywhere = np.ones_like(piece)
    before, now = (state(recording, everywhere, at)[0].reshape(piece.shape) for at in (picture - 1, picture))
    edge = 0.0
    for axis in (0, 1):
        rim = np.diff(piece, axis=axis)
        edge += float((np.abs(np.diff(now, axis=axis)) - np.abs(np.diff(before, axis=axis)))[rim].sum())
    return edge <= 0
