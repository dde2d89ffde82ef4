"""The data of a course's chart: where everything stands, in the units of its axes, and what is said about it.

One function for all who draw it: the SVG of the page and of files, and the script that draws it once more.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format

from analysis.history.deviations import DOWN, UP
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import number_text
from reports.history.drawing import level_words, step_words
from reports.history.notes import Mark
from reports.history.releases import day_of
from reports.history.trend import BY_DAYS, Trend
from reports.models import Level, OsVersion

TICKS = 4
MOST_LABELS = 40  # names of versions that can be read side by side
DATES = 12
STEPS_DAYS = (1, 2, 7, 14, 28, 91, 182, 364)  # between two dates on the axis
MOST_WORDS = 3  # notes that a mark tells; all of them stand below the chart
Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Point:
    """A version in the chart.

    ``place`` is its number in the part of the line that is shown, ``x`` where it stands on the axis: there, or in
    days since the first. ``tone`` is worse or better where people feel its step, else empty. ``compares`` is the
    address that compares it with the version that was chosen before; empty where it is the first to be chosen.
    """

    version: str
    place: int
    x: float
    p50: float
    p90: float
    p99: float
    low: float | None
    high: float | None
    tone: str
    words: Sequence[str]
    compares: str
    picked: bool
    dots: Sequence[float]


@dataclass(frozen=True)
class Said:
    """The numbers of what was said about one version: ``4`` or ``4–6``; ``first`` of them."""

    x: float
    first: int
    text: str
    words: str


@dataclass(frozen=True)
class Figure:
    """All that a chart shows. ``across`` and ``up`` are the ends of its axes; the pinned version is at ``pin``."""

    title: str
    unit: str
    across: tuple[float, float]
    up: tuple[float, float]
    names: Ticks
    values: Ticks
    points: Sequence[Point]
    pin: float | None
    said: Sequence[Said]

    def plain(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return asdict(self)


def make_figure(trend: Trend, picked: str = "", marks: Sequence[Mark] = ()) -> Figure:
    """Lay a course out; the axis of values spans all that is drawn, and begins at 0 if that is near.

    ``picked`` names the version that was chosen to be compared with another, ``marks`` is what was said about
    versions, in the order of the line.
    """
    versions = trend.line.versions
    across = _days(versions) if trend.by == BY_DAYS else {row.pk: float(at) for at, row in enumerate(versions)}
    place = {row.pk: at for at, row in enumerate(versions)}
    unit, decimals = metric_unit(trend.course.metric)
    low, high = _span(trend)

    def point(level: Level) -> Point:
        return Point(
            version=level.version.name,
            place=place[level.version_id],
            x=across[level.version_id],
            tone={UP: "worse", DOWN: "better"}.get(level.mark, "") if level.felt else "",
            words=_words(level, trend.course.metric),
            compares=_pair_address(trend, picked, level.version.name),
            picked=picked == level.version.name,
            dots=[round(value, 2) for value in trend.dots.get(level.version_id, ())],
            **{name: _rounded(getattr(level, name)) for name in ("p50", "p90", "p99", "low", "high")},
        )

    pinned = next((across[row.pk] for row in versions if row.pinned), None)
    return Figure(
        title=metric_label(trend.course.metric),
        unit=unit,
        across=(min(across.values(), default=0.0), max(across.values(), default=0.0)),
        up=(low, high),
        names=_dates(versions, across) if trend.by == BY_DAYS else _names(versions),
        values=[(value, number_text(value, decimals)) for value in _ticks(low, high)],
        points=sorted((point(level) for level in trend.levels), key=lambda each: each.x),
        pin=pinned,
        said=_said(marks, across),
    )


def _words(level: Level, metric: str) -> list[str]:
    """Say all of a level: which versions, how it moved as the matrix says it, its interval, its slow runs."""
    unit, decimals = metric_unit(metric)
    if level.before is None or not level.mark:
        told = [level.version.name, level_words(vars(level), metric) + ", the first of its line"]
    else:
        told = [f"{level.before.name} → {level.version.name}", step_words(vars(level), metric)]
    if level.low is not None:
        told.append(f"95 % {number_text(level.low, decimals)} … {number_text(level.high, decimals)} {unit}")
    slow = f"P90 {number_text(level.p90, decimals)}, P99 {number_text(level.p99, decimals)} {unit}"
    return [*told, slow, f"came {date_format(day_of(level.version), 'j M Y')}"]


def _days(versions: Sequence[OsVersion]) -> dict[int, float]:
    """Return on which day each version came out, counted from the first; those of one day stand within it."""
    days = {row.pk: day_of(row).toordinal() for row in versions}
    start = min(days.values(), default=0)
    found: dict[int, float] = {}
    for day in set(days.values()):
        same = [pk for pk, of in days.items() if of == day]
        found |= {pk: round(day - start + number / len(same), 3) for number, pk in enumerate(same)}
    return found


def _names(versions: Sequence[OsVersion]) -> Ticks:
    every = math.ceil(len(versions) / MOST_LABELS) or 1
    return [(float(at), row.name) for at, row in enumerate(versions) if at % every == 0]


def _dates(versions: Sequence[OsVersion], across: Mapping[int, float]) -> Ticks:
    """Return dates in even steps, a dozen at most where years do not take more."""
    if not versions:
        return []
    first: date = min(map(day_of, versions))
    span = int(max(across.values()))
    step = next((days for days in STEPS_DAYS if span / days < DATES), math.ceil(span / DATES))
    return [(float(at), date_format(first + timedelta(days=at), "j M Y")) for at in range(0, span + 1, step)]


def _said(marks: Sequence[Mark], across: Mapping[int, float]) -> list[Said]:
    """Gather marks by their numbers, those of one version as one."""
    numbered = enumerate(marks, start=1)
    found = []
    for version, group in groupby(numbered, key=lambda pair: pair[1].version.pk):
        same = list(group)
        first, last = same[0][0], same[-1][0]
        text = str(first) if first == last else f"{first}–{last}"
        words = "; ".join(mark.words for _, mark in same[:MOST_WORDS])
        more = f"; and {len(same) - MOST_WORDS} more" if len(same) > MOST_WORDS else ""
        found.append(Said(across[version], first, text, words + more))
    return found


def _pair_address(trend: Trend, picked: str, name: str) -> str:
    """Return where two versions are compared, the older one as the baseline."""
    order = [version.name for version in trend.line.versions]
    if picked not in order or picked == name:
        return ""
    pair = sorted([picked, name], key=order.index)
    return f"{reverse('ranking', args=pair)}?{urlencode({'q': trend.course.interaction.name})}"


def _span(trend: Trend) -> tuple[float, float]:
    values = [value for level in trend.levels for value in (level.p50, level.p99, level.low, level.high)]
    values += [value for dots in trend.dots.values() for value in dots]
    known = [value for value in values if value is not None]
    low, high = (max(min(known), 0.0), max(known)) if known else (0.0, 1.0)
    low = 0.0 if low < 0.5 * high else low
    return low, high if high > low else low + 1.0


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers within a span, about four."""
    raw = (high - low) / TICKS
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= raw)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]


def _rounded(value: float | None) -> Any:
    return None if value is None else round(value, 2)
