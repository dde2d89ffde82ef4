"""The film strip: what both sides show at the same times, as a table with a column for each time."""

import math
from dataclasses import dataclass

import numpy as np

from reports.drilldown.moments import MomentWords, Pair
from reports.drilldown.players import frame_url
from reports.drilldown.runs import LABELS
from reports.measuring.series import NEAR_MS, RunSeries
from reports.media.stills import SMALL_PX

INTERVALS = {"changes": "every change", "100": "100 ms", "500": "500 ms"}
DEFAULT = "100"
MOST_COLUMNS = 120  # more are thinned: a strip of two minutes tells nothing


@dataclass(frozen=True)
class FilmMark:
    """Response or finish that has come since the column before, after the action."""

    moment: str
    label: str
    at_ms: float


@dataclass(frozen=True)
class FilmCell:
    """What a side shows at a column's time. ``fresh``: something else than in the column before."""

    frame: int
    at_ms: float
    picture: str
    fresh: bool
    marks: tuple[FilmMark, ...]


@dataclass(frozen=True)
class FilmRow:
    """One side of the strip."""

    key: str
    label: str
    run_id: int
    cells: tuple[FilmCell, ...]


@dataclass(frozen=True)
class Film:
    """The strip of a pair. ``left_out``: how many columns were thinned away."""

    interval: str
    times_ms: tuple[float, ...]
    rows: tuple[FilmRow, ...]
    left_out: int


def film_strip(runs: Pair, words: dict[str, MomentWords], interval: str = "") -> Film | None:
    """Lay both runs out from the action to the later finish; None where neither has a frame series.

    ``interval`` is a key of INTERVALS. Nudges do not count here: each side is shown by its own recording's clock.
    """
    if not runs:
        return None
    interval = interval if interval in INTERVALS else DEFAULT
    end = max(_end(run) for run in runs.values())
    every = _changes(runs, end) if interval == "changes" else _steps(float(interval), end)
    times = _thinned(every, [at for run in runs.values() for at in _moments(run).values()])
    return Film(
        interval,
        tuple(times),
        tuple(FilmRow(key, LABELS[key], run.run.pk, _cells(run, times, words)) for key, run in runs.items()),
        len(every) - len(times),
    )


def _end(run: RunSeries) -> float:
    return run.finish_ms if run.finish_ms is not None else max(float(run.clock_ms[-1]), 0.0)


def _steps(step: float, end: float) -> list[float]:
    """Return every instant from the action to the first at which the later side is done."""
    return [step * number for number in range(math.ceil((end - NEAR_MS) / step) + 1)]


def _changes(runs: Pair, end: float) -> list[float]:
    """Return the action and the times at which either side shows something new.

    Two changes within half a refresh share a column, at the later one: there both are to be seen.
    """
    changed = [run.clock_ms[run.changed] for run in runs.values()]
    at = np.sort(np.concatenate([[0.0], *changed]))
    at = at[(at >= 0.0) & (at <= end + NEAR_MS)]
    half = 500.0 / max(run.refresh_hz for run in runs.values())
    columns: list[float] = [0.0]
    first = -math.inf  # the action has a column of its own: a change is never seen at it
    for time in (float(value) for value in at if value > NEAR_MS):
        if time - first < half:
            columns[-1] = time
        else:
            columns.append(time)
            first = time
    return columns


def _thinned(times: list[float], moments: list[float]) -> list[float]:
    """Return evenly chosen times, not more than fit, with those among them at which a moment has come."""
    if len(times) <= MOST_COLUMNS:
        return times
    places = set(np.linspace(0, len(times) - 1, MOST_COLUMNS).round().astype(int).tolist())
    places |= {place for at in moments if (place := _column(times, at)) is not None}
    return [times[place] for place in sorted(places)]


def _column(times: list[float], at: float) -> int | None:
    """Return the first column at which the moment has come."""
    return next((place for place, time in enumerate(times) if time >= at - NEAR_MS), None)


def _moments(run: RunSeries) -> dict[str, float]:
    found = {"response": run.response_ms, "finish": run.finish_ms}
    return {moment: at for moment, at in found.items() if at is not None}


def _cells(run: RunSeries, times: list[float], words: dict[str, MomentWords]) -> tuple[FilmCell, ...]:
    frames = [run.frame_at(at) for at in times]
    marks: dict[int, list[FilmMark]] = {}
    for moment, at in _moments(run).items():
        place = _column(times, at)
        if place is not None:
            marks.setdefault(place, []).append(FilmMark(moment, words[moment].label, at))
    changed = run.changed
    return tuple(
        FilmCell(
            frame,
            at,
            f"{frame_url(run.run.pk, float(run.series.time_ms[frame]))}?h={SMALL_PX}",
            bool(place) and bool(((changed > frames[place - 1]) & (changed <= frame)).any()),
            tuple(marks.get(place, ())),
        )
        for place, (at, frame) in enumerate(zip(times, frames, strict=True))
    )
