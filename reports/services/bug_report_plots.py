"""The plots of a bug report: the curves of the drill-down's picture, with the axes that make them stand alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.verdicts.text import number_text
from reports.drilldown.picture import Picture, draw_pair
from reports.drilldown.plots import GAP_RANGE_MS, GAP_TICKS_MS, SSIM_TICKS, ssim_height, time_range
from reports.measuring.series import RunSeries
from reports.selectors.bug_report import Finding

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
        """Where the label stands in plots.svg, px."""
        return 140 + 16 * self.row


@dataclass(frozen=True)
class Plots:
    """Both plots on one time axis. Ticks are (percent of width or height, label); times in ms after the action."""

    picture: Picture
    start_ms: float
    end_ms: float
    ssim_ticks: tuple[Tick, ...]
    gap_ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    slot: float


def build_plots(finding: Finding) -> Plots | None:
    """Return the plots of the chosen pair; None where neither run has a series."""
    series = finding.series
    picture = draw_pair(series.get("base"), series.get("new"))
    if picture is None:
        return None
    start, end = time_range(list(series.values()))
    return Plots(
        picture=picture,
        start_ms=round(start, 2),
        end_ms=round(end, 2),
        ssim_ticks=tuple(
            (round(float(94 * (1 - height) + 3), 1), f"{tick:g}")
            for tick, height in zip(SSIM_TICKS, ssim_height(np.array(SSIM_TICKS)), strict=True)
        ),
        gap_ticks=tuple((_gap_top(tick), f"{tick:.0f}") for tick in GAP_TICKS_MS),
        marks=tuple(_marks(series, start, end)),
        slot=_gap_top(1000.0 / max(run.refresh_hz for run in series.values())),
    )


def _marks(series: Mapping[str, RunSeries], start: float, end: float) -> list[Mark]:
    found = [(key, name, at) for key, run in series.items() for name, at in _moments(run)]
    return [
        Mark(key, round(100 * (at - start) / (end - start), 2), row, f"{name} {number_text(at)} ms")
        for row, (key, name, at) in enumerate(sorted(found, key=lambda mark: mark[2]))
    ]


def _moments(run: RunSeries) -> list[tuple[str, float]]:
    response, finish = run.response_ms, run.finish_ms
    if response is not None and response == finish:
        return [("response = finish", response)]
    return [(name, at) for name, at in (("response", response), ("finish", finish)) if at is not None]


def _gap_top(gap_ms: float) -> float:
    low, high = np.log10(GAP_RANGE_MS)
    return round(float(100 * (1 - (np.log10(gap_ms) - low) / (high - low))), 1)
