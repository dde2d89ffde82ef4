"""Judging: which change is the response, which the finish, and whether the screen settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.areas import grow
from analysis.arrays import I64, Bools
from analysis.changes import Changes
from analysis.motion import motion_energy, shows_new
from analysis.options import MeasureOptions
from analysis.recording import Recording
from analysis.settle import Restless, find_restless, last_outside

MOST_OF_THE_SCREEN = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """The judged course of one recording, in frame indices.

    `moving` are the frames from response to finish that show something new; `ignored` says, per reason, which area
    did not decide.
    """

    outcome: str
    message: str
    response: int | None
    finish: int | None
    settles: bool | None
    moving: I64
    ignored: dict[str, Bools]


def judge(recording: Recording, changes: Changes, options: MeasureOptions) -> Moments:
    """Choose response and finish among the changed pictures."""
    times = recording.picture_ms
    pictures = np.flatnonzero(changes.count)
    span = (options.action_ms, float(recording.time_ms[-1]), 1000 / options.refresh_hz)
    restless = find_restless(changes, times, pictures, span)
    after = pictures[times[pictures] >= options.action_ms]
    response = _first(changes, after, grow(restless.before | restless.timed, 2))
    settled = after[last_outside(changes, after, grow(restless.at_end, 2))]
    ignored = {
        "already changing before the action": restless.before,
        "still changing at the end of the recording": restless.at_end,
    }
    return _name(recording, changes, restless, response, settled, ignored)


def _first(changes: Changes, pictures: I64, area: Bools) -> int | None:
    outside = pictures[last_outside(changes, pictures, area)]
    return int(outside[0]) if len(outside) else None


def _name(
    recording: Recording,
    changes: Changes,
    restless: Restless,
    response: int | None,
    settled: I64,
    ignored: dict[str, Bools],
) -> Moments:
    share = float(restless.at_end.mean())
    nothing = np.empty(0, np.int64)
    frames = recording.first_frame
    first = None if response is None else int(frames[response])
    if response is not None:
        settled = settled[settled >= response]
    if share >= MOST_OF_THE_SCREEN or (response is not None and not len(settled)):
        text = (
            f"{100 * share:.0f} % of the screen still changes at the end: record longer, or mask what never stops"
        )
        return Moments("never_settles", text, first, None, False, nothing, ignored)
    if response is None or first is None:
        text = "nothing but what moved before changes after the action: check action_ms and the touch position"
        return Moments("no_response", text, None, None, not restless.at_end.any(), nothing, ignored)
    finish = int(settled[-1])
    moving = _moving(recording, changes, response, finish, restless.at_end)
    return Moments("ok", "", first, int(frames[finish]), not restless.at_end.any(), frames[moving], ignored)


def _moving(recording: Recording, changes: Changes, first: int, last: int, restless: Bools) -> I64:
    active = np.zeros(changes.shape, dtype=bool)
    for picture in range(first, last + 1):
        active |= changes.blocks(picture)
    active &= ~grow(restless, 2)
    energy = motion_energy(recording, active, first, last, changes.floor_levels)
    return first + np.flatnonzero(shows_new(energy, recording.picture_ms[first : last + 1]))
