"""Pictures of the plots for pages without JavaScript, and while the drawing library loads: paths of one viewBox."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.drilldown.plots import GAP_RANGE_MS, ssim_height, still_gaps, time_range
from reports.measuring.series import RunSeries

WIDTH, HEIGHT = 1000.0, 100.0  # the viewBox; the page stretches it, lines keep their width


@dataclass(frozen=True)
class Curves:
    """Paths of one side; marks in viewBox x.

    ``mean`` and ``worst`` of the SSIM, ``gap`` of the frame interval, ``drops`` of the gaps that lost frames.
    """

    key: str
    mean: str
    worst: str
    gap: str
    drops: str
    response: float | None
    finish: float | None


@dataclass(frozen=True)
class Picture:
    """Both plots of a pair. ``ticks`` are (percent of the width, label)."""

    curves: tuple[Curves, ...]
    action: float
    ticks: tuple[tuple[float, str], ...]


def draw_pair(base: RunSeries | None, new: RunSeries | None) -> Picture | None:
    """Draw the plots of a pair; None where neither run has a series."""
    sides = [(key, run) for key, run in (("base", base), ("new", new)) if run is not None]
    if not sides:
        return None
    start, end = time_range([run for _, run in sides])
    scale = WIDTH / (end - start)
    return Picture(
        curves=tuple(_curves(key, run, start, scale) for key, run in sides),
        action=round(-start * scale, 1),
        ticks=tuple((round((tick - start) * scale / 10, 2), f"{tick + 0.0:g} ms") for tick in _ticks(start, end)),
    )


def _curves(key: str, run: RunSeries, start: float, scale: float) -> Curves:
    times, frames = still_gaps(run)
    x = (times - start) * scale
    mean, worst = (
        np.where(frames < 0, 1.0, values[np.maximum(frames, 0)])
        for values in (run.series.ssim_mean, run.series.ssim_worst)
    )
    gaps = np.diff(run.clock_ms)
    return Curves(
        key=key,
        mean=_path(x, HEIGHT * (1 - ssim_height(mean)) * 0.94 + 3),
        worst=_path(x, HEIGHT * (1 - ssim_height(worst)) * 0.94 + 3),
        gap=_stairs((run.clock_ms - start) * scale, _gap_height(gaps)),
        drops=_bars(run, start, scale),
        response=_place(run.response_ms, start, scale),
        finish=_place(run.finish_ms, start, scale),
    )


def _gap_height(gaps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return viewBox y of intervals on a logarithmic scale, (n,)."""
    low, high = np.log10(GAP_RANGE_MS)
    return HEIGHT * (1 - (np.log10(np.maximum(gaps, GAP_RANGE_MS[0])) - low) / (high - low))


def _path(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))


def _stairs(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    if not len(y):
        return ""
    steps = "".join(f"V{height:.1f}H{end:.1f}" for end, height in zip(x[1:], y, strict=True))
    return f"M{x[0]:.1f} {y[0]:.1f}" + steps


def _bars(run: RunSeries, start: float, scale: float) -> str:
    """Return a bar for every gap that lost frames, at the height of its length."""
    drops = run.dropped
    heights = _gap_height(np.array([drop["to_ms"] - drop["from_ms"] for drop in drops]))
    return "".join(
        f"M{(drop['from_ms'] - start) * scale:.1f} {height:.1f}H{(drop['to_ms'] - start) * scale:.1f}"
        for drop, height in zip(drops, heights, strict=True)
    )


def _place(at_ms: float | None, start: float, scale: float) -> float | None:
    return None if at_ms is None else round((at_ms - start) * scale, 1)


def _ticks(start: float, end: float) -> NDArray[np.float64]:
    step = next((s for s in (50, 100, 200, 250, 500, 1000, 2000, 5000) if (end - start) / s <= 8), 10000)
    return np.arange(np.ceil(start / step) * step, end, step)
