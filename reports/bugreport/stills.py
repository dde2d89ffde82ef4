"""Pictures of a bug report: a film of what changed, and the frames that decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from zipfile import ZipFile

import numpy as np
from django.core.files.storage import default_storage

from analysis.verdicts.text import number_text, signed_text
from reports.bugreport.frames import Wanted, frame_files
from reports.measuring.evidence import Box, chosen_frames
from reports.measuring.series import RunSeries
from reports.media.stills import NoSuchFrameError
from reports.models import Correction

FILM_PX, MOMENT_PX = 360, 720
ACTION = "action"
FILM_FRAMES = 10


@dataclass(frozen=True)
class Still:
    """One frame. ``file`` is its name in the zip; ``box`` the changed area; ``marks`` response and finish."""

    file: str
    frame: int
    clock_ms: float
    marks: str = ""
    box: Box | None = None

    @property
    def time(self) -> str:
        """Time after the action in words; what was on the screen at the action came earlier and is the zero."""
        return "0 ms" if self.marks == ACTION else f"{signed_text(self.clock_ms, 0)} ms"


@dataclass(frozen=True)
class MomentStills:
    """Response or finish (or both in one): the frame before, the frame, and what was seen in it."""

    label: str
    before: Still
    chosen: Still
    facts: str


@dataclass(frozen=True)
class Stills:
    """All pictures of one side; ``changed`` counts the changed frames that the film was chosen from."""

    film: tuple[Still, ...] = ()
    moments: tuple[MomentStills, ...] = ()
    changed: int = 0
    note: str = ""


def add_stills(out: ZipFile, key: str, series: RunSeries) -> Stills:
    """Put the pictures of a run into the zip; what cannot be made is left out, and the note says why."""
    shown, changed = film_frames(series)
    moments = list(moments_of(series))
    wanted = {(_time_us(series, frame), FILM_PX) for frame in shown}
    wanted |= {(_time_us(series, frame), MOMENT_PX) for moment in moments for frame in moment.frames}
    try:
        files = frame_files(series.run, wanted)
    except NoSuchFrameError as error:
        return Stills(changed=changed, note=f"No pictures of single frames: {error}.")
    names = dict(_add(out, key, files))
    marks = {moment.frames[1]: moment.label for moment in moments}
    marks.setdefault(series.frame_at(0.0), ACTION)
    film = [_still(series, names, frame, FILM_PX, marks.get(frame, "")) for frame in shown]
    return Stills(
        film=tuple(still for still in film if still.file),
        moments=tuple(found for moment in moments if (found := _moment_stills(series, names, moment))),
        changed=changed,
        note="" if len(names) == len(wanted) else "Some frames lie too late in the recording to be shown here.",
    )


def _moment_stills(series: RunSeries, names: dict[Wanted, str], moment: Moment) -> MomentStills | None:
    before, chosen = (
        _still(series, names, frame, MOMENT_PX, box=box)
        for frame, box in zip(moment.frames, (None, moment.box), strict=True)
    )
    if not before.file or not chosen.file:
        return None
    return MomentStills(moment.label, before, chosen, moment.facts)


def _still(
    series: RunSeries, names: dict[Wanted, str], frame: int, height: int, marks: str = "", box: Box | None = None
) -> Still:
    file = names.get((_time_us(series, frame), height), "")
    return Still(file, frame, float(series.clock_ms[frame]), marks, box)


def _add(out: ZipFile, key: str, files: dict[Wanted, str]) -> Iterator[tuple[Wanted, str]]:
    for want in sorted(files):
        name = f"frames/{key}-{want[0]:09d}us-{want[1]}.webp"
        with default_storage.open(files[want]) as picture:
            out.writestr(name, picture.read())
        yield want, name


def _time_us(series: RunSeries, frame: int) -> int:
    return round(float(series.series.time_ms[frame]) * 1000)


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
