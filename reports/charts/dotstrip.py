"""The dot strip of a result: every run of both versions on one axis, with medians, threshold and interval.

Geometry only, in percent of the strip's width. The ranking and the drill-down show the same strip: the one draws it
with a few paths, as it has a hundred of them, the other with a circle for each run that can be chosen. Where a side
has more than MOST_DOTS runs, the drill-down draws a shape, as high as the runs are dense, and dots for a few.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.verdicts.sentences import metric_unit
from analysis.verdicts.text import count_text, number_text
from analysis.verdicts.words import IMPROVEMENT
from reports.models import Result

AIR = 0.04  # of what the strip spans, on either side
WIDTH = 240.0  # of the drawing of a row, whatever its width on the screen
LANES = {"base": 8.5, "new": 23.5}  # heights of the two rows of dots in it
STACK = (0.0, -3.0, 3.0, -6.0, 6.0)  # dots at one place step aside
STEP = 4.0  # dots nearer than this are at one place
CROWD = 400  # of so many dots a tenth of a pixel shows nothing: whole ones keep the page small
NOBODY: Mapping[int, int] = {}
MOST_DOTS = 100  # of a side that are drawn one by one
FEW_DOTS = 5  # where there are more: quartiles, median and ends
ENDS = 5  # so many of either end, where the odd runs are
BINS = 120  # of the shape, over the width of the strip
TALLEST, LOWEST = 8.0, 0.6  # px from its middle to its edge: where most runs are, and where one is alone


@dataclass(frozen=True)
class Dot:
    """One run. ``number`` is its repetition, 0 where nobody asked for it."""

    run_id: int
    number: int
    value: float
    x: float
    chosen: bool


@dataclass(frozen=True)
class DotStrip:
    """The strip of one result; None where there is nothing to mark.

    The shapes stand for all runs of a side that has too many for dots: SVG path data in a box BINS wide and twice
    TALLEST high, empty where every run has its dot.
    """

    base: tuple[Dot, ...]
    new: tuple[Dot, ...]
    median_base: float | None
    median_new: float | None
    threshold: float | None
    ci: tuple[float, float] | None
    base_shape: str = ""
    new_shape: str = ""

    @property
    def crowded(self) -> bool:
        """Whether a side shows a shape, and dots of some runs only."""
        return bool(self.base_shape or self.new_shape)

    @property
    def box(self) -> str:
        """What the paths of the shapes are drawn in."""
        return f"0 0 {BINS} {2 * TALLEST:g}"

    @property
    def ci_width(self) -> float:
        """Width of the interval."""
        return self.ci[1] - self.ci[0] if self.ci else 0.0


@dataclass(frozen=True)
class StripDrawing:
    """A strip as SVG path data for the dots of each version, and x positions of what is marked."""

    base: str
    new: str
    median_base: float | None
    median_new: float | None
    threshold: float | None
    label: str


def dot_strip(result: Result, *, numbers: Mapping[int, int] = NOBODY, chosen: Collection[int] = ()) -> DotStrip:
    """Place the runs of a result; the axis spans all runs and the threshold, with a little air.

    ``numbers`` are the repetitions by run id, ``chosen`` the ids of the runs that are shown: their dots come last,
    so that they are painted over the others. A side of more than MOST_DOTS runs has dots for its ends, quartiles
    and median, and for the chosen.
    """
    return _strip(result, numbers, chosen, most=MOST_DOTS)


def _strip(result: Result, numbers: Mapping[int, int], chosen: Collection[int], *, most: float) -> DotStrip:
    values = [value for side in LANES for _, value in result.points.get(side, [])]
    limit = limit_of(result)
    axis = _Axis.over([*values, *([limit] if limit is not None else [])])
    edges = [axis.place(_sum(result.median_base, end)) for end in (result.ci_low, result.ci_high)]

    def dots(side: str) -> tuple[Dot, ...]:
        points = result.points.get(side, [])
        found = (
            Dot(run_id, numbers.get(run_id, 0), value, axis.at(value), run_id in chosen)
            for run_id, value in (points if len(points) <= most else _few(points, chosen))
        )
        return tuple(sorted(found, key=lambda dot: dot.chosen))

    def shape(side: str) -> str:
        points = result.points.get(side, [])
        return _shape([axis.at(value) for _, value in points]) if len(points) > most else ""

    return DotStrip(
        base=dots("base"),
        new=dots("new"),
        median_base=axis.place(result.median_base),
        median_new=axis.place(result.median_new),
        threshold=axis.place(limit),
        ci=None if edges[0] is None or edges[1] is None else (edges[0], edges[1]),
        base_shape=shape("base"),
        new_shape=shape("new"),
    )


def draw_strip(result: Result) -> StripDrawing | None:
    """Draw the strip of a result for its row; None where it has no run at all."""
    strip = _strip(result, NOBODY, (), most=math.inf)
    if not strip.base and not strip.new:
        return None
    return StripDrawing(
        base=_strokes(strip.base, LANES["base"]),
        new=_strokes(strip.new, LANES["new"]),
        median_base=_drawn(strip.median_base),
        median_new=_drawn(strip.median_new),
        threshold=_drawn(strip.threshold),
        label=_label(result),
    )


def evenly(count: int, most: int) -> list[int]:
    """Return up to ``most`` places of ``count``, evenly spaced, with the first and the last."""
    return sorted(set(np.linspace(0, count - 1, min(count, most)).round().astype(int).tolist()))


def limit_of(result: Result) -> float | None:
    """Return the value that the updated median would have to pass: below the baseline's for an improvement."""
    side = -1.0 if result.verdict == IMPROVEMENT else 1.0
    return _sum(result.median_base, None if result.threshold is None else side * result.threshold)


@dataclass(frozen=True)
class _Axis:
    """What a strip spans, in the metric's unit."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "_Axis":
        found = list(values) or [0.0, 1.0]
        low, high = min(found), max(found)
        air = AIR * ((high - low) or max(abs(high), 1.0))
        return cls(low - air, high + air)

    def at(self, value: float) -> float:
        """Return the place of a value, kept on the strip."""
        return round(100 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0), 2)

    def place(self, value: float | None) -> float | None:
        return None if value is None else self.at(value)


def _few(points: Sequence[tuple[int, float]], chosen: Collection[int]) -> list[tuple[int, float]]:
    """Return the runs of a crowd that have a dot, by value."""
    ranked = sorted(points, key=lambda point: (point[1], point[0]))
    kept = {*evenly(len(ranked), FEW_DOTS), *range(ENDS), *range(len(ranked) - ENDS, len(ranked))}
    return [point for place, point in enumerate(ranked) if place in kept or point[0] in chosen]


def _shape(places: Sequence[float]) -> str:
    """Return a column for each bin that has a run, around the middle; the fullest bin is TALLEST."""
    counts, _ = np.histogram(places, bins=BINS, range=(0.0, 100.0))
    heights = np.maximum(TALLEST * counts / counts.max(), LOWEST).round(1).tolist()
    columns = zip(counts.tolist(), heights, strict=True)
    return "".join(
        f"M{place} {TALLEST - height:g}h1v{2 * height:g}h-1z"
        for place, (count, height) in enumerate(columns)
        if count
    )


def _sum(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right


def _drawn(x: float | None) -> float | None:
    return None if x is None else round(x * WIDTH / 100, 1)


def _strokes(dots: Iterable[Dot], lane: float) -> str:
    """Return zero-length strokes; drawn with round caps they are dots, at any width of the drawing."""
    places = sorted(dot.x * WIDTH / 100 for dot in dots)
    decimals = 1 if len(places) <= CROWD else 0
    parts: dict[str, None] = {}  # in order, and what would be painted over itself only once
    taken: dict[int, int] = {}
    for x in places:
        place = round(x / STEP)
        level = taken.get(place, 0)
        taken[place] = level + 1
        parts[f"M{round(x, decimals):g} {lane + STACK[level % len(STACK)]:g}h.01"] = None
    return "".join(parts)


def _label(result: Result) -> str:
    unit, decimals = metric_unit(result.metric)
    sides = []
    for side, name in (("base", "baseline"), ("new", "updated")):
        values = [value for _, value in result.points.get(side, [])]
        sides.append(_side(name, values, unit, decimals))
    limit = limit_of(result)
    if limit is not None:
        sides.append(f"threshold at {number_text(limit, decimals)} {unit}")
    return "; ".join(sides)


def _side(name: str, values: list[float], unit: str, decimals: int) -> str:
    if not values:
        return f"no {name} run"
    low, high = number_text(min(values), decimals), number_text(max(values), decimals)
    return f"{count_text(len(values), f'{name} run')} from {low} to {high} {unit}"
