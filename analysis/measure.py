"""Measure one screencast: the single door to everything in this package that looks at pictures."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analysis.action.finding import find_actions, without_flash, without_marker
from analysis.action.proposals import account, choose, say
from analysis.arrays import Bools
from analysis.detection.camera import filmed_by_camera
from analysis.detection.changes import Changes, Finder, above_noise, coded_anew, find_changes
from analysis.detection.coherence import reveal_faint
from analysis.detection.crosshair import Crosshair, find_crosshair
from analysis.detection.drifts import reveal_drifts
from analysis.detection.fades import reveal_fades
from analysis.detection.lone import reveal_lone
from analysis.detection.steps import reveal_steps
from analysis.detection.window_focus import CAME_TO_THE_FRONT, find_focus
from analysis.events.moments import Moments, decide, look
from analysis.events.scene import Scene
from analysis.events.touch import system_bars, touch_dot
from analysis.evidence import build_evidence
from analysis.metrics import METRICS, Judged, Metric, compute_metrics
from analysis.options import CONFIRMED, MeasureOptions
from analysis.revision import REVISION
from analysis.series import FrameSeries
from analysis.video.decode import VideoInfo
from analysis.video.grid import BlockGrid
from analysis.video.opening import UnreadableVideoError
from analysis.video.pixels import lumas
from analysis.video.recording import Recording, read_recording

OUTCOMES = (
    "ok", "no_response", "never_settles", "no_action", "unreadable", "too_short", "too_noisy", "moving_camera",
)  # fmt: skip
FILMED = (
    "the whole picture sways or flickers all the time, as it does where a camera films a screen: record with the "
    "system's own recorder, or fix the camera, its exposure and its focus"
)


def _reveal_drifts(recording: Recording, changes: Changes, ignored: Bools, action_ms: float) -> Changes:
    """Return the changes with slow drifts added, but in the system's bars: there a handle fades by itself."""
    return reveal_drifts(recording, changes, ignored | system_bars(recording.grid), action_ms)


REVEALING: tuple[tuple[str, Callable[[Recording, Changes, Bools, float], Changes]], ...] = (
    ("coherence", reveal_faint),
    ("small_fade", reveal_fades),
    ("drift", _reveal_drifts),
    ("lone", reveal_lone),
    ("last_step", reveal_steps),
)  # what is looked for besides, one after the other, by what `without` calls it


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What was measured on one screencast. A metric without an answer is None, never 0."""

    outcome: str
    message: str
    metrics: dict[str, float | None]
    settles: bool | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    series: FrameSeries | None = None
    info: VideoInfo | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What was seen in a recording, before anything is decided; a `problem` says why nothing can be."""

    recording: Recording
    changes: Changes
    options: MeasureOptions
    series: FrameSeries
    scene: Scene | None = None
    by_camera: bool = False
    problem: str = ""


def measure_screencast(
    path: str | Path, options: MeasureOptions, *, metrics: dict[str, Metric] = METRICS, threads: int = 0
) -> Measured:
    """Measure a video. Never raises for a bad one: it is `unreadable`, with a message that tells the cure."""
    looked_for = replace(options, show_touches=False) if options.find_action else options  # the dot may tell it
    try:
        recording, finder = read_screencast(path, looked_for, threads)
    except UnreadableVideoError as error:
        return Measured("unreadable", str(error), dict.fromkeys(metrics))
    with closing(recording.store):
        if options.find_action:
            return _measure_unmarked(path, recording, finder, options, metrics, threads)
        return measure_recording(recording, finder, options, metrics)


def read_screencast(path: str | Path, options: MeasureOptions, threads: int = 0) -> tuple[Recording, Finder]:
    """Return a recording and what found the changes in it while it was read; the caller closes its store.

    Raises UnreadableVideoError with a message that tells the cure.
    """
    finders: list[Finder] = []

    def watch(grid: BlockGrid, planes: int) -> Finder:
        finders.append(Finder(grid.shape, planes, ignored_blocks(grid, options)))
        return finders[-1]  # where black around the screen comes to show something, reading begins once more

    recording = read_recording(path, threads, watch)
    return replace(recording, pixels=partial(lumas, path, threads)), finders[-1]


def measure_recording(
    recording: Recording,
    finder: Finder,
    options: MeasureOptions,
    metrics: dict[str, Metric] = METRICS,
    without: Collection[str] = (),
) -> Measured:
    """Judge a recording that has been read, with what the finder found in it while it was.

    The finder took it for a clean one: a noisy one is looked at again. `without` names rules to leave off
    (`benchmarks.ablation`).
    """
    return measure_seen(see_recording(recording, finder, options, without), metrics, without)


def see_recording(
    recording: Recording, finder: Finder, options: MeasureOptions, without: Collection[str] = ()
) -> Seen:
    """Return what is seen in a recording that has been read."""
    recording = replace(recording, declared_variable=options.variable_rate)
    clean = finder.found(bool(coded_anew(recording)[-1]))
    found = above_noise(recording, clean, ignored_blocks(recording.grid, options), without)
    return see_changes(recording, clean, found, options, without)


def measure_changes(
    recording: Recording, clean: Changes, found: Changes, options: MeasureOptions, metrics: dict[str, Metric]
) -> Measured:
    """Judge a recording by the changes that were found in it: above its noise, and (`clean`) if it has none."""
    return measure_seen(see_changes(recording, clean, found, options), metrics)


def see_changes(
    recording: Recording,
    clean: Changes,
    found: Changes,
    options: MeasureOptions,
    without: Collection[str] = (),
) -> Seen:
    """Return what is seen in a recording, given the changes that were found in it."""
    ignored = ignored_blocks(recording.grid, options)
    changes = found
    for key, reveal in REVEALING:
        if key not in without:
            changes = reveal(recording, changes, ignored, options.action_ms)
    crosshair = Crosshair()
    if "crosshair" not in without:
        crosshair = find_crosshair(recording, changes).since(recording, changes, options.action_ms)
    changes = changes.without(crosshair.steps)
    focus = {} if "focus" in without else find_focus(changes, recording.picture_ms, options.action_ms)
    changes = changes.without(focus)
    noted = (*crosshair.notes(recording, options.action_ms), *(CAME_TO_THE_FRONT for _ in list(focus)[:1]))
    recording = replace(recording, notes=(*recording.notes, *noted))
    series = frame_series(recording, changes)
    problem = _too_short(recording, options)
    if problem:
        return Seen(recording, changes, options, series, problem=problem)
    by_camera = "camera" not in without and filmed_by_camera(recording, clean, options.action_ms)
    if by_camera:
        without = {*without, "cursor"}  # a long search, for nothing
    scene = look(recording, changes, options, ignored, without, crosshair, focus)
    return Seen(recording, changes, options, series, scene, by_camera)


def measure_seen(seen: Seen, metrics: dict[str, Metric] = METRICS, without: Collection[str] = ()) -> Measured:
    """Decide what was seen; `without` names rules to leave off that were not asked while looking."""
    recording, options = seen.recording, seen.options
    if seen.scene is None:
        nothing = dict.fromkeys(metrics)
        return Measured("too_short", seen.problem, nothing, None, {}, seen.series, recording.info)
    moments = decide(seen.scene, without)
    if seen.by_camera:
        moments = moments.unanswered("moving_camera", FILMED)
    return Measured(
        outcome=moments.outcome,
        message=moments.message,
        metrics=compute_metrics(_judged(recording, moments, options), options.interaction_type, metrics),
        settles=moments.settles,
        evidence=build_evidence(recording, seen.changes, moments, options) | {"revision": REVISION},
        series=seen.series,
        info=recording.info,
    )


def _measure_unmarked(
    path: str | Path,
    recording: Recording,
    finder: Finder,
    options: MeasureOptions,
    metrics: dict[str, Metric],
    threads: int,
) -> Measured:
    """Measure a recording of which nobody gave the action: from what it shows of it, or not at all."""
    recording = replace(recording, declared_variable=options.variable_rate)
    clean = finder.found(bool(coded_anew(recording)[-1]))
    seen = replace(options, show_touches=False)
    changes = above_noise(recording, clean, ignored_blocks(recording.grid, seen))
    if len(recording.time_ms) < 2:
        return measure_changes(recording, clean, changes, replace(options, find_action=""), metrics)
    proposals, found = find_actions(path, recording, changes, options, threads)
    chosen = choose(proposals, options.find_action, options.action_ms)
    told = {"action": account(proposals, chosen, options.find_action)}
    if chosen is not None:
        known = without_marker(options, chosen)
        changes = without_flash(recording, _changes_without(recording, known), found, chosen)
        measured = measure_changes(recording, clean, changes, known, metrics)
    elif options.find_action == CONFIRMED:
        known = replace(options, find_action="")
        measured = measure_changes(recording, clean, _changes_without(recording, known), known, metrics)
    else:
        evidence = {"notes": list(recording.notes), "video": recording.info.as_dict(), "revision": REVISION}
        series, words = frame_series(recording, changes), say(proposals, options.find_action)
        return Measured("no_action", words, dict.fromkeys(metrics), None, evidence | told, series, recording.info)
    return replace(measured, evidence=measured.evidence | told)


def _changes_without(recording: Recording, known: MeasureOptions) -> Changes:
    """Return the changes of a recording without what its options cover, which it was read with."""
    ignored = ignored_blocks(recording.grid, known)
    return above_noise(recording, find_changes(recording, ignored), ignored)


def ignored_blocks(grid: BlockGrid, options: MeasureOptions) -> Bools:
    """Return (rows, columns): what the masks and the platform's dot under the finger cover."""
    ignored = grid.masked(options.masks)
    if options.show_touches and options.touch_xy is not None:
        ignored |= touch_dot(grid, options.touch_xy)
    return ignored


def frame_series(recording: Recording, changes: Changes) -> FrameSeries:
    """Return the series of every frame against the frame before it; a repeated picture compares as equal."""
    fresh = np.diff(recording.picture, prepend=0) > 0
    index = recording.picture
    changed = (100 * changes.count / np.prod(changes.shape)).astype(np.float32)
    one, none = np.float32(1), np.float32(0)
    return FrameSeries(
        time_ms=recording.time_ms,
        ssim_mean=np.where(fresh, recording.ssim_mean[index], one),
        ssim_worst=np.where(fresh, recording.ssim_worst[index], one),
        changed_pct=np.where(fresh, changed[index], none),
    )


def _judged(recording: Recording, moments: Moments, options: MeasureOptions) -> Judged:
    return Judged(
        time_ms=recording.time_ms, moving=moments.moving, response=moments.response, finish=moments.finish,
        action_ms=options.action_ms, refresh_hz=recording.slots_hz(options.refresh_hz),
    )  # fmt: skip


def _too_short(recording: Recording, options: MeasureOptions) -> str:
    if len(recording.time_ms) < 2:
        return "the recording has a single frame: record at least until the screen is still"
    if options.action_ms > recording.time_ms[-1]:
        return (
            f"the action at {options.action_ms:.0f} ms lies after the last frame "
            f"at {recording.time_ms[-1]:.0f} ms: check action_ms or record longer"
        )
    return ""
