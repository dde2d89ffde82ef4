"""Every run as a dot: by its value on a strip with medians and threshold, and in the order of recording."""

from collections.abc import Iterable
from dataclasses import dataclass

from reports.drilldown.runs import RunRow, Side
from reports.models import Result


@dataclass(frozen=True)
class Dot:
    """One run. ``x`` is percent of the strip's width; ``href`` loads the run."""

    run_id: int
    number: int
    value: float
    x: float
    chosen: bool


@dataclass(frozen=True)
class Axis:
    """What the strip spans, in the metric's unit."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return the place of a value in percent, kept on the strip."""
        return round(100 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0), 2)

    def place(self, value: float | None) -> float | None:
        """Return the place of a value in percent; None stays None."""
        return None if value is None else self.at(value)


@dataclass(frozen=True)
class Strip:
    """A strip of one metric: x positions are percent of its width; None where there is nothing to mark."""

    base: tuple[Dot, ...]
    new: tuple[Dot, ...]
    median_base: float | None
    median_new: float | None
    threshold: float | None
    ci: tuple[float, float] | None

    @property
    def ci_width(self) -> float:
        """Width of the interval in percent."""
        return self.ci[1] - self.ci[0] if self.ci else 0.0


def build_strip(result: Result, base: Side, new: Side) -> Strip:
    """Place a result's points; the axis spans all runs and the threshold, with a little air."""
    values = [value for key in ("base", "new") for _, value in result.points.get(key, [])]
    limit = _sum(result.median_base, result.threshold)
    ends = [*values, *([limit] if limit is not None else [])] or [0.0, 1.0]
    axis = _with_air(min(ends), max(ends))
    edges = (
        axis.place(_sum(result.median_base, result.ci_low)),
        axis.place(_sum(result.median_base, result.ci_high)),
    )
    return Strip(
        base=_dots(result.points.get("base", []), base, axis),
        new=_dots(result.points.get("new", []), new, axis),
        median_base=axis.place(result.median_base),
        median_new=axis.place(result.median_new),
        threshold=axis.place(limit),
        ci=None if edges[0] is None or edges[1] is None else (edges[0], edges[1]),
    )


def _dots(points: Iterable[tuple[int, float]], side: Side, axis: Axis) -> tuple[Dot, ...]:
    numbers = {row.id: row.number for row in side.runs}
    chosen = side.chosen.id if side.chosen else None
    dots = [
        Dot(run_id, numbers.get(run_id, 0), value, axis.at(value), run_id == chosen) for run_id, value in points
    ]
    return tuple(sorted(dots, key=lambda dot: dot.chosen))  # the chosen one is painted over the others


def _with_air(low: float, high: float) -> Axis:
    span = (high - low) or max(abs(high), 1.0)
    return Axis(low - 0.04 * span, high + 0.04 * span)


def _sum(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right


@dataclass(frozen=True)
class OrderDot:
    """One run: ``x``, ``y`` in percent of the chart, y downwards."""

    key: str
    run_id: int
    number: int
    value: float
    x: float
    y: float
    used: bool
    chosen: bool


@dataclass(frozen=True)
class OrderChart:
    """One metric over the order of recording, with the medians' heights in percent (None: no median)."""

    metric: str
    dots: tuple[OrderDot, ...]
    median_base: float | None
    median_new: float | None
    low: float
    high: float


def build_orders(results: tuple[Result, ...], base: Side, new: Side) -> list[OrderChart]:
    """Return one chart per result that has measured runs."""
    rows = sorted(
        ((side, row) for side in (base, new) for row in side.runs), key=lambda pair: _recorded_at(pair[1])
    )
    return [chart for result in results if (chart := _chart(result, rows))]


def _chart(result: Result, rows: list[tuple[Side, RunRow]]) -> OrderChart | None:
    measured = [(side, row, row.values[result.metric]) for side, row in rows if result.metric in row.values]
    if not measured:
        return None
    low, high = min(value for *_, value in measured), max(value for *_, value in measured)
    span = (high - low) or 1.0

    def height(value: float | None) -> float | None:
        return None if value is None else round(90 - 80 * (value - low) / span, 2)

    step = 100 / len(measured)
    dots = tuple(
        OrderDot(
            side.key, row.id, row.number, value, round(step * (place + 0.5), 2), height(value) or 0.0,
            row.state == "used", row is side.chosen,
        )
        for place, (side, row, value) in enumerate(measured)
    )  # fmt: skip
    return OrderChart(result.metric, dots, height(result.median_base), height(result.median_new), low, high)


def _recorded_at(row: RunRow) -> tuple[float, int]:
    recorded = row.run.recorded_at
    return (recorded.timestamp() if recorded else 0.0, row.id)
