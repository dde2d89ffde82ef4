"""Where a bisection stands as it is kept for pages and the API: states, sentences, and a line for each version."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from analysis.history.bisection import BAD, DOUBTFUL, GOOD, UNDECIDABLE
from analysis.statistics.medians import olive_interval
from reports.bisecting.faults import BisectionError
from reports.bisecting.looking import Seen, look
from reports.bisecting.words import asked_words, standing_json, standing_lines
from reports.models import Bisection

BROKEN = "broken"  # its versions are no line
SKIPPED, UNTESTABLE, NOT_RECORDED = "skipped", "untestable", "not recorded"
STATES = (GOOD, BAD, DOUBTFUL, UNTESTABLE, SKIPPED, NOT_RECORDED)


def report_on(row: Bisection) -> dict[str, Any]:
    """Return where a bisection stands as JSON; where it cannot go on, ``trouble`` says why, with the cure."""
    try:
        return _report(look(row))
    except BisectionError as error:
        return {
            "state": BROKEN,
            "trouble": error.words,
            "lines": [],
            "measure": [],
            "last_good": row.good.name,
            "first_bad": row.bad.name,
            "suspects": [],
            "runs_each": 0,
            "app_version": "",
            "capture": "",
            "builds": [],
        }


def _report(seen: Seen) -> dict[str, Any]:
    stands, metric = seen.standing, seen.bisection.metric
    told = standing_json(stands)
    del told["judged"]
    for asked, row in zip(stands.asked, told["measure"], strict=True):
        row["words"] = asked_words(asked, seen.left_out.get(asked.build, 0))
    skipped = set(seen.bisection.skipped.values_list("name", flat=True))
    return {
        **told,
        "trouble": seen.refusal,
        "lines": [] if seen.refusal else standing_lines(stands, metric, {}, asked=False),
        "runs_each": stands.runs_each,
        "app_version": seen.stratum[0],
        "capture": seen.stratum[1],
        "builds": [_build(seen, version.name, skipped) for version in seen.line],
    }


def _build(seen: Seen, name: str, skipped: Iterable[str]) -> dict[str, Any]:
    values = seen.runs.get(name, [])
    low, high = olive_interval(np.sort(np.array([values], dtype=float))) if values else (np.array([np.nan]),) * 2
    return {
        "version": name,
        "state": _state(seen, name, len(values), skipped),
        "runs": len(values),
        "median": float(np.median(values)) if values else None,
        "low": _known(low[0]),
        "high": _known(high[0]),
        "left_out": seen.left_out.get(name, 0),
    }


def _state(seen: Seen, name: str, runs: int, skipped: Iterable[str]) -> str:
    """Say how a build is seen; the ends are what they were given as."""
    ends = {seen.bisection.good.name: GOOD, seen.bisection.bad.name: BAD}
    if name in ends:
        return ends[name]
    if name in skipped:
        return SKIPPED
    if not runs:
        return NOT_RECORDED
    word = seen.standing.judged.get(name, DOUBTFUL)
    return UNTESTABLE if word == UNDECIDABLE else word


def _known(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
