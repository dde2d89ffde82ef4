"""The dot strip of a ranking row: every run of both versions on one scale, medians and threshold marked.

Geometry only. Positions are in units of the drawing: WIDTH wide, whatever the width on the screen.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.verdicts.sentences import metric_unit
from analysis.verdicts.text import count_text, number_text
from analysis.verdicts.words import IMPROVEMENT
from reports.models import Result

WIDTH, MARGIN = 240.0, 6.0
LANES = {"base": 8.5, "new": 23.5}  # heights of the two rows of dots
STACK = (0.0, -3.0, 3.0, -6.0, 6.0)  # dots at one place step aside
STEP = 4.0  # dots nearer than this are at one place


@dataclass(frozen=True)
class DotStrip:
    """SVG path data for the dots of each version, and x positions of what is marked."""

    base: str
    new: str
    median_base: float | None
    median_new: float | None
    threshold: float | None
    label: str


def dot_strip(result: Result) -> DotStrip | None:
    """Lay out the runs of a result; None where it has no run at all."""
    values = {side: [point[1] for point in result.points.get(side, [])] for side in LANES}
    everything = values["base"] + values["new"]
    if not everything:
        return None
    limit = _limit(result)
    scale = _Scale.over([*everything, *([limit] if limit is not None else [])])
    return DotStrip(
        base=_dots(scale, values["base"], LANES["base"]),
        new=_dots(scale, values["new"], LANES["new"]),
        median_base=scale.at(result.median_base),
        median_new=scale.at(result.median_new),
        threshold=scale.at(limit),
        label=_label(result, values),
    )


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "_Scale":
        found = list(values)
        low, high = min(found), max(found)
        return cls(low, high) if high > low else cls(low - 1.0, high + 1.0)

    def at(self, value: float | None) -> float | None:
        if value is None:
            return None
        return round(MARGIN + (value - self.low) / (self.high - self.low) * (WIDTH - 2 * MARGIN), 1)


def _limit(result: Result) -> float | None:
    """Return the value that the updated median would have to pass."""
    if result.median_base is None or result.threshold is None:
        return None
    side = -1.0 if result.verdict == IMPROVEMENT else 1.0
    return result.median_base + side * result.threshold


def _dots(scale: _Scale, values: list[float], lane: float) -> str:
    """Return zero-length strokes; drawn with round caps they are dots, at any width of the drawing."""
    parts: list[str] = []
    taken: dict[int, int] = {}
    for x in sorted(x for x in map(scale.at, values) if x is not None):
        place = round(x / STEP)
        level = taken.get(place, 0)
        taken[place] = level + 1
        parts.append(f"M{x:g} {lane + STACK[level % len(STACK)]:g}h.01")
    return "".join(parts)


def _label(result: Result, values: dict[str, list[float]]) -> str:
    unit, decimals = metric_unit(result.metric)
    sides = [_side(name, values[side], unit, decimals) for side, name in (("base", "baseline"), ("new", "updated"))]
    limit = _limit(result)
    if limit is not None:
        sides.append(f"threshold at {number_text(limit, decimals)} {unit}")
    return "; ".join(sides)


def _side(name: str, values: list[float], unit: str, decimals: int) -> str:
    if not values:
        return f"no {name} run"
    low, high = number_text(min(values), decimals), number_text(max(values), decimals)
    return f"{count_text(len(values), f'{name} run')} from {low} to {high} {unit}"
