import pytest
from django.urls import reverse

from reports.models import RunStatus
from tests import factories
from tests.reports.drilldown.rows import add_series

TIMES_MS = [0, 500, 600, 650, 667, 1200]


@pytest.fixture
def run(db):
    return add_series(factories.run(), TIMES_MS, changed=[2, 3, 4]).run


def test_series_tells_times_and_moments_of_one_run(run, signed_in):
    answer = signed_in.get(reverse("api-run-series", args=[run.pk])).json()

    assert answer["time_ms"] == TIMES_MS
    assert (answer["action_ms"], answer["response_ms"], answer["finish_ms"]) == (500, 100, 167)
    assert answer["dropped"] == [{"from_ms": 100, "to_ms": 150, "frames": 2}]


def test_series_of_a_failed_run_says_why(db, signed_in):
    run = factories.run(status=RunStatus.FAILED, error="unreadable: no video stream")

    response = signed_in.get(reverse("api-run-series", args=[run.pk]))

    assert response.json() == {"run": run.pk, "error": "unreadable: no video stream"}


def test_figure_holds_both_runs_and_nobody_elses(run, signed_in, django_assert_num_queries):
    other = add_series(factories.run(), TIMES_MS, changed=[3]).run
    add_series(factories.run(), TIMES_MS, changed=[4])

    with django_assert_num_queries(4):
        figure = signed_in.get(reverse("api-pair-plots", args=[run.pk, other.pk])).json()

    assert len(figure["data"]) == 8
    assert [(mark["side"], mark["kind"], mark["at_ms"]) for mark in figure["marks"]] == [
        ("base", "response", 100), ("base", "finish", 167), ("new", "response", 150), ("new", "finish", 150),
    ]  # fmt: skip


def test_figure_without_any_series_is_empty(db, signed_in):
    assert signed_in.get(reverse("api-pair-plots", args=[1, 2])).json()["data"] == []


def test_json_is_for_people_who_are_logged_in(run, client):
    assert client.get(reverse("api-run-series", args=[run.pk])).status_code == 401
