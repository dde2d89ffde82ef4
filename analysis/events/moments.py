"""Judging: which change is the response, which the finish, and whether the screen settled."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import I64, Bools
from analysis.detection.changes import Changes
from analysis.events.background import Restless, find_restless, outside
from analysis.events.caret_input import letters
from analysis.events.duplicates import corrections, gather_clues, shows_new, written_for_a_reason
from analysis.events.ongoing_motion import stirring_at, stirring_at_end
from analysis.events.onset import first_stir, onset
from analysis.events.restores import without_echoes
from analysis.events.touch import DOT, MOVING, dot_path
from analysis.options import MeasureOptions
from analysis.video.recording import Recording

MOST_OF_THE_SCREEN = 0.6
NOTHING = np.empty(0, np.int64)


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


def judge(recording: Recording, changes: Changes, options: MeasureOptions, ignored: Bools) -> Moments:
    """Choose response and finish among the changed pictures; `ignored` are the masked blocks."""
    times = recording.picture_ms
    span = options.action_ms, float(recording.time_ms[-1])
    floor = changes.floor_levels
    stirring = (
        stirring_at(recording, options.action_ms, ignored, floor),
        stirring_at_end(recording, ignored, floor),
    )
    restless = find_restless(changes, times, stirring, span)
    after = np.flatnonzero(changes.count)
    after = after[times[after] >= options.action_ms]
    finger = _finger(recording, changes, options, after)
    elsewhere = ~(restless.own_accord | finger)
    typed = letters(recording, changes, restless.caret, after)
    answers = np.union1d(outside(changes, after, ~elsewhere), typed)
    responses = without_echoes(recording, changes, answers, options.action_ms)
    if len(responses) and responses[0] not in typed:
        echoes = answers[: len(answers) - len(responses)]
        since_ms = max([options.action_ms, *(times[echoes] + 1)])
        responses[0] = _began(recording, changes, elsewhere, int(responses[0]), since_ms)
    settled = outside(changes, after, restless.unsettled)
    if not recording.variable_rate:
        settled = settled[~corrections(changes, times, settled)]
    settled = np.union1d(settled, typed)
    moments = _name(recording, changes, restless, responses, settled)
    return replace(moments, ignored=moments.ignored | {DOT: finger})


def _finger(recording: Recording, changes: Changes, options: MeasureOptions, pictures: I64) -> Bools:
    """Return (rows, columns): where the platform's dot moved with the finger, besides where it went down."""
    if not options.show_touches or options.touch_xy is None or options.interaction_type not in MOVING:
        return np.zeros(changes.shape, dtype=bool)
    return dot_path(recording.grid, changes, pictures, options.touch_xy)


def _began(recording: Recording, changes: Changes, elsewhere: Bools, found: int, since_ms: float) -> int:
    blocks = changes.blocks(found) & elsewhere
    faded = onset(recording, blocks, found, since_ms)
    return faded if faded < found else first_stir(recording, changes, blocks, found, since_ms)


def _name(recording: Recording, changes: Changes, restless: Restless, responses: I64, settled: I64) -> Moments:
    share = float(restless.at_end.mean())
    response = int(responses[0]) if len(responses) else None
    settled = settled[settled >= response] if response is not None else NOTHING
    frames, ignored = recording.first_frame, _ignored(restless)
    first = None if response is None else int(frames[response])
    if share >= MOST_OF_THE_SCREEN or (response is not None and not len(settled)):
        text = (
            f"{100 * share:.0f} % of the screen still changes at the end: record longer, or mask what never stops"
        )
        return Moments("never_settles", text, first, None, False, NOTHING, ignored)
    if response is None:
        text = "nothing but what moved by itself changes after the action: check action_ms"
        return Moments("no_response", text, None, None, restless.settles, NOTHING, ignored)
    finish = int(settled[-1])
    moving = frames[_moving(recording, changes, response, finish, restless.unsettled)]
    return Moments("ok", "", first, int(frames[finish]), restless.settles, moving, ignored)


def _ignored(restless: Restless) -> dict[str, Bools]:
    return {
        "already changing before the action": restless.before,
        "a blinking caret": restless.caret,
        "still changing at the end of the recording": restless.at_end & ~restless.caret,
    }


def _moving(recording: Recording, changes: Changes, first: int, last: int, restless: Bools) -> I64:
    active = np.zeros(changes.shape, dtype=bool)
    for picture in range(first, last + 1):
        active |= changes.blocks(picture)
    active &= ~restless
    clues = gather_clues(recording, changes, active, first, last)
    new = shows_new(clues)
    if recording.variable_rate:
        new |= written_for_a_reason(clues, recording.picture_ms[first : last + 1])
    return first + np.flatnonzero(new)
