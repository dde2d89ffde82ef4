"""A mouse cursor that comes over the edge of the screen, or goes: too little of it is seen there to be known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.events.cursor.paths import POINTER
from analysis.events.pace import slot_of_screen_ms
from analysis.events.recurrence import state
from analysis.video.areas import across, box_around, connected, grow
from analysis.video.recording import Recording

SOON_MS = 1e-6  # what rounding may do to a time


def crosses_the_edge(
    recording: Recording, changes: Changes, steps: Mapping[int, Bools], elsewhere: Bools
) -> dict[int, Bools]:
    """Return the blocks (rows, columns) by picture of what flashes at the screen's edge as a cursor moves.

    It is no larger than a cursor, and gone a picture or two later without a trace. `steps` are the cursor's blocks
    by picture; `elsewhere` (rows, columns) goes on by itself.
    """
    found: dict[int, Bools] = {}
    if not steps:
        return found
    times, most_ms = recording.picture_ms, POINTER.rest_ms
    most_ms = max(most_ms, POINTER.missed * slot_of_screen_ms(recording, changes))
    changed = np.flatnonzero(changes.count)
    near = np.searchsorted(times[sorted(steps)], (times[changed] - most_ms, times[changed] + most_ms + SOON_MS))
    changed = changed[near[0] < near[1]]  # near a step
    until = np.searchsorted(times[changed], times[changed] + most_ms + SOON_MS)
    for at, come in enumerate(changed.tolist()):
        for part in _at_the_edge(changes.blocks(come) & ~elsewhere):
            for gone in changed[at + 1 : until[at]].tolist():
                back = changes.blocks(gone) & grow(part, 1)
                if (back & part).any() and _brings_back(recording, part, come, gone):
                    for picture, blocks in ((come, part), (gone, back)):
                        found[picture] = found.get(picture, np.zeros_like(elsewhere)) | blocks
                    break
    return found


def _at_the_edge(blocks: Bools) -> Iterator[Bools]:
    """Yield the parts of an area that touch the screen's edge and are no larger than a cursor."""
    if not any(side.any() for side in (blocks[0], blocks[-1], blocks[:, 0], blocks[:, -1])):
        return
    for part in connected(blocks):
        rows, columns = box_around(part)
        ends = (rows.start == 0, columns.start == 0, rows.stop == part.shape[0], columns.stop == part.shape[1])
        if across(part) <= POINTER.widest_blocks and any(ends):
            yield part


def _brings_back(recording: Recording, part: Bools, come: int, gone: int) -> bool:
    """Return whether blocks show in picture `gone` what they showed before picture `come`."""
    before, shown, after = (state(recording, part, p) for p in (come - 1, come, gone))
    same = max(POINTER.levels * 64, POINTER.share * np.abs(shown - before).max())
    return bool(np.abs(after - before).max() <= same)
