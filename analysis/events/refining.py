"""What an encoder of few bits draws finer when all rests: the screen has shown it before, only coarser."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.pointer import Pointer
from analysis.events.faint import FAINT, strongest_of
from analysis.events.pace import slot_of_screen_ms
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class RefiningLimits:
    """When a faint change after a rest is an encoder's."""

    codecs: frozenset[str] = frozenset({"vp8"})  # a browser's recorder: it spares bits, then codes what rests anew
    rest_slots: float = 1.5  # of the screen, without a change or with next to none: what glides goes on sooner
    within_ms: float = 2500.0  # after the motion: it has done then


REFINING = RefiningLimits()


def find_refined(recording: Recording, changes: Changes, itself: Bools, pointer: Pointer) -> frozenset[int]:
    """Return the pictures that change nothing but what the encoder draws finer once a motion has come to rest.

    `itself` (rows, columns) goes on by itself; neither that nor a cursor, `pointer`, is a motion.
    """
    if recording.info.codec not in REFINING.codecs:
        return frozenset()
    times, found = recording.picture_ms, set[int]()
    slot_ms = max(float(np.median(np.diff(recording.time_ms))), slot_of_screen_ms(recording, changes))
    moved_ms, latest_ms, most, rested = -np.inf, -np.inf, 0, False
    for picture in changes.changed_pictures():
        blocks, own = changes.blocks(picture) & ~itself, pointer.steps.get(picture)
        blocks = blocks if own is None else blocks & ~own
        count, now_ms = int(np.count_nonzero(blocks)), float(times[picture])
        if not count:
            continue
        if strongest_of(recording, blocks, picture) >= FAINT.correction_levels:
            most = max(count, most if now_ms - moved_ms <= FAINT.tail_ms else 0)
            moved_ms, rested = now_ms, False
        elif now_ms - moved_ms <= REFINING.within_ms:
            rested |= count <= most and now_ms - latest_ms >= REFINING.rest_slots * slot_ms
            if rested:
                found.add(picture)
        if count > FAINT.correction_share * most:
            latest_ms = now_ms
    return frozenset(found)
