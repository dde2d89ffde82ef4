"""Comparisons through the API: the same answers as the pages, and refusals that name the field."""

import csv
import io

import pytest

from reports.models import Action, AuditEntry, Comparison
from reports.policies.services import save_scope
from tests import factories

pytestmark = pytest.mark.django_db
ALL = "/api/v1/comparisons/"
ONE = f"{ALL}13.0.9/13.0.13/"
PAGE = "/compare/13.0.9/13.0.13/"
WHOLE = {"content_type": "application/json"}


def fields(answer):
    return [row["field"] for row in answer.json()["errors"]]


def test_asking_for_a_comparison_twice_is_one_comparison(signed_in, versions):
    for version in versions:
        factories.runs([200.0], version=version)
    asked = {"base": "13.0.9", "new": "13.0.13"}

    first, again = signed_in.post(ALL, asked, **WHOLE), signed_in.post(ALL, asked, **WHOLE)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"] == Comparison.objects.get().pk
    assert first.json()["status"] == "pending"
    assert first.json()["gate"] is None
    assert AuditEntry.objects.filter(action=Action.COMPARED, who="engineer").exists()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"base": "13.0.9"}, "new"),
        ({"base": "13.0.9", "new": "14"}, "new"),
        ({"base": "13.0.9", "new": "13.0.9"}, ""),
        ({"base": 13, "new": "13.0.13"}, "base"),
        ({"base": "13.0.9", "new": "13.0.13", "device": "phone"}, "device"),
        ({"base": "13.0.9", "new": "13.0.13", "device": 10**9}, "device"),
        ({"base": "13.0.9", "new": "13.0.13", "devise": None}, "devise"),
        ([], ""),
    ],
)
def test_what_cannot_be_compared_is_refused_at_its_field(signed_in, compared, sent, field):
    answer = signed_in.post(ALL, sent, **WHOLE)

    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    assert fields(answer) in ([field], [])
    assert Comparison.objects.count() == 1


def test_a_comparison_says_what_its_page_says(signed_in, compared):
    found = signed_in.get(ONE).json()
    page = signed_in.get(PAGE).content.decode().replace("\u00a0", " ")

    assert found["gate"]["sentence"] in page
    assert (found["status"], found["stale"], found["error"]) == ("done", False, "")
    assert found["summary"]["regressed"] == 1
    assert found["gate"]["exit_code"] == 3
    assert found["triage"] == {"untriaged": 1}
    assert found["page"] == f"http://testserver{PAGE}"


def test_a_list_is_narrowed_by_version_and_paged(signed_in, compared):
    other = factories.os_version("14")
    Comparison.objects.create(base=compared.new, new=other)

    rows = signed_in.get(ALL).json()["results"]
    narrowed = signed_in.get(ALL, {"new": "14", "status": "pending"}).json()["results"]
    paged = signed_in.get(ALL, {"limit": 1}).json()

    assert [row["new"] for row in rows] == ["14", "13.0.13"]
    assert [row["new"] for row in narrowed] == ["14"]
    assert [row["new"] for row in signed_in.get(paged["next"]).json()["results"]] == ["13.0.13"]


def test_versions_that_were_never_compared_are_not_there(signed_in, versions):
    unknown, never = signed_in.get(f"{ALL}13.0.9/99/"), signed_in.get(ONE)

    assert (unknown.status_code, never.status_code) == (404, 404)
    assert "99" in unknown.json()["detail"]
    assert "have not been compared yet" in never.json()["detail"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?metric=all",
        "?metric=response_time_ms&sort=-delta",
        "?verdict=improvement",
        "?type=scroll",
        "?critical=true",
        "?q=inbox",
        "?app=org.example.feed&sort=interaction",
        "?state=untriaged",
        "?scope=swipes",
        "?min_runs=8",
        "?min_runs=9",
    ],
)
def test_results_are_those_of_the_ranking_under_the_same_filters(signed_in, compared, query):
    save_scope(name="swipes", interaction_types=["scroll"])

    shown = csv.DictReader(io.StringIO(signed_in.get(f"{PAGE}results.csv{query}").getvalue().decode("utf-8-sig")))
    rows = signed_in.get(f"{ONE}results/{query}").json()["results"]

    places = [(row["package"], row["interaction"], row["metric"], row["verdict"]) for row in rows]
    assert places == [(row["package"], row["interaction"], row["metric"], row["verdict"]) for row in shown]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("verdict=regresion", "verdict"),
        ("min_runs=many", "min_runs"),
        ("critical=perhaps", "critical"),
        ("scope=nowhere", "scope"),
        ("verdct=regression", "verdct"),
        ("limit=1000", "limit"),
        ("cursor=abc", "cursor"),
        ("device=-1", "device"),
    ],
)
def test_a_filter_that_the_page_would_pass_over_is_refused(signed_in, compared, query, field):
    answer = signed_in.get(f"{ONE}results/?{query}")

    assert answer.status_code == 422
    assert fields(answer) == [field]


def test_results_come_in_pages_of_one_computation(signed_in, compared):
    first = signed_in.get(f"{ONE}results/", {"metric": "all", "limit": 2}).json()
    second = signed_in.get(first["next"]).json()
    back = signed_in.get(second["previous"]).json()
    Comparison.objects.update(computed_at="2031-01-01T00:00:00Z")
    late = signed_in.get(first["next"])

    names = [row["interaction"] for row in first["results"] + second["results"]]
    assert names == ["open inbox", "fling", "like"]
    assert second["next"] is None
    assert back["results"] == first["results"]
    assert late.status_code == 409


def test_results_that_one_has_are_not_sent_again(signed_in, compared):
    tag = signed_in.get(f"{ONE}results/")["ETag"]

    assert signed_in.get(f"{ONE}results/", headers={"if-none-match": tag}).status_code == 304
    assert signed_in.get(f"{ONE}results/?q=like", headers={"if-none-match": tag}).status_code == 200


def test_a_page_of_results_takes_as_many_queries_as_a_longer_one(signed_in, compared, django_assert_num_queries):
    signed_in.get(f"{ONE}results/")
    with django_assert_num_queries(6):
        signed_in.get(f"{ONE}results/?metric=all&limit=1")
    with django_assert_num_queries(6):
        signed_in.get(f"{ONE}results/?metric=all")
