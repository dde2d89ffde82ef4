"""Batches through the API, as a farm drives a test night."""

import pytest

from reports.catalogue.services import pin_version
from reports.models import Batch, Run, RunStatus
from tests import factories
from tests.reports.batches.scene import BASE, NEW, NIGHT, night, say_complete, work_off

pytestmark = pytest.mark.django_db
BATCHES = "/api/v1/batches/"
LIST_QUERIES = 4
MINE = f"{BATCHES}{NIGHT}/"


def post(client, address, **sent):
    return client.post(address, sent, content_type="application/json")


def test_a_name_opens_one_batch(signed_in):
    sent = {"name": NIGHT, "os_version": NEW, "note": "cold room"}
    first, again = post(signed_in, BATCHES, **sent), post(signed_in, BATCHES, **sent)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    found = first.json()
    assert (found["name"], found["os_version"], found["note"], found["state"]) == (NIGHT, NEW, "cold room", "open")
    assert found["runs"] == {"waiting": 0, "measuring": 0, "done": 0, "failed": 0, "total": 0}
    assert (found["failures"], found["comparison"], found["opened_by"]) == ([], None, "engineer")


def test_another_version_under_its_name_is_refused(signed_in):
    post(signed_in, BATCHES, name=NIGHT, os_version=NEW)
    answer = post(signed_in, BATCHES, name=NIGHT, os_version=BASE)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (409, "os_version")


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("name", {"name": "a/b"}),
        ("name", {"name": "n" * 121}),
        ("name", {"name": ["night"]}),
        ("os_version", {"os_version": "v" * 81}),
        ("os_version", {"os_version": ""}),
        ("note", {"note": "n" * 2001}),
        ("nmae", {"nmae": "night"}),
    ],
)
def test_what_is_wrong_is_named_by_its_field(signed_in, field, sent):
    answer = post(signed_in, BATCHES, **{"name": NIGHT, "os_version": NEW} | sent)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)
    assert not Batch.objects.exists()


def test_a_night_from_its_first_run_to_its_comparison(signed_in, engineer, django_capture_on_commit_callbacks):
    commit = django_capture_on_commit_callbacks
    pin_version(version=factories.os_version(BASE), reason="shipped", user=engineer)
    night(waiting=1, failed=4)

    found = signed_in.get(MINE).json()
    assert found["runs"] == {"waiting": 1, "measuring": 0, "done": 8, "failed": 4, "total": 13}
    assert [(row["cause"], row["count"]) for row in found["failures"]] == [
        ("unreadable", 2), ("stopped", 1), ("too_short", 1),
    ]  # fmt: skip

    answer = post(signed_in, f"{MINE}retry/", cause="stopped")
    assert (answer.status_code, answer.json()["runs"]["waiting"]) == (200, 2)
    said = post(signed_in, f"{MINE}complete/").json()
    assert (said["state"], said["comparison"], said["completed_by"]) == ("open", None, "engineer")

    Run.objects.filter(status=RunStatus.PENDING).update(status=RunStatus.DONE)
    say_complete(Batch.objects.get(), commit)
    work_off(commit)

    found = signed_in.get(MINE).json()
    assert found["state"] == "complete"
    assert (found["baseline"], found["comparison"]) == (BASE, f"http://testserver/api/v1/comparisons/{BASE}/{NEW}/")


def test_a_token_that_uploads_drives_a_night_and_is_named(script):
    farm = script("upload")

    assert post(farm, BATCHES, name=NIGHT, os_version=NEW).status_code == 201
    assert post(farm, f"{MINE}complete/").status_code == 200
    assert post(farm, f"{MINE}retry/").status_code == 403
    assert post(script("read"), BATCHES, name="night-43", os_version=NEW).status_code == 403

    found = farm.get(MINE).json()
    assert found["opened_by"] == found["completed_by"]
    assert found["opened_by"].startswith("engineer, token farm")


def test_runs_tell_their_batch(signed_in):
    night(waiting=0)
    factories.run()

    found = signed_in.get(f"/api/v1/runs/?batch={NIGHT}").json()["results"]

    assert len(found) == 8
    assert {row["batch"] for row in found} == {NIGHT}
    assert signed_in.get("/api/v1/runs/?status=done&limit=1").json()["results"][0]["batch"] is None


def test_the_list_is_the_one_of_the_page(signed_in):
    night()
    night(name="night-43", waiting=2)

    found = signed_in.get(f"{BATCHES}?limit=1").json()

    assert [row["name"] for row in found["results"]] == ["night-43"]
    assert [row["name"] for row in signed_in.get(found["next"]).json()["results"]] == [NIGHT]
    assert [row["name"] for row in signed_in.get(f"{BATCHES}?q=43").json()["results"]] == ["night-43"]


def test_an_unknown_batch_is_told_with_some_that_are_known(signed_in):
    night()
    for answer in (signed_in.get(f"{BATCHES}x/"), post(signed_in, f"{BATCHES}x/complete/")):
        assert (answer.status_code, f"Known are: {NIGHT}." in answer.json()["detail"]) == (404, True)


def test_the_list_takes_a_constant_number_of_queries(signed_in, django_assert_num_queries):
    night(name="night-0")
    with django_assert_num_queries(LIST_QUERIES):
        signed_in.get(BATCHES)
    for number in range(1, 5):
        night(name=f"night-{number}", failed=2)
    with django_assert_num_queries(LIST_QUERIES):
        signed_in.get(BATCHES)


def test_a_note_changes_and_a_complete_batch_is_opened_again(signed_in):
    post(signed_in, BATCHES, name=NIGHT, os_version=NEW, note="cold room")
    post(signed_in, f"{MINE}complete/")

    told = signed_in.patch(MINE, {"note": "warm room", "seen": 0}, content_type="application/json").json()
    reopened = post(signed_in, f"{MINE}reopen/").json()

    assert (told["note"], told["changes"][0]["words"]) == (
        "warm room",
        "Note changed from “cold room” to “warm room”",
    )
    assert (told["completed_by"], reopened["completed_by"], reopened["completed_at"]) == ("engineer", "", None)
    assert post(signed_in, f"{MINE}reopen/").status_code == 200
