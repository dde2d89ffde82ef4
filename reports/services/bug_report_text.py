"""A bug report as Markdown for a tracker. Names come from manifests that anybody may write: all are escaped."""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import number_text, signed_text
from analysis.verdicts.words import VERDICT_WORDS
from reports.selectors.bug_report import Finding, MetricLine
from reports.services.bug_report_facts import Fact
from reports.services.bug_report_video import VideoPart

_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~#@!&])")
NOT_COMPARED = "This pair of versions has not been compared on this interaction"


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
    return f"{page.interaction}: {finding.headline or NOT_COMPARED} ({pair})"


def report_markdown(finding: Finding, rows: Sequence[Fact], sides: Sequence[SideText], address: str = "") -> str:
    """Return the text: title, verdict, table, steps, environment, link."""
    page = finding.page
    lines = [
        f"# {escape(report_title(finding))}",
        "",
        f"**{escape(finding.sentence or NOT_COMPARED)}**",
        "",
        *_table(finding),
        "",
        "## Steps",
        "",
        f"1. Open {escape(page.interaction.app.name)} ({escape(page.interaction.app.package)}).",
        f"2. {escape(page.interaction.scenario or page.interaction.name)} ({escape(page.interaction.type)}).",
        "",
        "## Environment",
        "",
        f"| | {escape(f'Baseline {page.base_version}')} | {escape(f'Updated {page.new_version}')} |",
        "|---|---|---|",
        *(f"| {escape(row.name)} | {escape(row.base)} | {escape(row.new)} |" for row in rows),
        "",
        *_attached(sides),
        *([f"Policy: {escape(finding.policy)}.  "] if finding.policy else []),
        *([f"In UPReg: <{address}>"] if address else []),
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return a text as one line that Markdown shows letter by letter: no markup, no HTML, nobody is mentioned."""
    return _MARKUP.sub(r"\\\1", " ".join(str(text).split())).replace("\\@", "@\u200b")


def _table(finding: Finding) -> Iterator[str]:
    if not finding.metrics:
        return
    yield "| Metric | Baseline | Updated | Δ | Threshold | Verdict | Runs |"
    yield "|---|---:|---:|---:|---:|---|---:|"
    for line in finding.metrics:
        yield f"| {' | '.join(escape(cell) for cell in _cells(line))} |"


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


def _attached(sides: Sequence[SideText]) -> Iterator[str]:
    yield "Attached: report.html (opens without a server), data.json (every number), plots.svg.  "
    for side in sides:
        if side.video.name:
            yield f"{side.label}: {escape(side.video.name)}. {escape(side.video.note)}".strip() + "  "
        elif side.video.note:
            yield f"{side.label}: {escape(side.video.note)}  "
