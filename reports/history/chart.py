"""Draw the chart of a course as SVG: the median with its interval, slow runs, single runs, a mark where it moved.

Numbers only; the template writes them. A point is a link, so that two versions are chosen without a script.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reports.history.figure import Figure, Point, Said

WIDTH, HEIGHT = 1200.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 16.0, 12.0, 104.0


@dataclass(frozen=True)
class Tick:
    """A place on an axis with its words."""

    at: float
    text: str


@dataclass(frozen=True)
class ChartPoint:
    """A version in the picture."""

    of: Point
    x: float
    y: float
    low: float | None
    high: float | None
    dots: Sequence[float]


@dataclass(frozen=True)
class MarkPlace:
    """The numbers of what was said about one version, under the axis."""

    of: Said
    x: float
    left: float
    width: float


@dataclass(frozen=True)
class Chart:
    """All that the template draws."""

    unit: str
    values: Sequence[Tick]
    names: Sequence[Tick]
    points: Sequence[ChartPoint]
    median: str
    band: str
    p90: str
    p99: str
    pin_x: float | None
    marks: Sequence[MarkPlace]


def draw_chart(figure: Figure) -> Chart:
    """Place a figure in a box of 1200 × 340."""
    x = _scale(figure.across, LEFT, WIDTH - RIGHT)
    y = _scale(figure.up, HEIGHT - BOTTOM, TOP)
    points = [
        ChartPoint(
            of=point,
            x=x(point.x),
            y=y(point.p50),
            low=None if point.low is None else y(point.low),
            high=None if point.high is None else y(point.high),
            dots=[y(value) for value in point.dots],
        )
        for point in figure.points
    ]
    return Chart(
        unit=figure.unit,
        values=[Tick(y(value), text) for value, text in figure.values],
        names=[Tick(x(at), text) for at, text in figure.names],
        points=points,
        median=_path([(point.x, point.y) for point in points]),
        band=_band(points),
        p90=_path([(point.x, y(point.of.p90)) for point in points]),
        p99=_path([(point.x, y(point.of.p99)) for point in points]),
        pin_x=None if figure.pin is None else x(figure.pin),
        marks=[_mark(said, x(said.x)) for said in figure.said],
    )


def _scale(span: tuple[float, float], start: float, end: float) -> Callable[[float], float]:
    """Return what maps a span to pixels; a span of nothing begins at its start."""
    low, high = span
    wide = high - low or 1.0
    return lambda value: round(start + (end - start) * (value - low) / wide, 1)


def _mark(said: Said, x: float) -> MarkPlace:
    width = 10.0 + 7.0 * len(said.text)
    return MarkPlace(said, x, round(x - width / 2, 1), width)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places) if places else ""


def _band(points: Sequence[ChartPoint]) -> str:
    """Return the outline of the interval; it is left open where versions have none."""
    upper = [(point.x, point.high) for point in points if point.high is not None]
    lower = [(point.x, point.low) for point in reversed(points) if point.low is not None]
    return _path([*upper, *lower]) + " Z" if len(upper) > 1 else ""
