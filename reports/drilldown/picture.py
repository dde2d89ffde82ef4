"""Pictures of the plots for pages without JavaScript, and while the drawing library loads: paths of one viewBox."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.verdicts.text import number_text
from reports.drilldown.moments import MomentWords, Pair
from reports.drilldown.plots import GAP_RANGE_MS, GAP_TICKS_MS, SSIM_TICKS, ssim_height, still_gaps, time_range
from reports.measuring.series import RunSeries

WIDTH, HEIGHT = 1000.0, 100.0  # the viewBox; the page stretches it, lines keep their width
LAST_TICK_PCT = 97.0


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


Tick = tuple[float, str]


@dataclass(frozen=True)
class Mark:
    """A line at response or finish: its place in percent of the width, the row of its label, what it says."""

    key: str
    left: float
    row: int
    text: str

    @property
    def svg_y(self) -> int:
        """Where the label stands in the bug report's plots.svg, px."""
        return 140 + 16 * self.row


@dataclass(frozen=True)
class Picture:
    """Both plots of a pair on one time axis, ms after the action. Ticks are (percent of width or height, label)."""

    curves: tuple[Curves, ...]
    action: float
    start_ms: float
    end_ms: float
    ticks: tuple[Tick, ...]
    ssim_ticks: tuple[Tick, ...]
    gap_ticks: tuple[Tick, ...]
    slot: float
    marks: tuple[Mark, ...]


def draw_pair(runs: Pair, words: Mapping[str, MomentWords]) -> Picture | None:
    """Draw the plots of a pair; None where neither run has a series. ``words`` say what moments are called."""
    if not runs:
        return None
    start, end = time_range(list(runs.values()))
    scale = WIDTH / (end - start)
    return Picture(
        curves=tuple(_curves(key, run, start, scale) for key, run in runs.items()),
        action=round(-start * scale, 1),
        start_ms=round(start, 2),
        end_ms=round(end, 2),
        ticks=tuple(_ticks(start, end)),
        ssim_ticks=tuple(
            (round(float(top), 1), f"{tick:g}")
            for tick, top in zip(SSIM_TICKS, _ssim_top(np.array(SSIM_TICKS)), strict=True)
        ),
        gap_ticks=tuple((_gap_top(tick), f"{tick:.0f}") for tick in GAP_TICKS_MS),
        slot=_gap_top(1000.0 / max(run.refresh_hz for run in runs.values())),
        marks=tuple(_marks(runs, words, start, end)),
    )


def _marks(runs: Pair, words: Mapping[str, MomentWords], start: float, end: float) -> list[Mark]:
    found = [(key, name, at) for key, run in runs.items() for name, at in _moments(run, words)]
    return [
        Mark(key, round(100 * (at - start) / (end - start), 2), row, f"{name} {number_text(at)} ms")
        for row, (key, name, at) in enumerate(sorted(found, key=lambda mark: mark[2]))
    ]


def _moments(run: RunSeries, words: Mapping[str, MomentWords]) -> list[tuple[str, float]]:
    response, finish = run.response_ms, run.finish_ms
    names = {key: word.label.lower() for key, word in words.items()}
    if response is not None and response == finish:
        return [(f"{names['response']} = {names['finish']}", response)]
    return [(names[key], at) for key, at in (("response", response), ("finish", finish)) if at is not None]


def _ssim_top(ssim: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return viewBox y of SSIM values, (n,)."""
    return HEIGHT * (1 - ssim_height(ssim)) * 0.94 + 3


def _gap_top(gap_ms: float) -> float:
    return round(float(_gap_height(np.array(gap_ms))), 1)


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
        mean=_path(x, _ssim_top(mean)),
        worst=_path(x, _ssim_top(worst)),
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


def _ticks(start: float, end: float) -> Iterator[Tick]:
    """Yield round times that have room for their label, half of which stands on either side of its place."""
    step = next((s for s in (50, 100, 200, 250, 500, 1000, 2000, 5000) if (end - start) / s <= 8), 10000)
    for tick in np.arange(np.ceil(start / step) * step, end, step):
        left = round(100 * float(tick - start) / (end - start), 2)
        if left <= LAST_TICK_PCT:
            yield left, f"{number_text(float(tick))} ms"
