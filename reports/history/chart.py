"""Draw a course as SVG: the median with its interval, slow runs, single runs, and a mark where it moved.

Numbers only; the template writes them. A point is a link, so that two versions are chosen without a script.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from django.urls import reverse

from analysis.history.deviations import DOWN, UP
from analysis.verdicts.sentences import metric_unit
from analysis.verdicts.text import number_text
from reports.history.notes import Mark
from reports.history.trend import Trend
from reports.models import Level

WIDTH, HEIGHT = 1200.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 16.0, 12.0, 104.0
TICKS = 4
MOST_LABELS = 40  # names of versions that can be read side by side


@dataclass(frozen=True)
class Tick:
    """A height on the axis with its number."""

    y: float
    text: str


@dataclass(frozen=True)
class ChartPoint:
    """A version in the chart. ``tone`` is worse or better where people feel its step, else empty.

    ``compares`` is the address that compares it with the version that was chosen before; empty where it is the
    first to be chosen.
    """

    level: Level
    compares: str
    x: float
    y: float
    low: float | None
    high: float | None
    tone: str
    label: bool
    dots: Sequence[float]


@dataclass(frozen=True)
class MarkPlace:
    """The numbers of what was said about one version, under the axis: ``4`` or ``4–6``; ``first`` of them."""

    x: float
    left: float
    width: float
    text: str
    first: int
    words: str


@dataclass(frozen=True)
class Chart:
    """All that the template draws."""

    unit: str
    ticks: Sequence[Tick]
    points: Sequence[ChartPoint]
    median: str
    band: str
    p90: str
    p99: str
    pin_x: float | None
    marks: Sequence[MarkPlace]


def draw_chart(trend: Trend, picked: str = "", marks: Sequence[Mark] = ()) -> Chart:
    """Place a course in a box of 1200 × 340; the axis spans all that is drawn, and begins at 0 if that is near.

    ``picked`` names the version that was chosen to be compared with another, ``marks`` is what was said about
    versions, in the order of the line.
    """
    place = {version.pk: number for number, version in enumerate(trend.line.versions)}
    step = (WIDTH - LEFT - RIGHT) / max(len(place) - 1, 1)
    low, high = _span(trend)
    unit, decimals = metric_unit(trend.course.metric)
    every = math.ceil(len(place) / MOST_LABELS)

    def x(level: Level) -> float:
        return LEFT + step * place[level.version_id]

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - (value - low) / (high - low)), 1)

    points = [
        ChartPoint(
            level=level,
            compares=_pair_address(trend, picked, level.version.name),
            x=round(x(level), 1),
            y=y(level.p50),
            low=None if level.low is None else y(level.low),
            high=None if level.high is None else y(level.high),
            tone={UP: "worse", DOWN: "better"}.get(level.mark, "") if level.felt else "",
            label=place[level.version_id] % every == 0,
            dots=[y(value) for value in trend.dots.get(level.version_id, ())],
        )
        for level in trend.levels
    ]
    pinned = next((version.pk for version in trend.line.versions if version.pinned), None)
    return Chart(
        unit=unit,
        ticks=[Tick(y(value), number_text(value, decimals)) for value in _ticks(low, high)],
        points=points,
        median=_path([(point.x, point.y) for point in points]),
        band=_band(points),
        p90=_path([(x(level), y(level.p90)) for level in trend.levels]),
        p99=_path([(x(level), y(level.p99)) for level in trend.levels]),
        pin_x=None if pinned is None else round(LEFT + step * place[pinned], 1),
        marks=_marks(marks, {pk: LEFT + step * number for pk, number in place.items()}),
    )


def _marks(marks: Sequence[Mark], across: Mapping[int, float]) -> list[MarkPlace]:
    """Place marks by their numbers, those of one version as one."""
    numbered = enumerate(marks, start=1)
    found = []
    for version, group in groupby(numbered, key=lambda pair: pair[1].version.pk):
        same = list(group)
        first, last = same[0][0], same[-1][0]
        text = str(first) if first == last else f"{first}–{last}"
        width = 10.0 + 7.0 * len(text)
        words = "; ".join(mark.words for _, mark in same)
        x = across[version]
        found.append(MarkPlace(round(x, 1), round(x - width / 2, 1), width, text, first, words))
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


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places) if places else ""


def _band(points: Sequence[ChartPoint]) -> str:
    """Return the outline of the interval; it is left open where versions have none."""
    upper = [(point.x, point.high) for point in points if point.high is not None]
    lower = [(point.x, point.low) for point in reversed(points) if point.low is not None]
    return _path([*upper, *lower]) + " Z" if len(upper) > 1 else ""
