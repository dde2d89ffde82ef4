"""The report of a line: one file that loads nothing, with what the pages say, and of a bounded size."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.policy.policy import DEFAULT_POLICY
from reports.history.chart import draw_chart
from reports.history.drawing import app_row
from reports.history.figure import make_figure
from reports.history.releases import Release
from reports.history.report import MOST_APPS, MOST_BYTES, MOST_VERSIONS, TOP, HistoryReport, Story, render_report
from reports.models import App
from tests import factories
from tests.repeated import made_once
from tests.reports.history.lines import bring_up_to_date, line, unsaved_trend

ADDRESS = reverse("history-releases-report")


@pytest.fixture
def report(signed_in):
    """Return the file: Mail got slower at the third of four versions, Maps faster."""
    made_once(_two_apps)
    return signed_in.get(ADDRESS)


def _two_apps():
    line(300.0, 300.0, 200.0, 200.0, of=factories.interaction("pan", of=factories.app("Maps")))
    line(200.0, 200.0, 310.0, 310.0)
    bring_up_to_date()


def test_it_is_one_file_that_loads_nothing(report):
    html = report.content.decode()

    assert re.fullmatch(
        r'attachment; filename="history-14.0.3-\d{4}-\d\d-\d\d.html"', report["Content-Disposition"]
    )
    assert "<script" not in html
    assert "default-src 'none'" in html
    assert re.findall(r'(?:src|href)="(?!data:|#)([^"]+)"', html) == ["http://testserver/history/releases/"]
    assert re.findall(r'url\((?!"?data:)[^)]*\)', html.partition("</style>")[0]) == []


def test_it_says_what_the_pages_say(report):
    html = report.content.decode().replace("\N{NO-BREAK SPACE}", " ")
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html.partition("</style>")[2]))

    assert "The last regression came with 14.0.2, today: 1 interaction of 2 slower" in words
    assert re.search(r"14\.0\.2 14\.0\.1 .*? 2 ▲ 1 50 % ▼ 1 1 Noticeable", words)
    assert re.findall(r'<h3 id="course-\d">(.*?) <small', html) == ["Mail · open inbox"]
    assert html.count('class="trend-point') == 4
    assert re.findall(r'<td class="m-1 severity-(\w+)"><b', html) == ["noticeable"]


@pytest.mark.django_db
def test_little_and_nothing_make_a_file_as_well(signed_in):
    assert "No version of this line made anything slower" in signed_in.get(ADDRESS).content.decode()
    line(200.0)
    assert "No app was recorded on two versions" in signed_in.get(ADDRESS).content.decode()
    assert signed_in.get(ADDRESS, {"channel": "nightly"}).status_code == 404


def test_the_number_of_queries_does_not_grow(report, signed_in, django_assert_num_queries):
    with django_assert_num_queries(17):
        signed_in.get(ADDRESS)
    line(*[200.0, 300.0] * 3, of=factories.interaction("send", of=factories.app("Feed")))
    bring_up_to_date()
    with django_assert_num_queries(17):
        signed_in.get(ADDRESS)


def test_as_much_as_possible_takes_no_more_than_it_says():
    trend = unsaved_trend(range(MOST_VERSIONS))
    versions = trend.line.versions
    worse = {"interactions": 10, "worse": 3, "better": 1, "worst": 3.0}
    cells = {version.pk: worse | {"worse": version.pk % 3 == 0} for version in versions}
    today = timezone.localdate()
    apps = [
        App(pk=number, package=f"org.example.a{number}", name=f"An app of a long name {number}")
        for number in range(MOST_APPS)
    ]
    pairs = zip((None, *versions), versions, strict=False)
    report = HistoryReport(
        line=trend.line,
        releases=[Release(new, old, 3000, 40, 20, 30, "Severe", 12.0, True) for old, new in pairs],
        more_releases=3,
        slower=None,
        slower_ago="",
        apps=[app_row(app, cells, trend.line, today, DEFAULT_POLICY, linked=False) for app in apps],
        more_apps=200,
        worse_apps=[],
        severities=[word for word, _ in DEFAULT_POLICY.ladder],
        stories=[Story(trend.course, "", draw_chart(make_figure(trend)), "Response time in ms")] * TOP,
        more_stories=300,
        written_at=timezone.now(),
    )

    html = render_report(report)

    assert html.count('class="trend-point') == TOP * MOST_VERSIONS
    assert len(html.encode()) <= MOST_BYTES
    assert f"the {MOST_APPS} with the worst steps; 200 more" in html
    assert f"the newest {MOST_VERSIONS} of {MOST_VERSIONS + 3}" in html.replace("\N{NO-BREAK SPACE}", " ")
