"""Evidence: what lets a person check the chosen frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.arrays import Bools
from analysis.detection.changes import Changes
from analysis.events.judging import Judged
from analysis.events.moments import Moments
from analysis.events.rules import REASONS
from analysis.events.scene import Moment
from analysis.events.touch import touch_dot
from analysis.options import MeasureOptions
from analysis.video.areas import connected
from analysis.video.recording import Recording

LAST = "the last picture in which blocks change visibly, outside of what was left out"
AT_REST = (
    "the picture in which what moved comes to rest: after the last visible step it glides by parts of a pixel, or "
    "fades by a few levels"
)
MOST_EVENTS = 24  # kept with a measurement: a game has hundreds


def build_evidence(
    recording: Recording, changes: Changes, moments: Moments, options: MeasureOptions
) -> dict[str, Any]:
    """Return a JSON-ready account of the measurement, a few kB, with the `screen` where black lies around it."""
    within = {"screen": list(recording.grid.screen)} if recording.grid.whole else {}
    return within | {
        "response": _moment(recording, changes, moments, options, "response"),
        "finish": _moment(recording, changes, moments, options, "finish"),
        "threshold_levels": round(changes.least_levels, 2),
        "noise_floor_levels": round(changes.floor_levels, 2),
        "variable_rate": recording.variable_rate,
        "slots_hz": round(recording.slots_hz(options.refresh_hz), 3),
        "moving": [int(frame) for frame in moments.moving],
        "masks": [mask.as_dict() for mask in options.masks],
        "ignored": _ignored(recording, moments, options),
        "events": _events(recording, moments, options),
        "events_found": len(moments.events),
        "notes": list(recording.notes),
        "video": recording.info.as_dict(),
    }


def _moment(
    recording: Recording, changes: Changes, moments: Moments, options: MeasureOptions, moment: Moment
) -> dict[str, Any] | None:
    """Return the chosen frame of a moment, how sure it is, and the other candidate where there is one."""
    frame, onset, ending = moments.response, moments.onset, moments.ending
    found_by, blocks = onset.found_by if onset else "", None
    if moment == "finish":
        frame, blocks = moments.finish, ending.blocks if ending else None
        found_by = LAST if blocks is None else AT_REST
    if frame is None:
        return None
    if blocks is None:
        blocks = _changed(recording, changes, frame)
    found = frame_evidence(recording, blocks, frame, options.action_ms, found_by)
    sure = moments.confidence[moment]
    other = sure.other and {
        "frame": int(recording.first_frame[sure.other.picture]),
        "after_action_ms": round(float(recording.picture_ms[sure.other.picture]) - options.action_ms, 3),
        "reason": sure.other.reason,
    }
    return found | {"confidence": sure.word, "other": other}


def _changed(recording: Recording, changes: Changes, frame: int) -> Bools:
    """Return (rows, columns): what a frame changes; of the onset of a fade what changes where it was found."""
    picture = int(recording.picture[frame])
    visible = np.flatnonzero(changes.count[picture:])
    return changes.blocks(picture + int(visible[0]) if len(visible) else picture)


def frame_evidence(
    recording: Recording, blocks: Bools, frame: int, action_ms: float, found_by: str
) -> dict[str, Any]:
    """Return frame index, times, SSIM, the changed area, `blocks`, and how it was found of one chosen frame."""
    picture = recording.picture[frame]
    return {
        "frame": frame,
        "frame_before": max(frame - 1, 0),
        "time_ms": round(float(recording.time_ms[frame]), 3),
        "after_action_ms": round(float(recording.time_ms[frame]) - action_ms, 3),
        "ssim_mean": round(float(recording.ssim_mean[picture]), 5),
        "ssim_worst": round(float(recording.ssim_worst[picture]), 5),
        "changed_pct": round(100 * float(np.mean(blocks)), 3),
        "changed_rect": recording.grid.rect_of(blocks),
        "found_by": found_by,
    }


def _ignored(recording: Recording, moments: Moments, options: MeasureOptions) -> list[dict[str, Any]]:
    background, finger = moments.background, moments.finger
    if options.show_touches and options.touch_xy is not None:
        finger = finger | touch_dot(recording.grid, options.touch_xy)
    areas = {
        REASONS["moved_before"]: background.before,
        REASONS["goes_on"]: background.at_end & ~background.caret,
        REASONS["finger"]: finger,
        REASONS["cursor"]: moments.pointer.path,
    }
    parts = list(areas.items())
    parts += [(REASONS["caret"], part) for part in connected(background.caret)]  # never one rectangle around two
    rects = [(reason, recording.grid.rect_of(area)) for reason, area in parts]
    return [{"rect": list(rect), "reason": reason} for reason, rect in rects if rect]


def _events(recording: Recording, moments: Moments, options: MeasureOptions) -> list[dict[str, Any]]:
    """Return the events after the action; of a long list the first and the last."""
    chosen: dict[str, int] = {}
    if moments.response is not None:
        chosen["response"] = int(recording.picture[moments.response])
    if moments.ending is not None:
        chosen["finish"] = moments.ending.visible
    half = MOST_EVENTS // 2
    told = (
        moments.events if len(moments.events) <= MOST_EVENTS else [*moments.events[:half], *moments.events[-half:]]
    )
    return [_event(recording, judged, options, chosen) for judged in told]


def _event(
    recording: Recording, judged: Judged, options: MeasureOptions, chosen: Mapping[str, int]
) -> dict[str, Any]:
    event, start = judged.event, recording.picture_ms[judged.pictures[0]]
    return {
        "start_ms": round(float(start) - options.action_ms, 3),
        "end_ms": round(event.end_ms - options.action_ms, 3),
        "rect": recording.grid.rect_of(event.place),
        "changed_pct": round(100 * event.share, 3),
        "decides": [moment for moment, picture in chosen.items() if picture in judged.pictures],
        "left_out": {moment: rule.reason for moment in judged.left_out if (rule := judged.why_not(moment))},
    }
