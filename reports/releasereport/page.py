"""The page of a release report: one HTML file that loads nothing at all, and its name."""

from __future__ import annotations

from django.template.loader import render_to_string

from reports.help.library import term_called
from reports.releasereport.selectors import ReleaseReport
from reports.web.offline import file_name, page_styles
from reports.web.shown import harmless_page

ENDING = ".html"
# What a reader of a report may not know; its notes are those of the glossary.
WORDS = (
    *("Baseline", "Updated", "Interaction", "Run", "Response time", "Finish time", "Launch time", "Dropped frames"),
    *("Median", "Regression", "Threshold", "Severity", "p", "95 % CI", "Cliff's delta"),
    *("Risk", "Critical", "Budget", "Waiver"),
)


def render_report(report: ReleaseReport, *, address: str = "") -> str:
    """Return the HTML. ``address`` is that of the site, for the link back, if it is known."""
    context = {
        "release": report,
        "report": report.report,
        "comparison": report.comparison,
        "record": report.record,
        "words": [term_called(name) for name in WORDS],
        "styles": page_styles("releasereport/report.css", font=True),
        "site": address.rstrip("/"),
    }
    return harmless_page(render_to_string("releasereport/report.html", context))


def report_name(report: ReleaseReport) -> str:
    """Return the name of the file: what was compared, and which decision it is."""
    said = report.report
    decision = f"decision-{report.record.pk}" if report.record else ""
    limits = said.get("device") or "", said.get("scope") or ""
    return file_name("release-report", said["base"], said["new"], *limits, decision, ending=ENDING)
