"""The catalogue through the API, counted as its pages count."""

import pytest

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
def test_a_list_costs_the_same_however_much_there_is(filmed, script, django_assert_num_queries, name, queries):
    client = script("read")
    client.get(f"{API}{name}/")

    with django_assert_num_queries(queries):  # the token, the page, and what is counted
        client.get(f"{API}{name}/")
