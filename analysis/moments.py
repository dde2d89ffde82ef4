"""Judging: which change is the response, which the finish, and whether the screen settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import I64, Bools
from analysis.changes import Changes
from analysis.recording import Recording

STILL_MS = 300.0


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """The judged course of one recording. `moving` holds the frame indices from response to finish that changed."""

    outcome: str
    message: str
    response: int | None
    finish: int | None
    settles: bool | None
    moving: I64
    unsettled: Bools


def judge(recording: Recording, changes: Changes, action_ms: float) -> Moments:
    """Choose response and finish among the changed frames."""
    fresh = np.diff(recording.picture, prepend=-1) > 0
    after = fresh & (recording.time_ms >= action_ms)
    end = recording.time_ms[-1]
    late = after & (recording.time_ms > end - STILL_MS)
    unsettled = np.zeros(recording.grid.shape, bool)
    if changes.blocks[recording.picture[late]].any() and recording.time_ms[-1] - recording.time_ms[-2] < STILL_MS:
        unsettled = changes.blocks[recording.picture[late]].any(axis=0)
    all_frames = np.nonzero(after & changes.blocks.any(axis=(1, 2))[recording.picture])[0]
    if not len(all_frames):
        return Moments("no_response", "nothing changes after the action", None, None, None, all_frames, unsettled)
    settled = np.nonzero(after & (changes.blocks & ~unsettled).any(axis=(1, 2))[recording.picture])[0]
    response, settles = int(all_frames[0]), not unsettled.any()
    if not len(settled):
        return Moments("never_settles", "still changing at the end", response, None, False, all_frames, unsettled)
    return Moments("ok", "", response, int(settled[-1]), settles, settled, unsettled)
