"""Pictures of a bug report: a film of what changed, and the frames that decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from zipfile import ZipFile

import numpy as np

from analysis.verdicts.text import number_text, signed_text
from reports.drilldown.moments import MomentWords
from reports.measuring.evidence import Box, ChosenFrame, chosen_frames
from reports.measuring.series import NEAR_MS, RunSeries
from reports.media.frames import Wanted, frame_pictures
from reports.media.stills import LARGE_PX, SMALL_PX, NoSuchFrameError

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


def add_stills(out: ZipFile, key: str, series: RunSeries, words: Mapping[str, MomentWords]) -> Stills:
    """Put the pictures of a run into the zip; what cannot be made is left out, and the note says why."""
    shown, changed = film_frames(series)
    moments = list(moments_of(series, words))
    wanted = {(_time_us(series, frame), SMALL_PX) for frame in shown}
    wanted |= {(_time_us(series, frame), LARGE_PX) for moment in moments for frame in moment.frames}
    try:
        pictures = frame_pictures(series.run, wanted)
    except NoSuchFrameError as error:
        return Stills(changed=changed, note=f"No pictures of single frames: {error}.")
    names = dict(_add(out, key, pictures))
    marks = {moment.frames[1]: moment.label for moment in moments}
    marks.setdefault(series.frame_at(0.0), ACTION)
    film = [_still(series, names, frame, SMALL_PX, marks.get(frame, "")) for frame in shown]
    return Stills(
        film=tuple(still for still in film if still.file),
        moments=tuple(found for moment in moments if (found := _moment_stills(series, names, moment))),
        changed=changed,
        note="" if len(names) == len(wanted) else "Some frames lie too late in the recording to be shown here.",
    )


def _moment_stills(series: RunSeries, names: dict[Wanted, str], moment: Moment) -> MomentStills | None:
    before, chosen = (
        _still(series, names, frame, LARGE_PX, box=box)
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


def _add(out: ZipFile, key: str, pictures: dict[Wanted, bytes]) -> Iterator[tuple[Wanted, str]]:
    for want in sorted(pictures):
        name = f"frames/{key}-{want[0]:09d}us-{want[1]}.webp"
        out.writestr(name, pictures[want])
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
    changed = changed[series.clock_ms[changed] <= until + NEAR_MS]
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


def moments_of(series: RunSeries, words: Mapping[str, MomentWords]) -> Iterator[Moment]:
    """Yield response and finish, those that there are; one and the same frame for both is shown once."""
    names = {key: word.label.lower() for key, word in words.items()}
    found = [
        Moment(names[row.moment], (row.before, row.frame), row.box, _facts(row)) for row in chosen_frames(series)
    ]
    if len(found) == 2 and found[0] == replace(found[1], label=found[0].label):
        yield replace(found[0], label=f"{names['response']} and {names['finish']}")
    else:
        yield from found


def _facts(row: ChosenFrame) -> str:
    seen = (
        f"SSIM {number_text(row.ssim_mean, 4)}, worst block {number_text(row.ssim_worst, 3)}, "
        f"{number_text(row.changed_pct, 2)} % of the screen changed"
    )
    if row.correction is None:
        return seen
    automatic_ms = row.correction.automatic_ms
    measured = "nothing" if automatic_ms is None else f"{signed_text(automatic_ms, 1)} ms"
    return f"{seen}; set by a person, measured was {measured}"
