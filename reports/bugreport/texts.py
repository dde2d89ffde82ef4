"""A bug report as Markdown for a tracker and as JSON for programs.

Names come from manifests that anybody may write: in Markdown all are escaped.
"""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import number_text, signed_text
from analysis.verdicts.words import VERDICT_WORDS
from reports.bugreport.facts import Fact
from reports.bugreport.selectors import Finding, MetricLine
from reports.bugreport.video import VideoPart
from reports.drilldown.runs import Side
from reports.measuring.series import RunSeries
from reports.models import Result, TriageEntry
from reports.web.shown import markdown_line

NOT_COMPARED = "This pair of versions has not been compared on this interaction"
RESULT_FIELDS = (
    *("metric", "verdict", "severity", "n_base", "n_new", "median_base", "median_new", "delta", "delta_pct"),
    *("ci_low", "ci_high", "p_value", "q_value", "cliffs_delta", "threshold", "times_threshold", "runs_needed"),
    *("left_out", "points"),
)


class SideText(Protocol):
    """What the text needs to know of a side."""

    @property
    def label(self) -> str:
        """Baseline or Updated."""

    @property
    def video(self) -> VideoPart:
        """What of the screencast is in the zip."""


def report_title(finding: Finding) -> str:
    """Return one line: what, how bad, where."""
    page = finding.page
    pair = f"{page.base_version} → {page.new_version}"
    return f"{page.interaction}: {page.headline.rstrip('.') or NOT_COMPARED} ({pair})"


def report_markdown(finding: Finding, rows: Sequence[Fact], sides: Sequence[SideText], address: str = "") -> str:
    """Return the text: title, verdict, table, steps, environment, link."""
    lines = [
        f"# {markdown_line(report_title(finding))}",
        "",
        f"**{markdown_line(finding.sentence or NOT_COMPARED)}**",
        "",
        *([markdown_line(finding.gate), ""] if finding.gate else []),
        *([_triage_line(finding.triage), ""] if finding.triage else []),
        *_measured(finding, rows),
        *_attached(sides, finding.page.interaction.filmed),
        *([f"Policy: {markdown_line(finding.policy)}.  "] if finding.policy else []),
        *([f"In UPReg: <{address}>"] if address else []),
    ]
    return "\n".join(lines) + "\n"


def issue_markdown(finding: Finding, rows: Sequence[Fact], address: str) -> str:
    """Return the text of an issue in a tracker: verdict, table, steps, environment, the way to both recordings."""
    seen = (
        "Both recordings side by side, every number"
        if finding.page.interaction.filmed
        else "The values of every iteration"
    )
    lines = [
        f"**{markdown_line(finding.sentence or NOT_COMPARED)}**",
        "",
        *_measured(finding, rows),
        *([f"Policy: {markdown_line(finding.policy)}.", ""] if finding.policy else []),
        f"{seen}, and a report to take along: <{address}>",
    ]
    return "\n".join(lines) + "\n"


def _measured(finding: Finding, rows: Sequence[Fact]) -> list[str]:
    page = finding.page
    return [
        *_table(finding),
        "",
        "## Steps",
        "",
        f"1. Open {markdown_line(page.interaction.app.name)} ({markdown_line(page.interaction.app.package)}).",
        f"2. {markdown_line(page.interaction.scenario or page.interaction.name)} ({page.interaction.type}).",
        "",
        "## Environment",
        "",
        f"| | {markdown_line(f'Baseline {page.base_version}')} | {markdown_line(f'Updated {page.new_version}')} |",
        "|---|---|---|",
        *(f"| {markdown_line(row.name)} | {markdown_line(row.base)} | {markdown_line(row.new)} |" for row in rows),
        "",
    ]


def _triage_line(entry: TriageEntry) -> str:
    parts = [f"Triage: {entry.state}", f"assigned to {entry.assignee}" if entry.assignee else ""]
    parts += [f"due {entry.due.isoformat()}" if entry.due else ""]
    return f"{markdown_line(', '.join(filter(None, parts)))}."


def _table(finding: Finding) -> Iterator[str]:
    if not finding.metrics:
        return
    yield "| Metric | Baseline | Updated | Δ | Threshold | Verdict | Runs |"
    yield "|---|---:|---:|---:|---:|---|---:|"
    for line in finding.metrics:
        yield f"| {' | '.join(markdown_line(cell) for cell in _cells(line))} |"


def _cells(line: MetricLine) -> list[str]:
    result = line.result
    unit, decimals = metric_unit(result.metric)
    values = [number_text(value, decimals) for value in (result.median_base, result.median_new)]
    values += [signed_text(result.delta, decimals), number_text(result.threshold, decimals)]
    word = VERDICT_WORDS.get(result.verdict, result.verdict)
    verdict = f"{word}, {result.severity}" if result.severity else word
    return [
        metric_label(result.metric), *(f"{value} {unit}".strip() for value in values), verdict,
        f"{result.n_base} + {result.n_new}",
    ]  # fmt: skip


def _attached(sides: Sequence[SideText], filmed: bool) -> Iterator[str]:
    plots = ", plots.svg" if filmed else ""
    yield f"Attached: report.html (opens without a server), data.json (every number){plots}.  "
    for side in sides:
        if side.video.name:
            yield f"{side.label}: {markdown_line(side.video.name)}. {markdown_line(side.video.note)}".strip() + "  "
        elif side.video.note:
            yield f"{side.label}: {markdown_line(side.video.note)}  "


def data_json(finding: Finding) -> str:
    """Return the report's data as JSON text; numbers that JSON cannot carry are null."""
    page = finding.page
    data = {
        "base": page.base_version.name,
        "new": page.new_version.name,
        "app": {"name": page.interaction.app.name, "package": page.interaction.app.package},
        "interaction": {
            "name": page.interaction.name, "type": page.interaction.type, "scenario": page.interaction.scenario,
        },
        "device": page.device and {"name": page.device.name, "refresh_hz": page.device.refresh_hz},
        "sentence": finding.sentence,
        "policy": page.comparison.policy if page.comparison else {},
        "triage": _triage_json(finding.triage) if finding.triage else None,
        "results": [_result_json(result) for result in page.results],
        "runs": {side.key: _run_json(side, finding.series.get(side.key)) for side in page.sides},
    }  # fmt: skip
    return json.dumps(_finite(data), indent=1, ensure_ascii=False, allow_nan=False, default=str)


def _triage_json(entry: TriageEntry) -> dict[str, Any]:
    kept = {name: getattr(entry, name) for name in ("state", "assignee", "note", "bug_url", "fixed_in")}
    return kept | {"due": entry.due.isoformat() if entry.due else None}


def _result_json(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in RESULT_FIELDS}


def _run_json(side: Side, series: RunSeries | None) -> dict[str, Any] | None:
    if side.chosen is None:
        return None
    run = side.chosen.run
    return {
        "id": run.pk, "repetition": run.repetition, "state": side.chosen.state, "outcome": run.outcome,
        "error": run.error, "recorded_at": run.recorded_at, "sha256": run.sha256,
        "original_name": run.original_name, "action_ms": run.action_ms, "app_version": run.app_version,
        "capture": run.capture, "metadata": run.metadata, "measurements": side.chosen.values,
        "evidence": series.evidence if series else {},
        "corrections": {key: row.value_ms for key, row in series.corrections.items()} if series else {},
        "frame_series": _series_json(series) if series else None,
    }  # fmt: skip


def _series_json(run: RunSeries) -> dict[str, list[float]]:
    """Return the columns of the series; ``after_action_ms`` is the clock that both sides share."""
    series = run.series
    columns = {
        "time_ms": (series.time_ms, 3), "after_action_ms": (run.clock_ms, 3), "ssim_mean": (series.ssim_mean, 5),
        "ssim_worst": (series.ssim_worst, 5), "changed_pct": (series.changed_pct, 3),
    }  # fmt: skip
    return {
        name: np.round(np.asarray(values, np.float64), digits).tolist()
        for name, (values, digits) in columns.items()
    }


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
