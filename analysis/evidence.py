"""Evidence: what lets a person check the chosen frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.detection.changes import Changes
from analysis.detection.noise import NOISE
from analysis.events.moments import Moments
from analysis.events.touch import DOT, touch_dot
from analysis.options import MeasureOptions
from analysis.video.recording import Recording


def build_evidence(
    recording: Recording, changes: Changes, moments: Moments, options: MeasureOptions
) -> dict[str, Any]:
    """Return a JSON-ready account of the measurement, a few kB."""
    return {
        "response": frame_evidence(recording, changes, moments.response, options.action_ms),
        "finish": frame_evidence(recording, changes, moments.finish, options.action_ms),
        "threshold_levels": round(max(changes.limits.isolated, NOISE.own_median * changes.floor_levels), 2),
        "noise_floor_levels": round(changes.floor_levels, 2),
        "variable_rate": recording.variable_rate,
        "moving": [int(frame) for frame in moments.moving],
        "masks": [mask.as_dict() for mask in options.masks],
        "ignored": _ignored(recording, moments, options),
        "notes": list(recording.notes),
        "video": recording.info.as_dict(),
    }


def frame_evidence(
    recording: Recording, changes: Changes, frame: int | None, action_ms: float
) -> dict[str, Any] | None:
    """Return frame index, times, SSIM and the changed area of one chosen frame."""
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
    }


def _ignored(recording: Recording, moments: Moments, options: MeasureOptions) -> list[dict[str, Any]]:
    areas = dict(moments.ignored)
    if options.show_touches and options.touch_xy is not None:
        areas[DOT] = areas[DOT] | touch_dot(recording.grid, options.touch_xy)
    rects = {reason: recording.grid.rect_of(area) for reason, area in areas.items()}
    return [{"rect": list(rect), "reason": reason} for reason, rect in rects.items() if rect]
