"""What is left beside a mouse cursor that moves: its first small step, and what an encoder draws late or wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.paths import rest_of_hand_ms
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import EVENT
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class TraceLimits:
    """When a change belongs to a cursor that accounts for others close by."""

    near_ms: float = 250.0  # before or after a step of the cursor
    beside_blocks: int = 1  # around it
    most_blocks: int = 12  # a cursor of 24 px that left one place for another
    spot_blocks: int = 4  # elsewhere, in the picture of a step: a caret, or what an encoder corrects beside it


TRACE = TraceLimits()


def find_traces(
    recording: Recording, changes: Changes, pointer: Pointer, elsewhere: Bools, action_ms: float
) -> dict[int, Bools]:
    """Return what little changes beside a cursor's steps, blocks (rows, columns) by picture.

    It does so once something has answered and all else has come to rest, `elsewhere` (rows, columns) aside. What
    appears under a cursor that clicked comes before that, or is larger. A spot elsewhere that
    changes once, in the picture of a step, is what an encoder writes along with it.
    """
    found: dict[int, Bools] = {}
    times, steps = recording.picture_ms, np.array(sorted(pointer.steps), dtype=np.int64)
    if not len(steps):
        return found
    rest_ms = rest_of_hand_ms(recording, changes)
    others, ended_ms = pointer.taken_from(changes), np.inf
    for picture in np.flatnonzero((others.count > 0) & (times >= action_ms)).tolist():
        left = others.blocks(picture) & ~elsewhere
        if picture in pointer.hovered:
            left &= ~pointer.hovered[picture]
        if not left.any():
            continue
        now_ms = float(times[picture])
        if now_ms - ended_ms >= rest_ms and np.count_nonzero(left) <= TRACE.most_blocks:
            near = steps[np.abs(times[steps] - now_ms) <= TRACE.near_ms]
            path = np.any([np.zeros_like(left), *(pointer.steps[step] for step in near.tolist())], axis=0)
            spot = picture in pointer.steps and _is_spot(others, times, left, picture)
            if spot or not (left & ~grow(path, TRACE.beside_blocks)).any():
                found[picture] = left
                continue
        ended_ms = now_ms
    return found


def _is_spot(others: Changes, times_ms: F64, left: Bools, picture: int) -> bool:
    """Return whether what is left of a picture, (rows, columns), is a spot that changes once."""
    if np.count_nonzero(left) > TRACE.spot_blocks:
        return False
    near = grow(left, EVENT.reach_blocks)
    first, last = np.searchsorted(times_ms, times_ms[picture] + np.array([-TRACE.near_ms, TRACE.near_ms]))
    return not any((others.blocks(at) & near).any() for at in range(int(first), int(last)) if at != picture)
