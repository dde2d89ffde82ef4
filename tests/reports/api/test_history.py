"""The history through the API: what the pages say, in the same order, with the same rights."""

import pytest

from reports.models import Annotation, AuditEntry, Course, OsVersion
from tests import factories
from tests.repeated import made_once
from tests.reports.comparing.pairs import compare
from tests.reports.history.lines import bring_up_to_date, film, line

pytestmark = pytest.mark.django_db
ALL = "/api/v1/history/"
WHOLE = {"content_type": "application/json"}
LIST_QUERIES, ONE_QUERIES, RELEASES_QUERIES = 6, 11, 7


@pytest.fixture
def versions():
    """Four versions: Mail gets 110 ms slower at the third, Maps stays."""
    made_once(_four_versions)
    return list(OsVersion.objects.order_by("name"))


def _four_versions():
    line(100.0, 100.0, 100.0, 100.0, of=factories.interaction("pan", of=factories.app("Maps")))
    line(200.0, 200.0, 310.0, 310.0)
    bring_up_to_date()


def names(answer):
    assert answer.status_code == 200, answer.content
    return [row["app_name"] for row in answer.json()["results"]]


def test_courses_are_listed_as_in_the_matrix(signed_in, versions):
    answer = signed_in.get(ALL)

    assert names(answer) == ["Mail", "Maps"]
    mail = answer.json()["results"][0]
    assert (mail["kind"], mail["since"], mail["back"]) == ("regression", "14.0.2", None)
    assert (mail["medians"], mail["delta"]) == ([200.0, 200.0, 310.0, 310.0], 110.0)
    assert signed_in.get(mail["page"]).status_code == 200


def test_courses_are_filtered_as_in_the_matrix(signed_in, versions):
    tablet = factories.device("tablet", 120.0)
    for version in versions[:2]:
        film(version, 90.0, on=tablet)
    line(500.0, 500.0, channel="beta", names="15.{}-beta")
    bring_up_to_date()
    mail = factories.interaction()

    assert names(signed_in.get(ALL, {"app": "org.example.maps"})) == ["Maps"]
    assert names(signed_in.get(ALL, {"interaction": mail.pk, "device": tablet.pk})) == ["Mail"]
    assert names(signed_in.get(ALL, {"kind": "regression"})) == ["Mail"]
    assert names(signed_in.get(ALL, {"metric": "dropped_frames"})) == []
    assert names(signed_in.get(ALL, {"q": "pan", "sort": "name"})) == ["Maps"]
    [beta] = signed_in.get(ALL, {"channel": "beta"}).json()["results"]
    assert beta["medians"] == [500.0, 500.0]
    assert "500 ms" in signed_in.get(beta["page"]).content.decode().replace("\N{NO-BREAK SPACE}", " ")
    assert signed_in.get(ALL, {"channel": "nightly"}).json()["errors"][0]["field"] == "channel"
    assert signed_in.get(ALL, {"kind": "none"}).json()["errors"][0]["field"] == "kind"
    assert signed_in.get(ALL, {"by": "apps"}).status_code == 422


def test_pages_of_the_list_follow_one_another_until_it_is_computed_anew(signed_in, versions):
    first = signed_in.get(ALL, {"limit": 1})
    second = signed_in.get(first.json()["next"])

    assert (names(first), names(second), second.json()["next"]) == (["Mail"], ["Maps"], None)
    film(versions[-1], 310.0)
    bring_up_to_date()
    assert signed_in.get(first.json()["next"]).status_code == 409


def test_a_course_has_its_levels_and_what_was_said(signed_in, versions):
    course = Course.objects.get(interaction=factories.interaction())
    said = signed_in.post(f"{ALL}{course.pk}/notes/", {"version": "14.0.1", "text": "a new charger"}, **WHOLE)
    answer = signed_in.get(f"{ALL}{course.pk}/", {"first": "14.0.1", "last": "14.0.2", "runs": "true"}).json()

    assert [level["version"] for level in answer["levels"]] == ["14.0.1", "14.0.2"]
    step = answer["levels"][1]
    assert (step["before"], step["mark"], step["delta"], step["felt"]) == ("14.0.1", "up", 110.0, True)
    assert (step["verdict"], step["severity"], step["n"], len(step["runs"])) == ("regression", "Noticeable", 8, 8)
    assert [(row["version"], row["words"], row["note"]) for row in answer["said"]] == [
        ("14.0.1", "a new charger", said.json()["id"])
    ]
    assert signed_in.get(f"{ALL}{course.pk}/").json()["levels"][0]["runs"] == []
    assert signed_in.get(f"{ALL}999999/").status_code == 404


def test_notes_are_added_and_hidden_by_triagers(signed_in, script, versions, engineer):
    course = Course.objects.get(interaction=factories.interaction())
    notes = f"{ALL}{course.pk}/notes/"
    made = signed_in.post(notes, {"version": "14.0.1", "text": "x", "everywhere": True}, **WHOLE)

    assert (made.status_code, made.json()["made_by"], made.json()["everywhere"]) == (201, engineer.username, True)
    assert signed_in.post(notes, {"version": "9.9", "text": "x"}, **WHOLE).json()["errors"][0]["field"] == "version"
    assert signed_in.post(notes, {"version": "14.0.1", "text": ""}, **WHOLE).status_code == 422
    assert script("read").post(notes, {"version": "14.0.1", "text": "x"}, **WHOLE).status_code == 403
    one = f"{ALL}notes/{made.json()['id']}/"
    assert [script("triage").delete(one).status_code for _ in range(2)] == [204, 204]
    assert Annotation.objects.get().hidden_at is not None
    assert AuditEntry.objects.filter(subject="note on 14.0.1").count() == 2
    assert signed_in.delete(f"{ALL}notes/999999/").status_code == 404


def test_releases_say_what_their_page_says(signed_in, versions):
    compare(versions[1:3])
    rows = signed_in.get(f"{ALL}releases/").json()["results"]

    assert [row["version"] for row in rows] == ["14.0.3", "14.0.2", "14.0.1", "14.0.0"]
    newer = {
        name: rows[1][name] for name in ("before", "interactions", "worse", "share_pct", "severity", "compared")
    }
    assert newer == {
        "before": "14.0.1", "interactions": 2, "worse": 1,
        "share_pct": 50.0, "severity": "Noticeable", "compared": True,
    }  # fmt: skip
    of_maps = signed_in.get(f"{ALL}releases/", {"app": "org.example.maps", "limit": 2}).json()
    assert [(row["worse"], row["risk"]) for row in of_maps["results"]] == [(0, 0.0), (0, 0.0)]
    assert of_maps["next"]
    assert signed_in.get(f"{ALL}releases/", {"app": "no.such"}).status_code == 422


def test_without_any_run_the_lists_are_empty(signed_in):
    assert signed_in.get(ALL).json()["results"] == signed_in.get(f"{ALL}releases/").json()["results"] == []


def test_the_number_of_queries_does_not_grow(signed_in, versions, django_assert_num_queries):
    def ask():
        course = Course.objects.get(interaction=factories.interaction())
        for queries, address in (
            (LIST_QUERIES, ALL),
            (ONE_QUERIES, f"{ALL}{course.pk}/?runs=true"),
            (RELEASES_QUERIES, f"{ALL}releases/"),
        ):
            with django_assert_num_queries(queries):
                signed_in.get(address)

    ask()
    line(*[200.0] * 8, of=factories.interaction("search"))
    bring_up_to_date()
    ask()
