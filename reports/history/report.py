"""The releases of a line as one HTML file that loads nothing at all, to hand on."""

from dataclasses import dataclass
from datetime import datetime

from django.template.loader import render_to_string
from django.utils import timezone

from reports.help.library import term_called
from reports.history.chart import Chart, draw_chart
from reports.history.drawing import Row, app_row, what_happened
from reports.history.figure import make_figure
from reports.history.matrix import BY_APP, Line, Wanted, cells_of_apps, wanted_apps, wanted_courses
from reports.history.releases import Release, WorseApp, days_ago, last_slower, load_releases, load_worse_apps
from reports.history.trend import Trend, load_trends
from reports.models import App, Course
from reports.policies.selectors import current_policy
from reports.web.offline import file_name, page_styles, static_text
from reports.web.shown import harmless_page

ENDING = ".html"
MOST_VERSIONS = 60
MOST_APPS = 100
TOP = 12  # courses with a chart: about 20 kB each
MOST_BYTES = 1_500_000  # what a file takes at most: the parts above are as many as fit, if every cell has a mark
WORDS = ("Interaction", "Median", "Threshold", "Severity", "Median interval", "Regression", "Drift", "Digression")


@dataclass(frozen=True)
class Story:
    """One of the worst courses: what became of it, and its chart."""

    course: Course
    told: str
    chart: Chart
    label: str


@dataclass(frozen=True)
class HistoryReport:
    """The newest releases of a line, the apps that got worst, and the worst courses; ``more_…`` were left out."""

    line: Line
    releases: list[Release]
    more_releases: int
    slower: Release | None
    slower_ago: str
    apps: list[Row]
    more_apps: int
    worse_apps: list[WorseApp]
    severities: list[str]
    stories: list[Story]
    more_stories: int
    written_at: datetime


def load_report(line: Line) -> HistoryReport:
    """Load the report of a line of versions: twelve queries."""
    now, policy = timezone.now(), current_policy()
    today = timezone.localdate(now)
    releases = load_releases(line)
    slower = last_slower(releases)
    part = Line(line.channel, line.versions[-MOST_VERSIONS:])
    wanted = wanted_apps(Wanted(channel=line.channel, by=BY_APP), line)
    ids = list(wanted[:MOST_APPS])
    by_id = App.objects.in_bulk(ids)
    apps = [by_id[pk] for pk in ids]
    rows = [
        app_row(app, cells, part, today, policy, linked=False)
        for app, cells in zip(apps, cells_of_apps(part, apps), strict=True)
    ]
    worse = wanted_courses(Wanted(channel=line.channel), line).filter(worst__gt=0)
    courses = list(worse[:TOP])
    return HistoryReport(
        line=part,
        releases=releases[:MOST_VERSIONS],
        more_releases=len(releases[MOST_VERSIONS:]),
        slower=slower,
        slower_ago=days_ago(slower.day, today) if slower else "",
        apps=rows,
        more_apps=wanted.count() - len(rows),
        worse_apps=load_worse_apps(line),
        severities=[word for word, _ in policy.ladder],
        stories=[_story(trend) for trend in load_trends(courses, part)],
        more_stories=worse.count() - len(courses),
        written_at=now,
    )


def _story(trend: Trend) -> Story:
    figure = make_figure(trend)
    label = f"{figure.title} in {figure.unit} over the versions"
    return Story(trend.course, what_happened(trend.course), draw_chart(figure), label)


def render_report(report: HistoryReport, *, address: str = "") -> str:
    """Return the HTML. ``address`` is that of the site, for the link back, if it is known."""
    context = {
        "report": report,
        "words": [term_called(name) for name in WORDS],
        "styles": f"{page_styles('history/report.css', font=True)}\n{static_text('css/history.css')}",
        "site": address.rstrip("/"),
    }
    return harmless_page(render_to_string("history/report.html", context))


def report_name(report: HistoryReport) -> str:
    """Return the name of the file: the line, its newest version and the day."""
    newest = report.releases[0].version.name if report.releases else ""
    day = timezone.localdate(report.written_at).isoformat()
    return file_name("history", report.line.channel, newest, day, ending=ENDING)
