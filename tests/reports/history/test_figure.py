"""The data of a chart: how large it gets, where versions stand by days, and that the SVG draws the same."""

import json
import re

import pytest
from django.urls import reverse

from reports.history.chart import draw_chart
from reports.history.figure import make_figure
from reports.history.notes import Mark
from reports.history.trend import BY_DAYS, TrendWanted, load_trend
from tests import factories
from tests.reports.history.lines import bring_up_to_date, line, unsaved_trend


def test_sixty_versions_of_twenty_runs_with_notes_take_less_than_100_kilobytes():
    trend = unsaved_trend(range(60), runs=20)
    said = [Mark(version, "note", "w" * 200, "lab", None) for version in trend.line.versions for _ in range(5)]

    figure = make_figure(trend, "14.0.3-nightly-2026", said)

    assert len(figure.points) == 60
    assert sum(len(point.dots) for point in figure.points) == 1200
    assert len(json.dumps(figure.plain())) <= 100_000


def test_by_days_versions_stand_where_they_came_out():
    figure = make_figure(unsaved_trend([0, 10, 40, 100], by=BY_DAYS))

    assert [point.x for point in figure.points] == [0.0, 10.0, 40.0, 100.0]
    assert figure.across == (0.0, 100.0)
    first, second, *_ = figure.names
    assert (first, second) == ((0.0, "1 Jan 2025"), (14.0, "15 Jan 2025"))


def test_by_days_those_of_one_day_stand_beside_each_other_and_a_late_one_where_it_came():
    figure = make_figure(unsaved_trend([5, 5, 5, 0], by=BY_DAYS))

    assert [point.version[:6] for point in figure.points] == ["14.0.3", "14.0.0", "14.0.1", "14.0.2"]
    assert [point.x for point in figure.points] == pytest.approx([0, 5, 5 + 1 / 3, 5 + 2 / 3], abs=1e-3)
    assert [point.place for point in figure.points] == [3, 0, 1, 2]


@pytest.mark.parametrize("days", [[], [0], [0, 0], [0, 7300]])
@pytest.mark.parametrize("by", ["", BY_DAYS])
def test_few_versions_and_many_years_are_drawn(days, by):
    figure = make_figure(unsaved_trend(days, by=by))
    chart = draw_chart(figure)

    assert [56 <= point.x <= 1184 for point in chart.points] == [True] * len(days)
    assert len(figure.names) <= 40
    json.dumps(figure.plain(), allow_nan=False)


def test_too_few_runs_have_a_point_without_an_interval():
    chart = draw_chart(make_figure(unsaved_trend([0, 1], n=1, low=None, high=None)))

    assert (chart.band, len(chart.points)) == ("", 2)


def test_a_point_says_what_the_matrix_says_of_its_step():
    words = make_figure(unsaved_trend([0, 1])).points[1].words

    assert words[0] == "14.0.0-nightly-2026 → 14.0.1-nightly-2026"
    assert words[1].startswith("slower, +3 ms to 1")
    assert "came 2 Jan 2025" in words


@pytest.mark.django_db
def test_the_page_draws_its_svg_from_the_data_that_it_hands_to_the_script(signed_in):
    line(200.0, 200.0, 300.0, 300.0)
    bring_up_to_date()
    address = reverse("history-course", args=[factories.interaction().pk])

    html = signed_in.get(
        address, {"first": "14.0.1", "runs": "on", "by": "days", "picked": "14.0.3"}
    ).content.decode()

    told = json.loads(re.search(r'<script id="trend-data" type="application/json">(.*?)</script>', html)[1])
    assert [point["version"] for point in told["points"]] == ["14.0.1", "14.0.2", "14.0.3"]
    assert [point["p50"] for point in told["points"]] == [200.0, 300.0, 300.0]
    assert [point["tone"] for point in told["points"]] == ["", "worse", ""]
    assert [len(point["dots"]) for point in told["points"]] == [8, 8, 8]
    links = re.findall(r'<a href="([^"]+)" class="trend-point', html)
    assert [point["compares"] for point in told["points"] if point["compares"]] == links[:2]
    wanted = TrendWanted(first="14.0.1", runs=True, by=BY_DAYS)
    same = draw_chart(make_figure(load_trend(factories.interaction().pk, wanted)))
    assert [f'cx="{point.x}" cy="{point.y}" r="12"' in html for point in same.points] == [True] * 3
