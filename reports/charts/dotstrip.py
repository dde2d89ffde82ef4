"""The dot strip of a result: every run of both versions on one axis, with medians, threshold and interval.

Geometry only, in percent of the strip's width. The ranking and the drill-down show the same strip: the one draws it
with a few paths, as it has a hundred of them, the other with a circle for each run that can be chosen.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

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
    """The strip of one result; None where there is nothing to mark."""

    base: tuple[Dot, ...]
    new: tuple[Dot, ...]
    median_base: float | None
    median_new: float | None
    threshold: float | None
    ci: tuple[float, float] | None

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
    so that they are painted over the others.
    """
    values = [value for side in LANES for _, value in result.points.get(side, [])]
    limit = limit_of(result)
    axis = _Axis.over([*values, *([limit] if limit is not None else [])])
    edges = [axis.place(_sum(result.median_base, end)) for end in (result.ci_low, result.ci_high)]

    def dots(side: str) -> tuple[Dot, ...]:
        found = (
            Dot(run_id, numbers.get(run_id, 0), value, axis.at(value), run_id in chosen)
            for run_id, value in result.points.get(side, [])
        )
        return tuple(sorted(found, key=lambda dot: dot.chosen))

    return DotStrip(
        base=dots("base"),
        new=dots("new"),
        median_base=axis.place(result.median_base),
        median_new=axis.place(result.median_new),
        threshold=axis.place(limit),
        ci=None if edges[0] is None or edges[1] is None else (edges[0], edges[1]),
    )


def draw_strip(result: Result) -> StripDrawing | None:
    """Draw the strip of a result for its row; None where it has no run at all."""
    strip = dot_strip(result)
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
