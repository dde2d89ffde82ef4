"""The worst regressions in frames: when the baseline had answered, and when the updated version did.

The runs are those that the drill-down opens with, the moments those that were measured (or that a person
corrected), the pictures those that the drill-down and the bug report keep; nothing is chosen or counted anew here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.forms import model_to_dict

from analysis.verdicts.sentences import result_sentence
from analysis.verdicts.text import count_text, number_text
from reports.drilldown.moments import DROPS, moment_words
from reports.drilldown.runs import LABELS, typical_run
from reports.gate.formats import by_interaction
from reports.measuring.evidence import Box, ChosenFrame, chosen_frames
from reports.measuring.series import RunSeries, load_series
from reports.media.files import NO_SCREENCAST
from reports.media.frames import Wanted, frame_pictures
from reports.media.stills import SMALL_PX, NoSuchFrameError
from reports.models import Comparison, Result
from reports.models.measured import MOMENT_OF
from reports.web.offline import data_uri

TOP = 10  # interactions that are told in frames
MOST_BYTES = 1_200_000  # of pictures in one report: written as text they take a third more

Row = Mapping[str, Any]  # a regression as the gate's report holds it


@dataclass(frozen=True)
class End:
    """How one says that what a metric ends with is reached, or not yet."""

    reached: str
    not_yet: str


ENDS = {
    "response_time_ms": End("responds", "has not responded yet"),
    "finish_time_ms": End("is ready", "is not ready yet"),
    "launch_time_ms": End("is usable", "is not usable yet"),
}


@dataclass(frozen=True)
class Shot:
    """One frame: what it shows in words, the changed area, and the picture as an address that carries it."""

    key: str
    run: int
    words: str
    frame: int
    box: Box | None = None
    picture: str = ""

    @property
    def label(self) -> str:
        """Baseline or Updated."""
        return LABELS[self.key]


@dataclass(frozen=True)
class Story:
    """An interaction that regressed: its worst metric, the others that regressed too, and what one can see.

    ``sentence`` is empty and there are no shots where the numbers are no longer those of the stored results;
    ``note`` says what cannot be shown, and why.
    """

    row: Row
    also: tuple[Row, ...]
    sentence: str = ""
    shots: tuple[Shot, ...] = ()
    note: str = ""
    wide: bool = False  # the screens are wider than tall


@dataclass
class Means:
    """What the pictures of one report may still cost: bytes, and until when (seconds of the process's clock)."""

    until: float
    bytes_left: int

    @property
    def in_time(self) -> bool:
        """Whether pictures may still be made."""
        return time.monotonic() < self.until


def load_stories(
    comparison: Comparison, regressions: Sequence[Row], *, patience_s: float = float("inf")
) -> tuple[Story, ...]:
    """Tell the worst interactions of a gate report, in its order.

    Three queries, and one for each recording that pictures must be made of. That stops after ``patience_s``;
    pictures that are kept already are always shown.
    """
    told = [Story(lead, tuple(others)) for lead, *others in by_interaction(regressions)[:TOP]]
    results = _stored(comparison, [story.row for story in told])
    chosen = {
        key: {side: typical_run(side, [result]) for side in LABELS}
        for key, result in results.items()
        if result.metric in {*ENDS, DROPS}
    }
    ids = [run for pair in chosen.values() for run in pair.values() if run]
    series = load_series(*ids) if ids else {}
    means = Means(time.monotonic() + patience_s, MOST_BYTES)
    stories = []
    for story in told:
        key = _key(story.row)
        runs = {side: series[run] for side, run in chosen.get(key, {}).items() if run in series}
        stories.append(_told(story, results.get(key), runs, means))
    return tuple(stories)


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("app", "interaction", "device", "metric", "median_base", "median_new"))


def _stored(comparison: Comparison, rows: Sequence[Row]) -> dict[tuple[Any, ...], Result]:
    """Return the stored results that still hold the numbers of these rows; one query, none for no row."""
    places = Q()
    for row in rows:
        places |= Q(
            interaction__app__package=row["app"], interaction__name=row["interaction"], metric=row["metric"]
        )
    if not places:
        return {}
    found = Result.objects.filter(places, comparison=comparison).select_related("interaction__app", "device")
    return {_key(_as_row(result)): result for result in found}


def _as_row(result: Result) -> Row:
    place = {
        "app": result.interaction.app.package,
        "interaction": result.interaction.name,
        "device": result.device.name,
    }
    numbers = {name: getattr(result, name) for name in ("metric", "median_base", "median_new")}
    return place | numbers


def _told(story: Story, result: Result | None, runs: Mapping[str, RunSeries], means: Means) -> Story:
    if result is None:
        return replace(story, note="The results were computed again since: there are no frames of these numbers.")
    shots, note = _shots(result, runs)
    shown, why = _pictured(shots, runs, means) if shots else ([], "")
    judged_alike = result.threshold == story.row["threshold"]  # else another policy decided than the one stored
    return replace(
        story,
        sentence=result_sentence(model_to_dict(result)) if judged_alike else "",
        shots=tuple(shown),
        note=f"{note} {why}".strip(),
        wide=any((run.run.width_px or 0) > (run.run.height_px or 0) for run in runs.values()),
    )


def _shots(result: Result, runs: Mapping[str, RunSeries]) -> tuple[list[Shot], str]:
    """Return the frames that tell a result, without pictures, and what is missing among them."""
    if not result.interaction.filmed:
        return [], NO_SCREENCAST
    if result.metric not in {*ENDS, DROPS}:
        return [], "No single frame shows this metric."
    silent = [label for key, label in LABELS.items() if key not in runs]
    if silent:
        return [], f"No frames: the run of {' and of '.join(silent)} that stands for the others has none stored."
    base, new = runs["base"], runs["new"]
    if result.metric == DROPS:
        return list(_standstill(base, new)), "" if new.dropped else "The run that is shown lost no frame."
    return list(_answers(result.metric, base, new)), _missing(result, runs)


def _missing(result: Result, runs: Mapping[str, RunSeries]) -> str:
    lacking = [LABELS[key] for key, run in runs.items() if _end_of(result.metric, run) is None]
    name = moment_words(result.interaction)[MOMENT_OF[result.metric]].label.lower()
    return f"No {name} was found in the run of {' and of '.join(lacking)}." if lacking else ""


def _end_of(metric: str, run: RunSeries) -> ChosenFrame | None:
    return next((frame for frame in chosen_frames(run) if frame.moment == MOMENT_OF[metric]), None)


def _answers(metric: str, base: RunSeries, new: RunSeries) -> Iterator[Shot]:
    """Yield the baseline's answer, the updated version at that moment if it had none yet, and its answer."""
    end, first, last = ENDS[metric], _end_of(metric, base), _end_of(metric, new)
    if first:
        yield _answer("base", base, end, first)
    if first and last and first.after_action_ms < last.after_action_ms:
        words = f"{end.not_yet} after {_ms(first.after_action_ms)}"
        yield Shot("new", new.run.repetition, words, new.frame_at(first.after_action_ms))
    if last:
        yield _answer("new", new, end, last)


def _answer(key: str, run: RunSeries, end: End, frame: ChosenFrame) -> Shot:
    words = f"{end.reached} after {_ms(frame.after_action_ms)}"
    return Shot(key, run.run.repetition, words, frame.frame, frame.box)


def _standstill(base: RunSeries, new: RunSeries) -> Iterator[Shot]:
    """Yield both screens at the updated version's longest standstill while it should have moved."""
    longest = new.longest_drop
    if longest is None:
        return
    start, lost = longest["from_ms"], count_text(int(longest["frames"]), "frame")
    yield Shot("base", base.run.repetition, f"at the same moment, after {_ms(start)}", base.frame_at(start))
    words = f"stands still here from {number_text(start)} to {_ms(longest['to_ms'])}: {lost} lost at once"
    yield Shot("new", new.run.repetition, words, new.frame_at(start))


def _ms(time_ms: float) -> str:
    return f"{number_text(time_ms)} ms"


def _pictured(shots: Sequence[Shot], runs: Mapping[str, RunSeries], means: Means) -> tuple[list[Shot], str]:
    """Return the shots that there are pictures of, and why others are missing."""
    if means.bytes_left <= 0:
        return [], "Its frames are left out: they would make this file too large."
    try:
        files = {key: _pictures(key, shots, run, means) for key, run in runs.items()}
        there = [(shot, found) for shot in shots if (found := _picture(shot, runs, files))]
    except NoSuchFrameError as error:
        return [], f"No frames: {error}."
    shown = [replace(shot, picture=_uri(found, means)) for shot, found in there]
    if len(shown) == len(shots):
        return shown, ""
    if not means.in_time:
        return shown, "Its frames were not ready in time: download this report again, and they are in it."
    return shown, "Some frames lie too late in the recording to be shown here."


def _pictures(key: str, shots: Sequence[Shot], run: RunSeries, means: Means) -> dict[Wanted, bytes]:
    wanted = {_wanted(run, shot) for shot in shots if shot.key == key}
    return frame_pictures(run.run, wanted, make=means.in_time)


def _picture(shot: Shot, runs: Mapping[str, RunSeries], files: Mapping[str, dict[Wanted, bytes]]) -> bytes | None:
    return files[shot.key].get(_wanted(runs[shot.key], shot))


def _wanted(run: RunSeries, shot: Shot) -> Wanted:
    return round(float(run.series.time_ms[shot.frame]) * 1000), SMALL_PX


def _uri(picture: bytes, means: Means) -> str:
    means.bytes_left -= len(picture)
    return data_uri(picture, "image/webp")
