"""Evidence: what lets a person check the chosen frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

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
MOST_EVENTS = 24  # kept with a measurement: a game has hundreds


def build_evidence(
    recording: Recording, changes: Changes, moments: Moments, options: MeasureOptions
) -> dict[str, Any]:
    """Return a JSON-ready account of the measurement, a few kB."""
    return {
        "response": _moment(
            recording, changes, moments, options, "response", moments.onset.found_by if moments.onset else ""
        ),
        "finish": _moment(recording, changes, moments, options, "finish", LAST),
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
    recording: Recording, changes: Changes, moments: Moments, options: MeasureOptions, moment: Moment, found_by: str
) -> dict[str, Any] | None:
    """Return the chosen frame of a moment, how sure it is, and the other candidate where there is one."""
    frame = moments.response if moment == "response" else moments.finish
    found = frame_evidence(recording, changes, frame, options.action_ms, found_by)
    if found is None:
        return None
    sure = moments.confidence[moment]
    other = sure.other and {
        "frame": int(recording.first_frame[sure.other.picture]),
        "after_action_ms": round(float(recording.picture_ms[sure.other.picture]) - options.action_ms, 3),
        "reason": sure.other.reason,
    }
    return found | {"confidence": sure.word, "other": other}


def frame_evidence(
    recording: Recording, changes: Changes, frame: int | None, action_ms: float, found_by: str
) -> dict[str, Any] | None:
    """Return frame index, times, SSIM, the changed area and how it was found of one chosen frame."""
    if frame is None:
        return None
    picture = recording.picture[frame]
    visible = np.flatnonzero(changes.count[picture:])  # the onset of a fade: show where it was found
    blocks = changes.blocks(int(picture + visible[0]) if len(visible) else int(picture))
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
    chosen = {
        moment: int(recording.picture[frame])
        for moment, frame in (("response", moments.response), ("finish", moments.finish))
        if frame is not None
    }
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
