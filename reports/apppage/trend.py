"""How an app goes over the versions of a line: what moved in each, what is slower than it was, what is open."""

from dataclasses import dataclass
from datetime import date

from django.http import Http404
from django.utils import timezone

from analysis.history.changes import DRIFT
from analysis.verdicts.words import REGRESSION
from reports.history.bars import Bars, draw_bars
from reports.history.drawing import Row, course_row
from reports.history.matrix import Line, load_lines
from reports.history.releases import Release, days_ago, last_slower, load_releases
from reports.history.state import HistoryState, load_state
from reports.models import App, Course, OsVersion, TriageEntry
from reports.triage.selectors import open_findings

MOST_COURSES = 200


@dataclass(frozen=True)
class OpenAge:
    """The newest decision about a finding that is still open, and how long ago somebody first decided about it."""

    entry: TriageEntry
    since: str


@dataclass(frozen=True)
class Standing:
    """How many interactions of an app are slower than they were, and since which versions."""

    slower: int
    of: int
    first: OsVersion | None
    last: OsVersion | None


@dataclass(frozen=True)
class AppTrend:
    """An app over a line. ``releases`` are those with a step of it, newest first; ``slower`` the last that hurt."""

    line: Line
    releases: list[Release]
    slower: Release | None
    slower_ago: str
    standing: Standing
    courses: list[Course]
    open: list[OpenAge]


@dataclass(frozen=True)
class AppTrendPage:
    """The page of it: ``lines`` that the app was recorded in, the picture, and a row for each course."""

    app: App
    lines: list[Line]
    trend: AppTrend
    state: HistoryState
    bars: Bars
    rows: list[Row]
    more_rows: int


def load_app_trend(app: App, line: Line, today: date) -> AppTrend:
    """Load how an app goes over a line: five queries."""
    releases = [row for row in load_releases(line, app=app) if row.interactions]
    slower = last_slower(releases)
    rows = Course.objects.filter(channel=line.channel, interaction__app=app).order_by("-worst", "pk")
    courses = list(rows.select_related("interaction__app", "device", "since", "back"))
    return AppTrend(
        line=line,
        releases=releases,
        slower=slower,
        slower_ago=days_ago(slower.day, today) if slower else "",
        standing=_standing(courses, line),
        courses=courses,
        open=[OpenAge(row.entry, days_ago(timezone.localdate(row.since), today)) for row in open_findings(app)],
    )


def load_app_trend_page(app_id: int, *, channel: str, today: date) -> AppTrendPage:
    """Load the page of an app over a line, by default the first that it was recorded in; answers 404 for others.

    Ten queries, and those of the state of a line that is behind.
    """
    app = App.objects.filter(pk=app_id).first()
    if app is None:
        raise Http404("There is no such app.")
    channels = set(Course.objects.filter(interaction__app=app).order_by().values_list("channel", flat=True))
    lines = [line for line in load_lines() if line.channel in channels]
    if channel and channel not in channels:
        raise Http404(f"{app} was not recorded in the line {channel}.")
    line = next((each for each in lines if each.channel == channel), lines[0] if lines else Line())
    trend = load_app_trend(app, line, today)
    devices = len({row.device_id for row in trend.courses}) > 1
    shown = trend.courses[:MOST_COURSES]
    return AppTrendPage(
        app=app,
        lines=lines,
        trend=trend,
        state=load_state(line),
        bars=draw_bars(trend.releases, app),
        rows=[course_row(row, {}, line, set(), devices=devices) for row in shown],
        more_rows=len(trend.courses) - len(shown),
    )


def _standing(courses: list[Course], line: Line) -> Standing:
    lasting = [row for row in courses if row.kind in (REGRESSION, DRIFT)]
    since = {row.since_id for row in lasting}
    when = [version for version in line.versions if version.pk in since]
    return Standing(
        slower=len({row.interaction_id for row in lasting}),
        of=len({row.interaction_id for row in courses}),
        first=when[0] if when else None,
        last=when[-1] if when else None,
    )
