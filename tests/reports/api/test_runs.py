"""Runs through the API: the list of the page, one of them, and what a person may say of it."""

import pytest

from reports.models import Measurement, Run, RunStatus, StoredFile
from reports.models.files import FileState
from tests import factories
from tests.reports.drilldown.rows import add_series

pytestmark = pytest.mark.django_db
RUNS = "/api/v1/runs/"
TIMES_MS = [0, 500, 600, 650, 667, 1200]


def post(client, path, **sent):
    return client.post(RUNS + path, sent, content_type="application/json")


@pytest.fixture
def run(db):
    metrics = {"response_time_ms": 120.0, "finish_time_ms": 800.0}
    return factories.run(metrics=metrics, duration_ms=2000.0, metadata={"room": "3"})


def test_a_run_tells_what_it_is_and_what_was_measured(run, script):
    found = script("read").get(f"{RUNS}{run.pk}/").json()

    assert found["measurements"] == {"response_time_ms": 120.0, "finish_time_ms": 800.0}
    told = {name: found[name] for name in ("id", "version", "app", "interaction", "interaction_type", "status")}
    assert told == {
        "id": run.pk, "version": "13.0.12", "app": "org.example.mail", "interaction": "open inbox",
        "interaction_type": "tap", "status": "done",
    }  # fmt: skip
    assert found["device"]["refresh_hz"] == 60.0
    assert found["metadata"] == {"room": "3"}
    assert found["page"] == f"http://testserver/runs/{run.pk}/"


def test_an_unknown_run_is_told_so(script):
    answer = script("read").get(f"{RUNS}77/")

    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no run 77.")


def test_the_list_is_filtered_as_its_page(script, signed_in):
    feed = factories.interaction("fling", of=factories.app("Feed"))
    factories.run(of=feed)
    failed = factories.run(of=feed, status=RunStatus.FAILED)
    factories.run(status=RunStatus.FAILED)

    query = {"app": "org.example.feed", "status": "failed"}
    shown = signed_in.get("/runs/", query).context["runs"]
    answered = script("read").get(RUNS, query).json()["results"]

    assert [run.pk for run in shown] == [row["id"] for row in answered] == [failed.pk]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"status": "finished"}, "status"),
        ({"device": "phone"}, "device"),
        ({"confidence": "sure"}, "confidence"),
        ({"versoin": "13"}, "versoin"),
        ({"limit": "201"}, "limit"),
        ({"limit": "0"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"cursor": "made up"}, "cursor"),
        ({"cursor": "cD1hYmM="}, "cursor"),  # p=abc
        ({"cursor": "cD0lMDA="}, "cursor"),  # p=%00
        ({"q": "x" * 201}, "q"),
    ],
)
def test_a_parameter_that_is_wrong_is_named_and_not_passed_over(script, query, field):
    answer = script("read").get(RUNS, query)

    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    found = answer.json()
    assert [row["field"] for row in found["errors"]] == [field]
    assert found["cure"]
    assert found["detail"]


def test_pages_follow_one_another_and_what_comes_in_meanwhile_moves_nothing(script):
    ids = [run.pk for run in factories.runs(range(7))][::-1]
    client = script("read")

    first = client.get(RUNS, {"limit": 3}).json()
    factories.run()
    second = client.get(first["next"]).json()
    third = client.get(second["next"]).json()
    back = client.get(second["previous"]).json()

    pages = [[row["id"] for row in page["results"]] for page in (first, second, third)]
    assert pages == [ids[:3], ids[3:6], ids[6:]]
    assert (first["previous"], third["next"]) == (None, None)
    assert [row["id"] for row in back["results"]] == ids[:3]


def test_a_page_of_many_runs_costs_as_much_as_one_of_few(script, one_minute, django_assert_num_queries):
    client = script("read")
    client.get(RUNS)
    factories.runs(range(30))

    with django_assert_num_queries(5):  # the token, the page, its runs, measurements, corrections
        assert len(client.get(RUNS).json()["results"]) == 30


def test_a_run_is_kept_out_and_let_in_again(run, script):
    client = script("triage")

    out = post(client, f"{run.pk}/exclude/", reason="a call came in").json()
    again = post(client, f"{run.pk}/exclude/", reason="another reason").json()
    let_in = post(client, f"{run.pk}/include/").json()

    assert (out["excluded"], out["excluded_reason"], out["excluded_by"]) == (True, "a call came in", "engineer")
    assert again["excluded_reason"] == "a call came in"
    assert (let_in["excluded"], let_in["excluded_reason"]) == (False, "")


def test_a_run_is_measured_again_and_one_that_waits_is_left_alone(run, script):
    client = script("triage")

    assert post(client, f"{run.pk}/retry/").json()["status"] == "pending"
    assert post(client, f"{run.pk}/retry/").status_code == 200


def test_a_measured_run_whose_recording_is_gone_keeps_its_numbers_and_says_why(run, script):
    StoredFile.objects.create(
        name=run.file_name, sha256=run.sha256, state=FileState.MISSING, changed_at=run.created_at
    )

    answer = post(script("triage"), f"{run.pk}/retry/")

    assert (answer.status_code, "cannot be measured again" in answer.json()["detail"]) == (409, True)
    assert Run.objects.get(pk=run.pk).status == RunStatus.DONE


def test_a_correction_replaces_what_was_measured_and_is_taken_back(run, script):
    client = script("triage")

    said = post(client, f"{run.pk}/correct/", moment="response", value_ms=150, note="the ripple").json()
    taken = post(client, f"{run.pk}/correct/", moment="response", value_ms=None).json()

    assert said["measurements"]["response_time_ms"] == 150
    assert said["confidence"]["response_time_ms"] == "settled"
    [correction] = said["corrections"]
    assert (correction["automatic_ms"], correction["made_by"], correction["note"]) == (
        120,
        "engineer",
        "the ripple",
    )
    assert (taken["measurements"]["response_time_ms"], taken["corrections"]) == (120, [])


def test_another_action_measures_the_run_again_and_the_manifests_can_be_brought_back(run, script):
    client = script("triage")

    moved = post(client, f"{run.pk}/correct/", moment="action", value_ms=700).json()
    back = post(client, f"{run.pk}/correct/", moment="action", value_ms=None).json()

    assert (moved["action_ms"], moved["status"]) == (700, "pending")
    assert back["action_ms"] == 500


@pytest.mark.parametrize(
    ("path", "sent", "field"),
    [
        ("exclude", {}, "reason"),
        ("exclude", {"reason": ""}, "reason"),
        ("exclude", {"reason": "x" * 301}, "reason"),
        ("exclude", {"reason": "nul\0"}, "reason"),
        ("exclude", {"reason": "a call", "resaon": "x"}, "resaon"),
        ("correct", {"moment": "middle", "value_ms": 1}, "moment"),
        ("correct", {"moment": "response"}, "value_ms"),
        ("correct", {"moment": "response", "value_ms": "nan"}, "value_ms"),
        ("correct", {"moment": "response", "value_ms": -1}, "value_ms"),
        ("correct", {"moment": "response", "value_ms": 5000}, "value_ms"),  # after the recording has ended
        ("correct", {"moment": "action", "value_ms": 5000}, "value_ms"),
    ],
)
def test_a_field_that_is_wrong_is_named_and_nothing_changes(run, script, path, sent, field):
    answer = post(script("triage"), f"{run.pk}/{path}/", **sent)

    assert (answer.status_code, [row["field"] for row in answer.json()["errors"]]) == (422, [field])
    assert Measurement.objects.get(run=run, metric="response_time_ms").value == 120
    assert not Run.objects.get(pk=run.pk).excluded


def test_a_series_is_that_of_the_drilldown_and_is_sent_once(script, signed_in):
    run = add_series(factories.run(), TIMES_MS, changed=[2, 3, 4]).run
    client = script("read")

    answer = client.get(f"{RUNS}{run.pk}/series/")
    of_the_page = signed_in.get(f"/api/runs/{run.pk}/series/")
    known = client.get(f"{RUNS}{run.pk}/series/", headers={"if-none-match": answer["ETag"]})
    post(script("triage"), f"{run.pk}/correct/", moment="response", value_ms=101)
    changed = client.get(f"{RUNS}{run.pk}/series/", headers={"if-none-match": answer["ETag"]})

    assert answer.json() == of_the_page.json()
    assert (known.status_code, known.content) == (304, b"")
    assert (changed.status_code, changed.json()["response_ms"]) == (200, 101)


def test_a_run_without_a_series_says_why(script):
    run = factories.run(status=RunStatus.FAILED, error="unreadable: no video stream")

    answer = script("read").get(f"{RUNS}{run.pk}/series/")

    assert (answer.status_code, "unreadable: no video stream" in answer.json()["detail"]) == (404, True)
