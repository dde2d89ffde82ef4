"""Which frames a bug report shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.verdicts.text import number_text, signed_text
from reports.measuring.evidence import Box, chosen_frames
from reports.measuring.series import RunSeries
from reports.models import Correction

FILM_FRAMES = 10


def film_frames(series: RunSeries) -> tuple[list[int], int]:
    """Return the frames of the film, and how many changed frames there are from the action to the finish.

    The film begins with what was on the screen at the action, then shows the changed frames: all, or evenly chosen
    ones with response and finish among them.
    """
    start = series.frame_at(0.0)
    until = series.finish_ms if series.finish_ms is not None else float("inf")
    changed = series.changed[series.changed > start]
    changed = changed[series.clock_ms[changed] <= until + 0.06]
    if not len(changed):
        return [start], 0
    places = np.linspace(0, len(changed) - 1, min(FILM_FRAMES, len(changed))).round().astype(int)
    kept = {start, *changed[places].tolist()}
    kept |= {series.frame_at(at) for at in (series.response_ms, series.finish_ms) if at is not None}
    return sorted(kept), len(changed)


@dataclass(frozen=True)
class Moment:
    """Response or finish, or both in one. ``frames`` are the indices of the frame before and the chosen one."""

    label: str
    frames: tuple[int, int]
    box: Box | None
    facts: str


def moments_of(series: RunSeries) -> Iterator[Moment]:
    """Yield response and finish, those that there are; a corrected one is the frame that the person chose."""
    size = (series.run.width_px, series.run.height_px)
    boxes = {found.name: found.box for found in chosen_frames(series.evidence, size)}
    found = {}
    for name, at in (("response", series.response_ms), ("finish", series.finish_ms)):
        if at is not None:
            correction = series.corrections.get(name)
            before, frame = _pair(series, name, at, correction)
            box = None if correction else boxes.get(name)
            found[name] = Moment(name, (before, frame), box, _facts(series, frame, correction))
    if len(found) == 2 and found["response"] == replace(found["finish"], label="response"):
        yield replace(found["finish"], label="response and finish")
    else:
        yield from found.values()


def _pair(series: RunSeries, name: str, at: float, correction: Correction | None) -> tuple[int, int]:
    evidence: dict[str, Any] = {} if correction else series.evidence.get(name) or {}
    last = len(series.clock_ms) - 1
    frame = min(int(evidence.get("frame", series.frame_at(at))), last)
    return min(int(evidence.get("frame_before", max(frame - 1, 0))), last), frame


def _facts(series: RunSeries, frame: int, correction: Correction | None) -> str:
    row = series.series
    seen = (
        f"SSIM {number_text(float(row.ssim_mean[frame]), 4)}, "
        f"worst block {number_text(float(row.ssim_worst[frame]), 3)}, "
        f"{number_text(float(row.changed_pct[frame]), 2)} % of the screen changed"
    )
    if correction is None:
        return seen
    measured = "nothing" if correction.automatic_ms is None else f"{signed_text(correction.automatic_ms, 1)} ms"
    return f"{seen}; set by a person, measured was {measured}"
