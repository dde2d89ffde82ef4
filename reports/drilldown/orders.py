"""Runs in the order they were recorded, one small chart per metric: shows warm-up, drift, a disturbed hour."""

from dataclasses import dataclass

from reports.drilldown.runs import RunRow, Side
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
