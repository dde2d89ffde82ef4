"""The page of a course: its chart, its numbers, the choice of two versions, what it can be limited to."""

import csv
import io
import re

import pytest
from django.urls import reverse

from reports.history.chart import draw_chart
from reports.history.figure import make_figure
from reports.history.trend import TrendWanted, load_trend
from tests import factories
from tests.repeated import made_once
from tests.reports.history.lines import bring_up_to_date, film, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    """Four versions; the third responds 100 ms later and the fourth as well."""
    made_once(_four_versions)
    return factories.interaction().pk


def _four_versions():
    line(200.0, 200.0, 300.0, 300.0)
    bring_up_to_date()


def page(client, pk, **query):
    text = client.get(reverse("history-course", args=[pk]), query).content.decode()
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_chart_places_medians_by_value_and_versions_evenly(course):
    chart = draw_chart(make_figure(load_trend(course, TrendWanted())))

    first, second, third, last = chart.points
    assert second.x - first.x == pytest.approx(last.x - third.x, abs=0.2)
    assert first.y == second.y > third.y == last.y  # a longer time stands higher
    ticks = {tick.text: tick.at for tick in chart.values}
    assert ticks["200"] == first.y
    assert ticks["300"] == third.y
    assert [point.of.tone for point in chart.points] == ["", "", "worse", ""]
    assert chart.unit == "ms"


def test_every_run_is_a_dot_where_it_is_asked_for(course, signed_in):
    assert "trend-run" not in page(signed_in, course)

    html = page(signed_in, course, runs="on")

    assert html.count('class="trend-run"') == 32


def test_the_numbers_of_each_version_stand_below_and_in_a_file(course, signed_in):
    html = page(signed_in, course)
    assert "300 ms" in html
    assert "+100 ms" in html

    answer = signed_in.get(reverse("history-csv", args=[course]))

    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
    assert [row["version"] for row in rows] == ["14.0.0", "14.0.1", "14.0.2", "14.0.3"]
    assert (rows[2]["before"], rows[2]["mark"], float(rows[2]["delta"])) == ("14.0.1", "up", 100.0)
    assert rows[2]["verdict"] == "regression"


def test_two_versions_are_chosen_one_after_the_other_without_a_script(course, signed_in):
    points = re.findall(r'<a href="([^"]+)" class="trend-point', page(signed_in, course))
    assert points[2] == "?picked=14.0.2"

    html = page(signed_in, course, picked="14.0.2")

    assert "14.0.2 is chosen" in html
    points = re.findall(r'<a href="([^"]+)" class="trend-point', html)
    older = reverse("ranking", args=["14.0.0", "14.0.2"])
    newer = reverse("ranking", args=["14.0.2", "14.0.3"])
    assert (points[0], points[3]) == (f"{older}?q=open+inbox", f"{newer}?q=open+inbox")
    assert points[2] == "?picked=14.0.2"


def test_a_part_of_the_line_is_shown_and_stands_in_the_address(course, signed_in):
    html = page(signed_in, course, first="14.0.1", last="14.0.2")

    assert html.count('class="trend-hit"') == 2
    assert page(signed_in, course, first="no such", last="14.0.2").count('class="trend-hit"') == 3
    assert page(signed_in, course, first="14.0.2", last="14.0.1").count('class="trend-hit"') == 2


def test_what_has_no_history_says_so(course, signed_in):
    other = factories.interaction("never filmed")
    assert signed_in.get(reverse("history-course", args=[other.pk])).status_code == 404
    assert signed_in.get(reverse("history-course", args=[10**9])).status_code == 404


@pytest.mark.parametrize("middles", [[200.0], [0.0, 0.0], [0.0, 1e-9], [1e9, 1e9], [200.0, 200.0]])
def test_odd_courses_are_drawn(signed_in, middles):
    versions = [factories.os_version(f"14.0.{number}") for number in range(len(middles))]
    for version, middle in zip(versions, middles, strict=True):
        factories.runs([middle] * 6, version=version)
    bring_up_to_date()

    html = page(signed_in, factories.interaction().pk)

    assert not re.search(
        r"\b(nan|inf|none)\b", html[html.index('<figure class="trend"') : html.index("</figure>")], re.IGNORECASE
    )
    assert html.count('class="trend-hit"') == len(middles)


def test_other_devices_are_other_courses(signed_in, course):
    tablet = factories.device("tablet", 120.0)
    for version, middle in (("14.0.0", 100.0), ("14.0.1", 100.0)):
        film(factories.os_version(version), middle, on=tablet)
    bring_up_to_date()

    html = page(signed_in, course, device=tablet.pk)

    assert html.count('class="trend-hit"') == 2
    assert "tablet (120 Hz)" in html


def test_the_number_of_queries_does_not_grow(signed_in, course, django_assert_max_num_queries):
    line(*[200.0] * 12, of=factories.interaction("long"), names="15.0.{}")
    bring_up_to_date()

    with django_assert_max_num_queries(15):
        page(signed_in, factories.interaction("long").pk, runs="on")


def test_a_step_that_is_not_the_difference_of_the_medians_says_so(signed_in):
    before, after = factories.os_version("14.0.0"), factories.os_version("14.0.1")
    film(before, 200.0, runs=8, app_version="1.0")
    film(after, 210.0, runs=8, app_version="1.0")
    film(after, 300.0, runs=12, app_version="2.0")  # most of its runs, and none to set them against
    bring_up_to_date()

    html = page(signed_in, factories.interaction().pk)
    assert "300 ms" in html
    assert re.search(r"\+10 ms</b><a href=\"#apart\"", html)
    assert 'id="apart"' in html

    film(before, 200.0, runs=20, app_version="2.0")
    bring_up_to_date()
    assert 'id="apart"' not in page(signed_in, factories.interaction().pk)
