"""The page of a bug report: one HTML file that loads nothing but its neighbours in the zip, and its plots."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.template.loader import render_to_string

from analysis.verdicts.text import number_text
from reports.bugreport.selectors import Finding
from reports.drilldown.picture import Picture, draw_pair
from reports.drilldown.plots import GAP_RANGE_MS, GAP_TICKS_MS, SSIM_TICKS, ssim_height, time_range
from reports.measuring.series import RunSeries
from reports.web.offline import page_styles, static_text

_LIGHT = re.compile(r"(--[\w-]+): light-dark\((#\w+),")
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")
_IMPORT = re.compile(r'^import\b[^;"]*"[^"]*";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|const|function|let)\b)", re.MULTILINE)
MODULES = ("js/lib/numbers.js", "js/lib/timeline.js")  # what the report's clock shares with the drill-down's


def render_page(context: Mapping[str, Any]) -> str:
    """Return the HTML. Its policy lets this one script run and forbids the network altogether."""
    script = one_script(*map(static_text, MODULES), render_to_string("bugreport/report.js"))
    inside = {
        "styles": page_styles("bugreport/report.css"),
        "script": script,
        "script_hash": _hash(script),
        "clocks": _clocks(context),
    }
    return render_to_string("bugreport/report.html", {**context, **inside})


def render_plots(context: Mapping[str, Any]) -> str:
    """Return both plots as one SVG picture to attach to a tracker: in light, with plain colours."""
    picture = render_to_string("bugreport/plots.svg", dict(context))
    light = dict(_LIGHT.findall(static_text("css/tokens.css")))
    return _VARIABLE.sub(lambda found: light.get(found[1], "currentColor"), picture)


def one_script(*modules: str) -> str:
    """Return ES modules as one plain script, which a page may run that was opened from disk.

    Each module comes after those it imports. Their top-level names share one scope, so they must differ: what is
    imported by another name is not found, and a default export or a list of exports is refused by the browser.
    """
    return "\n".join(['"use strict";', *(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)])


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _clocks(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the script steps by: each side's frame times (ms after its first frame) and its action."""
    plots = context["plots"]
    sides = {side.key: _clock(side.series) for side in context["sides"] if side.series}
    return {"sides": sides, "start": plots.start_ms if plots else 0, "end": plots.end_ms if plots else 0}


def _clock(series: RunSeries) -> dict[str, Any]:
    return {
        "time_ms": np.round(series.series.time_ms, 3).tolist(),
        "action_ms": series.run.action_ms,
        "response_ms": series.response_ms,
        "finish_ms": series.finish_ms,
    }


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
