"""Bisections through the API, as a farm drives one."""

import pytest

from reports.bisecting.services import look_again
from reports.models import Bisection, OsVersion
from tests.reports.history.lines import film, line

pytestmark = pytest.mark.django_db
BISECTIONS = "/api/v1/bisections/"
SENT = {
    "app": "org.example.mail",
    "interaction": "open inbox",
    "metric": "response_time_ms",
    "good": "14.0.0",
    "bad": "14.0.4",
}


@pytest.fixture
def ends():
    """Five versions with runs of the first and the last alone: 200 and 300 ms. θ of a response is 50 ms."""
    versions = line(200.0, None, None, None, 300.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 300.0)):
        film(version, middle, runs=12)
    return versions


def post(client, address, **sent):
    return client.post(address, sent, content_type="application/json")


def test_a_farm_records_what_is_asked_for_until_the_version_is_found(script, ends):
    farm = script("triage")
    made = post(farm, BISECTIONS, **SENT).json()
    mine = f"{BISECTIONS}{made['id']}/"
    assert (made["state"], made["measure"], made["stale"]) == ("computing", [], True)

    for _ in range(9):
        look_again(bisection_id=made["id"])
        found = farm.get(mine).json()
        for asked in found["measure"]:
            film(OsVersion.objects.get(name=asked["version"]), 300.0, runs=asked["runs"])
    assert (found["state"], found["first_bad"], found["last_good"]) == ("found", "14.0.1", "14.0.0")
    assert [(row["version"], row["state"]) for row in found["builds"]] == [
        ("14.0.0", "good"), ("14.0.1", "bad"), ("14.0.2", "bad"), ("14.0.3", "not recorded"), ("14.0.4", "bad"),
    ]  # fmt: skip
    assert found["builds"][1]["median"] == 300.0

    ended = post(farm, f"{mine}finish/").json()
    assert (ended["suspects"], ended["measure"]) == (["14.0.1"], [])
    assert ended["finished_by"].startswith("engineer, token farm")
    assert ended["triaged"] == "14.0.1 does not say whose change it brings, so nobody was assigned."
    assert post(farm, f"{mine}finish/").json() == ended


def test_the_same_search_is_answered_with_the_one_under_way(signed_in, ends):
    first, again = post(signed_in, BISECTIONS, **SENT), post(signed_in, BISECTIONS, **SENT)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["page"] == f"http://testserver/history/bisections/{first.json()['id']}/"


def test_builds_that_are_not_known_yet_are_named_with_their_place(signed_in, ends):
    post(signed_in, BISECTIONS, **SENT, builds=["14.0.0.1", "0758686f97=14.0.2.5"])

    assert Bisection.objects.get().began_with[3:5] == ["14.0.2", "0758686f97"]


@pytest.mark.parametrize(
    ("field", "sent", "words"),
    [
        ("bad", {"bad": "14.0.0"}, "is the good version as well; name a later one."),
        ("good", {"good": "14.0.4", "bad": "14.0.0"}, "14.0.4 comes after 14.0.0; exchange them"),
        ("builds", {"bad": "14.0.1"}, "No version lies between 14.0.0 and 14.0.1"),
        ("builds", {"builds": "14.0.2"}, "list"),
        ("builds", {"builds": ["a/b"]}, "leave out / "),
        ("metric", {"metric": "speed"}, "is not one of"),
        ("interaction", {"interaction": "close"}, "known are: open inbox."),
        ("device", {"device": 4711}, "There is no such device"),
        ("godo", {"godo": "14"}, "There is no such field here"),
    ],
)
def test_what_is_wrong_is_named_by_its_field_with_the_cure(signed_in, ends, field, sent, words):
    answer = post(signed_in, BISECTIONS, **SENT | sent)

    [error] = answer.json()["errors"]
    assert (answer.status_code, error["field"].partition(".")[0]) == (422, field)
    assert words in error["message"]
    assert not Bisection.objects.exists()


def test_a_version_is_skipped_and_a_finished_bisection_takes_nothing_more(signed_in, ends):
    mine = f"{BISECTIONS}{post(signed_in, BISECTIONS, **SENT).json()['id']}/"
    look_again(bisection_id=Bisection.objects.get().pk)

    post(signed_in, f"{mine}skip/", version="14.0.2", reason="does not boot")
    early = post(signed_in, f"{mine}finish/")
    look_again(bisection_id=Bisection.objects.get().pk)
    found = signed_in.get(mine).json()
    end = post(signed_in, f"{mine}skip/", version="14.0.4", reason="x")
    post(signed_in, f"{mine}finish/")
    late = post(signed_in, f"{mine}skip/", version="14.0.3", reason="x")

    assert (early.status_code, early.json()["cure"]) == (409, "Read it until it is not stale, then finish it.")
    assert (found["builds"][2]["state"], found["builds"][2]["reason"]) == ("skipped", "does not boot")
    assert (end.status_code, end.json()["errors"][0]["field"]) == (422, "version")
    assert (late.status_code, "is finished; start another" in late.json()["detail"]) == (409, True)


def test_what_is_refused_after_a_look_says_why(signed_in):
    versions = line(200.0, None, 210.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 210.0)):
        film(version, middle, runs=12)
    made = post(signed_in, BISECTIONS, **SENT | {"bad": "14.0.2"}).json()
    look_again(bisection_id=made["id"])

    found = signed_in.get(f"{BISECTIONS}{made['id']}/").json()

    assert (found["state"], found["measure"]) == ("refused", [])
    assert "there is no regression that people feel: Response time 200" in found["trouble"]


def test_the_list_is_read_in_pages_and_narrowed(signed_in, ends, django_assert_num_queries):
    for bad in ("14.0.2", "14.0.3", "14.0.4"):
        post(signed_in, BISECTIONS, **SENT | {"bad": bad})

    with django_assert_num_queries(3):
        found = signed_in.get(f"{BISECTIONS}?limit=2").json()

    assert [row["bad"] for row in found["results"]] == ["14.0.4", "14.0.3"]
    assert [row["bad"] for row in signed_in.get(found["next"]).json()["results"]] == ["14.0.2"]
    assert signed_in.get(f"{BISECTIONS}?state=ended").json()["results"] == []
    assert signed_in.get(f"{BISECTIONS}4711/").status_code == 404
