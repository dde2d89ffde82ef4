"""The page of a bug report: one HTML file that loads nothing but its neighbours in the zip, and its plots."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from django.template.loader import render_to_string

from analysis.names import harmless
from reports.measuring.series import RunSeries
from reports.web.offline import page_styles, static_text
from reports.web.shown import harmless_page

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
    return harmless_page(render_to_string("bugreport/report.html", {**context, **inside}))


def render_plots(context: Mapping[str, Any]) -> str:
    """Return both plots as one SVG picture to attach to a tracker: in light, with plain colours."""
    picture = harmless(render_to_string("bugreport/plots.svg", dict(context)))
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
    return {
        "sides": sides,
        "start": plots.start_ms if plots else 0,
        "end": plots.end_ms if plots else 0,
        "at": context["at_ms"],
    }


def _clock(series: RunSeries) -> dict[str, Any]:
    return {
        "time_ms": np.round(series.series.time_ms, 3).tolist(),
        "action_ms": series.run.action_ms,
        "response_ms": series.response_ms,
        "finish_ms": series.finish_ms,
    }
