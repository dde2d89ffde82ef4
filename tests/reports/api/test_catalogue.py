"""The catalogue through the API, counted as its pages count."""

import pytest

from reports.catalogue.services import save_version
from reports.models import RunStatus
from tests import factories

pytestmark = pytest.mark.django_db
API = "/api/v1/"


@pytest.fixture
def filmed(db):
    """Film two apps on two versions: one run each, and one that failed."""
    mail, feed = factories.app("Mail", critical=True), factories.app("Feed", category="social")
    inbox, fling = (
        factories.interaction("open inbox", of=mail),
        factories.interaction("fling", type="scroll", of=feed),
    )
    old, new = factories.os_version("13.0.9"), factories.os_version("13.0.10")
    for version in (old, new):
        factories.run(version=version, of=inbox)
        factories.run(version=version, of=fling)
    factories.run(version=new, of=fling, status=RunStatus.FAILED)
    return fling


def test_versions_come_newest_first_with_their_runs(filmed, script):
    found = script("read").get(f"{API}versions/").json()["results"]

    assert [(row["name"], row["previous"], row["counts"]["runs"], row["counts"]["failed"]) for row in found] == [
        ("13.0.10", "13.0.9", 3, 1),
        ("13.0.9", "", 2, 0),
    ]


def test_a_version_is_found_by_its_name_and_an_unknown_one_names_some(filmed, script):
    client = script("read")

    assert client.get(f"{API}versions/13.0.10/").json()["interactions"] == 2
    unknown = client.get(f"{API}versions/14/")
    assert (unknown.status_code, "Known are: 13.0.10, 13.0.9." in unknown.json()["detail"]) == (404, True)


def test_versions_are_searched_in_pages(filmed, script):
    client = script("read")

    assert [row["name"] for row in client.get(f"{API}versions/", {"q": "13.0.1"}).json()["results"]] == ["13.0.10"]
    first = client.get(f"{API}versions/", {"limit": 1}).json()
    assert [row["name"] for row in client.get(first["next"]).json()["results"]] == ["13.0.9"]


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("apps/", {"Mail", "Feed"}),
        ("apps/?category=social", {"Feed"}),
        ("apps/?critical=true", {"Mail"}),
        ("apps/?q=mai", {"Mail"}),
        ("interactions/?type=scroll", {"fling"}),
        ("interactions/?q=mail", {"open inbox"}),
        ("devices/", {"phone"}),
        ("devices/?q=tablet", set()),
    ],
)
def test_lists_are_narrowed_as_on_their_pages(filmed, script, address, names):
    found = script("read").get(API + address).json()

    assert {row["name"] for row in found["results"]} == names


def test_one_of_each_is_told_with_its_runs(filmed, script):
    client, fling = script("read"), filmed

    app = client.get(f"{API}apps/org.example.feed/").json()
    interaction = client.get(f"{API}interactions/{fling.pk}/").json()
    device = client.get(f"{API}devices/{factories.device().pk}/").json()

    assert (app["interactions"], app["counts"]["runs"], app["counts"]["failed"]) == (1, 3, 1)
    assert (interaction["app"], interaction["type"], interaction["counts"]["done"]) == (
        "org.example.feed",
        "scroll",
        2,
    )
    assert (device["refresh_hz"], device["counts"]["runs"]) == (60.0, 5)


@pytest.mark.parametrize("address", ["apps/org.example.none/", "devices/77/", "interactions/77/"])
def test_what_is_not_there_is_told_so(script, address):
    answer = script("read").get(API + address)

    assert (answer.status_code, "There is no such" in answer.json()["detail"]) == (404, True)


@pytest.mark.parametrize("address", ["apps/?type=tap", "devices/?critical=true", "versions/?category=x"])
def test_a_filter_of_another_list_is_refused(script, address):
    assert script("read").get(API + address).status_code == 422


@pytest.mark.parametrize(("name", "queries"), [("versions", 4), ("apps", 4), ("devices", 3), ("interactions", 3)])
def test_a_list_costs_the_same_however_much_there_is(
    filmed, script, one_minute, django_assert_num_queries, name, queries
):
    client = script("read")
    client.get(f"{API}{name}/")

    with django_assert_num_queries(queries):  # the token, the page, and what is counted
        client.get(f"{API}{name}/")


def change(client, address, **sent):
    return client.patch(API + address, sent, content_type="application/json")


def post(client, address, **sent):
    return client.post(API + address, sent, content_type="application/json")


def test_of_a_version_only_what_is_given_changes(filmed, script, admin_user):
    client = script("admin", of=admin_user)
    change(client, "versions/13.0.9/", note="beta", released_on="2026-03-01")

    told = change(client, "versions/13.0.9/", sorts_as="13.0.11", released_on=None).json()

    assert (told["note"], told["sorts_as"], told["released_on"]) == ("beta", "13.0.11", None)
    assert [row["name"] for row in client.get(f"{API}versions/").json()["results"]] == ["13.0.9", "13.0.10"]
    assert [row["words"] for row in told["changes"][-2:]] == [
        "Note changed from nothing to “beta”",
        "Date changed from nothing to “2026-03-01”",
    ]


def test_a_change_that_was_not_seen_is_not_overwritten(filmed, script, admin_user, engineer):
    save_version(
        version=factories.os_version("13.0.9"), sorts_as="", channel="", released_on=None, note="x", user=engineer
    )
    client = script("admin", of=admin_user)

    refused = change(client, "versions/13.0.9/", note="mine", seen=0)
    seen = client.get(f"{API}versions/13.0.9/").json()["changes"][0]["id"]
    taken = change(client, "versions/13.0.9/", note="mine", seen=seen)

    assert (refused.status_code, f"send seen: {seen}" in refused.json()["cure"]) == (409, True)
    assert "engineer: Note changed" in refused.json()["detail"]
    assert (taken.status_code, taken.json()["note"]) == (200, "mine")


def test_one_version_is_pinned_with_who_when_and_why(filmed, script, admin_user):
    client = script("admin", of=admin_user)
    post(client, "versions/13.0.9/pin/", reason="shipped")
    first = post(client, "versions/13.0.10/pin/", reason="ships").json()
    again = post(client, "versions/13.0.10/pin/", reason="ships").json()

    [pinned] = client.get(f"{API}versions/?pinned=true").json()["results"]
    assert (pinned["name"], pinned["pinned_by"], pinned["pinned_reason"]) == ("13.0.10", "admin", "ships")
    assert (again["pinned_at"], again["changes"]) == (first["pinned_at"], first["changes"])
    assert post(client, "versions/13.0.10/unpin/").json()["pinned"] is False
    assert client.get(f"{API}versions/?pinned=true").json()["results"] == []
    assert post(client, "versions/13.0.9/pin/", reason=" ").status_code == 422


def test_apps_and_interactions_are_changed_by_their_fields(filmed, script, admin_user):
    client, fling = script("admin", of=admin_user), filmed

    app = change(client, "apps/org.example.feed/", critical=True, name="News").json()
    scripted = change(client, f"interactions/{fling.pk}/", type="swipe", again=True).json()

    assert (app["critical"], app["name"], app["category"]) == (True, "News", "social")
    assert (scripted["type"], scripted["counts"]["waiting"]) == ("swipe", 3)


@pytest.mark.parametrize(
    ("address", "field", "sent"),
    [
        ("versions/13.0.9/", "sorts_as", {"sorts_as": "??"}),
        ("versions/13.0.9/", "released_on", {"released_on": "soon"}),
        ("versions/13.0.9/", "name", {"name": "14"}),
        ("apps/org.example.feed/", "critical", {"critical": "yes"}),
        ("apps/org.example.feed/", "name", {"name": ""}),
        ("interactions/1/", "type", {"type": "press"}),
    ],
)
def test_a_wrong_field_changes_nothing(filmed, script, admin_user, address, field, sent):
    answer = change(script("admin", of=admin_user), address.replace("/1/", f"/{filmed.pk}/"), **sent)

    assert (answer.status_code, [row["field"] for row in answer.json()["errors"]]) == (422, [field])


def test_an_area_is_added_once_and_judged_again(filmed, script, admin_user):
    client, area = script("admin", of=admin_user), {"name": "clock", "left": 0, "top": 0, "width": 100, "height": 4}
    post(client, "apps/org.example.feed/areas/", **area, again=False)
    told = post(client, "apps/org.example.feed/areas/", **area).json()

    assert told["masks"] == [{"name": "clock", "unit": "fraction", "x0": 0, "y0": 0, "x1": 1, "y1": 0.04}]
    assert (told["areas"], told["counts"]["waiting"]) == (1, 0)
    left = post(client, "apps/org.example.feed/areas/remove/", **told["masks"][0]).json()
    assert (left["masks"], left["counts"]["waiting"]) == ([], 3)
    assert post(client, "apps/org.example.feed/areas/remove/", **told["masks"][0]).status_code == 200
    assert post(client, "apps/org.example.feed/areas/", **area | {"width": 101}).status_code == 422


def test_the_runs_of_a_device_are_measured_again(filmed, script, admin_user):
    told = post(script("admin", of=admin_user), f"devices/{factories.device().pk}/again/").json()

    assert told["counts"]["waiting"] == 5
