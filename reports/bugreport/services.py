"""One finding as a zip that opens without the server: a page, both screencasts, pictures, text, numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from reports.bugreport.facts import facts
from reports.bugreport.log import LogExcerpt, log_excerpt
from reports.bugreport.page import render_page, render_plots
from reports.bugreport.selectors import Finding
from reports.bugreport.stills import Stills, add_stills
from reports.bugreport.texts import data_json, report_markdown, report_title
from reports.bugreport.video import VideoPart, add_video
from reports.drilldown.picture import draw_pair
from reports.drilldown.runs import RunRow, Side
from reports.measuring.series import RunSeries
from reports.web.offline import file_name


@dataclass(frozen=True)
class SideReport:
    """One side of the report: what of it went into the zip, and why something did not."""

    key: str
    label: str
    version: str
    run: RunRow | None
    series: RunSeries | None
    video: VideoPart
    stills: Stills
    log: LogExcerpt


def write_bug_report(
    finding: Finding,
    target: IO[bytes],
    *,
    address: str = "",
    at_ms: float | None = None,
    transcode: bool = False,
) -> None:
    """Write the zip to a seekable binary file; it opens ``at_ms`` after the action, else on what tells the story.

    What a side cannot give (no run, lost screencast, not measured) is named in the report. ``address`` is the page
    of the finding, if the site is known. ``transcode`` makes a missing playable copy now (seconds), see add_video.
    """
    with ZipFile(target, "w", ZIP_STORED) as out:
        sides = [_side(out, side, finding, transcode) for side in finding.page.sides]
        rows, plots = facts(finding), draw_pair(finding.series, finding.words)
        context = {
            "title": report_title(finding),
            "finding": finding,
            "page": finding.page,
            "sides": sides,
            "facts": rows,
            "plots": plots,
            "filmed": finding.page.interaction.filmed,
            "address": address,
            "at_ms": finding.story.at_ms if at_ms is None else at_ms,
        }
        texts = {
            "report.html": render_page(context),
            "report.md": report_markdown(finding, rows, sides, address),
            "data.json": data_json(finding),
        }
        if plots:
            texts["plots.svg"] = render_plots(context)
        for name, text in texts.items():
            out.writestr(name, text, ZIP_DEFLATED)


def report_name(finding: Finding) -> str:
    """Return a file name of plain letters, short enough for every file system."""
    page = finding.page
    names = page.base_version.name, page.new_version.name, *str(page.interaction).split(" · ", 1)
    return file_name("bug-report", *names, ending=".zip")


def _side(out: ZipFile, side: Side, finding: Finding, transcode: bool) -> SideReport:
    series = finding.series.get(side.key)
    run = side.chosen.run if side.chosen else None
    if run is None:
        video = VideoPart(note=f"No run of this interaction was recorded on {side.version}.")
    else:
        video = add_video(out, side.key, run, transcode=transcode)
    return SideReport(
        key=side.key,
        label=side.label,
        version=side.version.name,
        run=side.chosen,
        series=series,
        video=video,
        stills=add_stills(out, side.key, series, finding.words)
        if series
        else Stills(note=_not_measured(side.chosen)),
        log=log_excerpt(run) if run else LogExcerpt(),
    )


def _not_measured(row: RunRow | None) -> str:
    if row is None or not row.run.filmed:  # which the side says already
        return ""
    return f"No frames: this run has no frame series ({row.reason or 'it was not measured'})."
