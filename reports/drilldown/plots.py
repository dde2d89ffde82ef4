"""Plotly figures, made on the server. Colours are names of CSS tokens ("--base"); the page puts in the theme's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.drilldown.runs import LABELS
from reports.measuring.series import RunSeries

COLOURS = {"base": "--base", "new": "--new"}
MARGIN = {"l": 44, "r": 12, "t": 4, "b": 22}
GAP_TICKS_MS = (16.7, 33.3, 100.0, 300.0, 1000.0)
GAP_RANGE_MS = (10.0, 1600.0)
SSIM_TICKS = (0.0, 0.9, 0.99, 0.999, 1.0)
SSIM_STRETCH = 1000.0

Figure = dict[str, Any]


def pair_figure(base: RunSeries | None, new: RunSeries | None) -> Figure:
    """Return the figure of SSIM (above) and frame interval (below) on one time axis, ms after the action."""
    sides = [(key, run) for key, run in (("base", base), ("new", new)) if run is not None]
    return {
        "data": [trace for key, run in sides for trace in _traces(key, run)],
        "layout": _layout([run for _, run in sides]),
        "marks": [mark for key, run in sides for mark in marks(key, run)],
    }


def marks(key: str, run: RunSeries) -> list[dict[str, Any]]:
    """Return response and finish of one side: what the lines and labels over the plots stand for."""
    found = (("response", run.response_ms), ("finish", run.finish_ms))
    return [{"side": key, "kind": kind, "at_ms": at} for kind, at in found if at is not None]


def _traces(key: str, run: RunSeries) -> list[dict[str, Any]]:
    times, frames = still_gaps(run)
    return [
        _line(key, "mean", times, _at(run.series.ssim_mean, frames), dash="solid", width=1.5),
        _line(key, "worst block", times, _at(run.series.ssim_worst, frames), dash="dot", width=1),
        _intervals(key, run),
        _drops(key, run),
    ]


def _line(
    key: str, name: str, times: NDArray[np.float64], values: NDArray[np.float64], *, dash: str, width: float
) -> dict[str, Any]:
    return {
        "meta": key,
        "name": f"{LABELS[key]} {name}",
        "x": _rounded(times),
        "y": np.round(ssim_height(values), 4).tolist(),
        "mode": "lines",
        "line": {"color": COLOURS[key], "dash": dash, "width": width},
    }


def _intervals(key: str, run: RunSeries) -> dict[str, Any]:
    """Draw how long each frame stood: steps from frame to frame at the height of the interval between them."""
    return {
        "meta": key,
        "name": f"{LABELS[key]} interval",
        "x": _rounded(run.clock_ms[1:]),
        "y": _rounded(np.diff(run.clock_ms)),
        "yaxis": "y2",
        "mode": "lines+markers",
        "line": {"shape": "vh", "color": COLOURS[key], "width": 1},
        "marker": {"size": 3, "color": COLOURS[key]},
    }


def _drops(key: str, run: RunSeries) -> dict[str, Any]:
    """Draw gaps of a moving screen as bars as long as the gap, with the number of frames that were lost."""
    x: list[float | None] = []
    y: list[float | None] = []
    text: list[str] = []
    for drop in run.dropped:
        start, end = drop["from_ms"], drop["to_ms"]
        x += [start, (start + end) / 2, end, None]
        y += [end - start] * 3 + [None]
        text += ["", f"{drop['frames']}", "", ""]
    return {
        "meta": key,
        "name": f"{LABELS[key]} dropped",
        "x": [None if value is None else round(value, 2) for value in x],
        "y": [None if value is None else round(value, 2) for value in y],
        "text": text,
        "textposition": "top center" if key == "base" else "bottom center",
        "textfont": {"size": 13, "color": COLOURS[key]},
        "yaxis": "y2",
        "mode": "lines+text",
        "line": {"color": COLOURS[key], "width": 4},
    }


def _layout(runs: list[RunSeries]) -> dict[str, Any]:
    slot = 1000.0 / max((run.refresh_hz for run in runs), default=60.0)
    low, high = (float(np.log10(edge)) for edge in GAP_RANGE_MS)
    axis = {"gridcolor": "--line", "zeroline": False, "color": "--ink-soft", "fixedrange": True, "ticks": ""}
    return {
        "margin": MARGIN,
        "showlegend": False,
        "dragmode": False,
        "hovermode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 13, "color": "--ink-soft"},
        "xaxis": {
            **axis,
            "fixedrange": False,
            "anchor": "y2",
            "range": time_range(runs),
            "ticksuffix": " ms",
            "separatethousands": True,
            "tickangle": 0,
            "nticks": 9,
        },
        "yaxis": {**axis, "domain": [0.46, 1], "range": [-0.02, 1.03], **_ssim_ticks()},
        "yaxis2": {
            **axis,
            "domain": [0, 0.38],
            "type": "log",
            "range": [low - 0.15, high],
            "tickvals": list(GAP_TICKS_MS),
            "ticktext": [f"{tick:.0f}" for tick in GAP_TICKS_MS],
        },
        "shapes": [_vertical(0, "--line-strong", "solid"), _slot_line(slot)],
        "separators": ". ",
    }


def _ssim_ticks() -> dict[str, Any]:
    heights = ssim_height(np.array(SSIM_TICKS))
    return {"tickvals": np.round(heights, 4).tolist(), "ticktext": [f"{tick:g}" for tick in SSIM_TICKS]}


def _vertical(at: float, colour: str, dash: str) -> dict[str, Any]:
    line = {"color": colour, "width": 1, "dash": dash}
    return {"type": "line", "xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line}


def _slot_line(slot: float) -> dict[str, Any]:
    line = {"color": "--threshold", "width": 1, "dash": "dot"}
    return {"type": "line", "xref": "paper", "yref": "y2", "x0": 0, "x1": 1, "y0": slot, "y1": slot, "line": line}


def _at(values: NDArray[np.float32], frames: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.where(frames < 0, 1.0, values[np.maximum(frames, 0)])


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return np.round(values, 2).tolist()


def ssim_height(ssim: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return where an SSIM is drawn, 0 (SSIM 0) to 1 (SSIM 1): 1 − log(1 + 1000 (1 − s)) / log(1001).

    A tap's ripple lies at 0.998, a full change at 0.5: a plain axis would hide the one that matters.
    """
    distance = np.clip(1.0 - np.asarray(ssim, dtype=np.float64), 0.0, 1.0)
    return 1.0 - np.log1p(SSIM_STRETCH * distance) / np.log1p(SSIM_STRETCH)


def still_gaps(run: RunSeries) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return times and frame indices with a "still" point (index −1) wherever the screen stood after a frame.

    A gap of more than a refresh shows the same picture: equal to itself, SSIM 1. Without the point a plot would
    draw a slope between two frames where nothing happened.
    """
    clock = run.clock_ms
    frames = np.arange(len(clock))
    slot = 1000.0 / run.refresh_hz
    long = np.flatnonzero(np.diff(clock) > 1.5 * slot)
    extra = np.repeat(long, 2)
    times = np.empty(len(extra))
    times[0::2], times[1::2] = clock[long] + slot * 0.5, clock[long + 1] - slot * 0.5
    order = np.argsort(np.concatenate([clock, times]), kind="stable")
    return np.concatenate([clock, times])[order], np.concatenate([frames, np.full(len(extra), -1)])[order]


def time_range(runs: list[RunSeries]) -> list[float]:
    """Return the first view: from just before the action to just after the later finish, ms."""
    ends = [run.finish_ms if run.finish_ms is not None else float(run.clock_ms[-1]) for run in runs]
    end = max(ends, default=1000.0)
    pad = max(60.0, 0.12 * end)
    return [-pad, end + pad]
