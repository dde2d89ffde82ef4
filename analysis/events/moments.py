"""Judging: which change is the response, which the finish, and whether the screen settled."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.arrays import I64, Bools
from analysis.detection.changes import Changes
from analysis.detection.crosshair import Crosshair
from analysis.detection.inset import find_screen
from analysis.events.background import BACKGROUND, Background, find_background
from analysis.events.bars import Company
from analysis.events.confidence import Confidence, finish_confidence, response_confidence
from analysis.events.cursor.hovering import find_hovered
from analysis.events.cursor.pointer import Pointer, find_pointer
from analysis.events.dragging import find_dragged
from analysis.events.duplicates import gather_clues, shows_new, too_faint_to_lose, written_for_a_reason
from analysis.events.event import find_events
from analysis.events.gliding import Ending, came_to_rest
from analysis.events.judging import Judged, judge_events
from analysis.events.lamps import find_lamps
from analysis.events.mark import find_mark
from analysis.events.ongoing_motion import stirring_at_end
from analysis.events.onset import Onset, began
from analysis.events.refining import find_refined
from analysis.events.round_mark import follow_round
from analysis.events.scene import BOTH, Moment, Scene
from analysis.events.stale import find_stale
from analysis.events.touch import dot_path, system_bars, touched
from analysis.events.traces import find_traces
from analysis.metrics.smoothness import SMOOTHNESS
from analysis.options import MeasureOptions
from analysis.video.areas import grow
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class MomentLimits:
    """When a recording has no finish, or no answer at all."""

    most_of_the_screen: float = 0.6  # still changing at the end: a game, a film
    hidden_levels: float = 12.0  # a change of so many levels is seen by everybody: noise must not hide it


MOMENT = MomentLimits()
NOTHING = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """The judged course of one recording, in frame indices.

    `moving` are the frames from the response to the last visible step that show something new; `background`,
    `finger` and `pointer` did not decide; `events` are those after the action, with the rules that left them out;
    `onset` says how the response was found, `ending` how the finish was, `confidence` how sure each moment is that
    there is.
    """

    outcome: str
    message: str
    settles: bool | None
    background: Background
    finger: Bools
    pointer: Pointer
    events: Sequence[Judged]
    response: int | None = None
    finish: int | None = None
    onset: Onset | None = None
    ending: Ending | None = None
    moving: I64 = field(default_factory=lambda: NOTHING)
    confidence: Mapping[Moment, Confidence] = field(default_factory=dict)

    def unanswered(self, outcome: str, message: str) -> Moments:
        """Return what was found without an answer: the recording allows none, for the reason in `message`."""
        return Moments(outcome, message, None, self.background, self.finger, self.pointer, self.events)


def look(
    recording: Recording,
    changes: Changes,
    options: MeasureOptions,
    ignored: Bools,
    without: Collection[str] = (),
    crosshair: Crosshair | None = None,
    focus: Mapping[int, Bools] | None = None,
) -> Scene:
    """Return what there is to know before anything is decided: events, what goes on by itself, cursor, marks.

    `ignored` are the masked blocks, `crosshair` and `focus` are no longer among the changes; `without` names rules
    to leave off, for `benchmarks.ablation`.
    """
    times = recording.picture_ms
    screen = None if "inset" in without else find_screen(recording, changes, options.action_ms)
    bars = system_bars(recording.grid, screen)
    events = find_events(changes, times)
    background = find_background(recording, changes, events, options, ignored, bars, without)
    pointer = Pointer(changes.shape)
    if "cursor" not in without:
        pointer = find_pointer(recording, changes, background.always, options, background.steady)
    if pointer.steps:
        others = pointer.taken_from(changes)
        apart = find_events(others, times)
        background = find_background(recording, others, apart, options, ignored, bars, without, pointer)
        background = replace(background, carets=background.carets.among(events))
        if "hover" not in without:
            pointer = replace(
                pointer, hovered=find_hovered(recording, apart, others, pointer.tips, options.action_ms)
            )
    after = np.flatnonzero((changes.count > 0) & (times >= options.action_ms))
    finger = dot_path(recording.grid, changes, after, options)
    mark = None if "mark" in without else find_mark(recording, changes, times, options.action_ms)
    dragged = find_dragged(recording, changes, times, mark)
    if "mark" not in without and "round" not in without:
        seen = follow_round(recording, changes, times, options.action_ms, mark, pointer)
        mark = seen.mark
        dragged = {**seen.own, **{at: blocks | seen.own.get(at, blocks) for at, blocks in dragged.items()}}
    on = background.always | background.near_end
    around = on | background.near_caret
    return Scene(
        recording, changes, events, background, finger, options.action_ms, times, recording.variable_rate,
        bars, touched(recording.grid, options.touch_xy), pointer,
        Company(events, background, changes, times, pointer),
        grow(stirring_at_end(recording, changes, ignored, pointer), BACKGROUND.rim_blocks),
        find_lamps(recording, events, bars, options.action_ms),
        mark, dragged,
        find_refined(recording, changes, on, pointer),
        find_traces(recording, changes, pointer, around, options.action_ms),
        find_stale(recording, changes, around, pointer, options.action_ms),
        crosshair or Crosshair(),
        focus or {},
    )  # fmt: skip


def decide(scene: Scene, without: Collection[str] = ()) -> Moments:
    """Choose response and finish among the events of a scene; `without` as for `look`."""
    judged = judge_events(scene, without)
    responses, settled = (
        sorted({picture for event in judged if (picture := event.counting(moment)) is not None}) for moment in BOTH
    )
    onset = began(scene, judged, responses[0], without) if responses else None
    return _named(scene, judged, onset, settled, without)


def _named(
    scene: Scene, judged: Sequence[Judged], onset: Onset | None, settled: Sequence[int], without: Collection[str]
) -> Moments:
    background, finger, pointer, frames = scene.background, scene.finger, scene.pointer, scene.recording.first_frame
    share = float((background.at_end | background.caret).mean())
    settled = [picture for picture in settled if onset is not None and picture >= onset.picture]
    if share >= MOMENT.most_of_the_screen or (onset is not None and not settled):
        text = (
            f"{100 * share:.0f} % of the screen still changes at the end: record longer, or mask what never stops"
        )
        first = None if onset is None else int(frames[onset.picture])
        sure = _confidence(scene, judged, onset, None)
        return Moments(
            "never_settles", text, False, background, finger, pointer, judged, first, onset=onset, confidence=sure
        )
    least = scene.changes.least_levels
    if onset is None and least > MOMENT.hidden_levels:
        text = (
            f"noise of {scene.changes.floor_levels:.1f} levels hides changes of less than {least:.0f} levels, and "
            "nothing stronger came after the action: record with the system's own recorder, or at a higher bitrate"
        )
        return Moments("too_noisy", text, None, background, finger, pointer, judged)
    if onset is None:
        text = f"nothing but {_what_moves(scene, judged)} changes after the action: check action_ms"
        return Moments("no_response", text, background.settles, background, finger, pointer, judged)
    ending = came_to_rest(scene, settled[-1], without)
    visible = next(picture for picture in range(ending.visible, -1, -1) if picture not in scene.changes.drifts)
    moving = _moving(scene, onset.picture, max(visible, onset.picture), without)
    return Moments(
        "ok", "", background.settles, background, finger, pointer, judged,
        int(frames[onset.picture]), int(frames[ending.picture]), onset, ending, moving,
        _confidence(scene, judged, onset, ending),
    )  # fmt: skip


def _confidence(
    scene: Scene, judged: Sequence[Judged], onset: Onset | None, ending: Ending | None
) -> dict[Moment, Confidence]:
    """Return how sure response and finish are, those that there are."""
    sure: dict[Moment, Confidence] = {}
    if onset is not None:
        sure["response"] = response_confidence(scene, judged, onset)
    if ending is not None:
        sure["finish"] = finish_confidence(scene, judged, ending)
    return sure


def _what_moves(scene: Scene, judged: Sequence[Judged]) -> str:
    """Return what accounts for all that changes after the action."""
    if not judged and scene.crosshair.steps:
        return "what Android's Pointer location draws"
    if not judged and scene.focus:
        return "the frame of a desktop's window that comes to the front"
    known = {"cursor": "a mouse cursor", "mark": "a mark that comes with the action and goes"}
    told = [{key for key in known if event.pictures_left_by(key, "response")} for event in judged]
    found = [words for key, words in known.items() if any(key in keys for keys in told)]
    return " and ".join(found if found and all(told) else [*found, "what moved by itself"])


def _moving(scene: Scene, first: int, last: int, without: Collection[str]) -> I64:
    """Return the frames from picture first to last that show something new, outside of what never stops.

    At a constant rate, those in which a faint motion goes on unseen are among them: nothing was lost there.
    """
    changes, background = scene.changes, scene.background
    active = np.zeros(changes.shape, dtype=bool)
    for picture in range(first, last + 1):
        active |= changes.blocks(picture)
    active &= ~(background.near_end | background.near_caret)
    active &= ~grow(scene.pointer.path_between(first, last), BACKGROUND.rim_blocks)
    clues = gather_clues(scene.recording, changes, active, first, last)
    new = shows_new(clues, without)
    if scene.variable_rate and "step_written" not in without:
        new |= written_for_a_reason(clues, scene.times_ms[first : last + 1])
    steps = np.flatnonzero(new)
    frames = scene.recording.first_frame[first + steps]
    if scene.variable_rate or "step_faint" in without:
        return frames
    goes_on = too_faint_to_lose(clues, steps) & (np.diff(scene.times_ms[first + steps]) < SMOOTHNESS.pause_ms)
    between = [np.arange(*pair) for pair in zip(frames[:-1][goes_on], frames[1:][goes_on], strict=True)]
    return np.unique(np.concatenate([frames, *between]))
