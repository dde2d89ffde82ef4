"""Runs in the order they were recorded, one small chart per metric: shows warm-up, drift, a disturbed hour."""

from dataclasses import dataclass

from reports.drilldown.runs import Drawn, Side
from reports.models import Result


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
    thinned: bool


def build_orders(results: tuple[Result, ...], base: Side, new: Side) -> list[OrderChart]:
    """Return one chart per result that has measured runs."""
    dots = sorted(
        ((side, dot) for side in (base, new) for dot in side.drawn),
        key=lambda pair: (pair[1].recorded_at, pair[1].id),
    )
    thinned = any(len(side.drawn) < len(side.numbers) for side in (base, new))
    return [chart for result in results if (chart := _chart(result, dots, thinned=thinned))]


def _chart(result: Result, dots: list[tuple[Side, Drawn]], *, thinned: bool) -> OrderChart | None:
    measured = [(side, dot, dot.values[result.metric]) for side, dot in dots if result.metric in dot.values]
    if not measured:
        return None
    low, high = min(value for *_, value in measured), max(value for *_, value in measured)
    span = (high - low) or 1.0

    def height(value: float | None) -> float | None:
        return None if value is None else round(90 - 80 * (value - low) / span, 2)

    step = 100 / len(measured)
    places = tuple(
        OrderDot(
            side.key, dot.id, dot.number, value, round(step * (place + 0.5), 2), height(value) or 0.0,
            dot.used, side.chosen is not None and dot.id == side.chosen.id,
        )
        for place, (side, dot, value) in enumerate(measured)
    )  # fmt: skip
    medians = height(result.median_base), height(result.median_new)
    return OrderChart(result.metric, places, *medians, low, high, thinned)
