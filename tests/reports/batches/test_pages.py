import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from reports.batches.services import note_batch, open_batch, retry_batch
from reports.catalogue.services import pin_version
from reports.measuring.workers import beat
from reports.models import Batch, Role, RoleGrant, Run, RunStatus
from reports.queue.services import queue_complete_batches
from tests import factories
from tests.reports.batches.scene import BASE, NEW, NIGHT, night, say_complete, work_off

pytestmark = pytest.mark.django_db
QUERIES = {"/batches/": 13, "/batches/night-0/": 18, "/batches/night-0/state.json": 10}
GATE_MARK = re.compile(r"gate-(pass|fail|unknown)")


@pytest.fixture
def commit(django_capture_on_commit_callbacks):
    return django_capture_on_commit_callbacks


def page(client, name=NIGHT):
    answer = client.get(reverse("batch", args=[name]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def pin(user, name=BASE):
    pin_version(version=factories.os_version(name), reason="shipped", user=user)


def compared(user, commit, name):
    batch = night(waiting=0, failed=2, name=name)
    say_complete(batch, commit)
    work_off(commit)
    return batch


def test_without_batches_the_list_says_how_one_comes_into_being(signed_in):
    assert "import_runs path/to/runs.csv --batch" in signed_in.get("/batches/").content.decode()


def test_the_list_shows_how_far_each_is_newest_first(signed_in):
    night(waiting=3, failed=2)
    open_batch(name="night-43", os_version=NEW, note="cold room")

    answer = signed_in.get("/batches/")

    [newer, older] = answer.context["rows"]
    assert [(row.batch.name, row.counts.total, row.state) for row in (newer, older)] == [
        ("night-43", 0, "open"),
        (NIGHT, 13, "open"),
    ]
    assert [(part.words, part.count) for part in older.parts] == [("done", 8), ("failed", 2), ("waiting", 3)]
    assert sum(part.pct for part in older.parts) == pytest.approx(100.0)
    assert [row.batch.name for row in signed_in.get("/batches/?q=cold").context["rows"]] == ["night-43"]
    assert "No batch fits" in signed_in.get("/batches/?q=heat").content.decode()


def test_pages_take_a_constant_number_of_queries(signed_in, engineer, commit):
    def asked():
        found = {}
        for address in QUERIES:
            with CaptureQueriesContext(connection) as queries:
                assert signed_in.get(address).status_code == 200
            found[address] = len(queries)
        return found

    pin(engineer)
    compared(engineer, commit, "night-0")
    night(waiting=1, name="waiting-0")
    factories.run(batch=Batch.objects.get(name="night-0"), status=RunStatus.PENDING)
    assert asked() == QUERIES
    for number in range(1, 5):
        compared(engineer, commit, f"night-{number}")
    night(waiting=5, failed=3, name="waiting-1")
    factories.run(batch=Batch.objects.get(name="night-0"), status=RunStatus.FAILED, outcome="too_short")
    assert asked() == QUERIES


def test_the_page_tells_the_time_left_as_the_queue_does(signed_in):
    batch = night(waiting=2)
    factories.run(measured_at=timezone.now(), measuring_s=30.0)
    factories.run(status=RunStatus.PENDING)  # behind it: this batch does not wait for it
    beat(name="host:1", processes=1)

    assert "8 of 10 runs judged, about 60 s left." in page(signed_in)
    state = signed_in.get(reverse("batch-state", args=[batch.name])).json()
    assert (state["finished"], state["total"], state["stale"], state["status"]) == (8, 10, True, "none")


def test_failures_stand_by_cause_with_the_reason_of_the_last(signed_in):
    batch = night(waiting=0, failed=4)
    last = Run.objects.filter(outcome="unreadable").latest("pk")
    Run.objects.filter(pk=last.pk).update(error="unreadable: the file ends early")

    text = page(signed_in)

    causes = signed_in.get(reverse("batch", args=[batch.name])).context["detail"].causes
    assert [(cause.words, cause.count) for cause in causes] == [
        ("unreadable", 2), ("measuring stopped", 1), ("too short", 1),
    ]  # fmt: skip
    assert "unreadable: the file ends early" in text
    assert f"?batch={NIGHT}&amp;status=failed&amp;outcome=too_short" in text


@pytest.mark.parametrize(("cause", "left"), [("unreadable", 2), ("stopped", 3), ("", 0)])
def test_one_click_measures_a_cause_again(signed_in, cause, left):
    batch = night(waiting=0, failed=4)

    answer = signed_in.post(reverse("batch-retry", args=[batch.name]), {"cause": cause})

    assert (answer.status_code, answer.url) == (302, f"/batches/{NIGHT}/")
    assert Run.objects.filter(batch=batch, status=RunStatus.FAILED).count() == left


def test_the_page_says_what_a_batch_waits_for(signed_in, engineer, commit):
    batch = night(waiting=1)
    assert "No version is pinned as the baseline" in page(signed_in)
    pin(engineer, NEW)
    assert "the pinned baseline itself" in page(signed_in)
    pin(engineer)
    assert "once somebody says that it is complete" in page(signed_in)

    signed_in.post(reverse("batch-complete", args=[NIGHT]))
    batch.refresh_from_db()
    assert (batch.completed_by, batch.completed_as) == (engineer, "engineer")
    assert "when its last run is measured" in page(signed_in)
    assert "It is complete</button>" not in page(signed_in)

    Run.objects.filter(batch=batch).update(status=RunStatus.DONE)
    assert "Its comparison is being computed." in page(signed_in)
    recover(commit)
    text = page(signed_in)
    assert "1 of 1 interaction regressed" in text
    assert "gate-fail" in text or "gate-unknown" in text


def recover(commit):
    with commit(execute=True):
        queue_complete_batches()
    work_off(commit)


def test_the_gate_of_the_list_is_that_of_the_comparison(signed_in, engineer, commit):
    pin(engineer)
    compared(engineer, commit, NIGHT)

    addresses = [reverse("gate-pair", args=[BASE, NEW]), "/batches/", f"/batches/{NIGHT}/"]
    marks = [GATE_MARK.findall(signed_in.get(address).content.decode())[0] for address in addresses]

    assert len(set(marks)) == 1


def test_a_viewer_sees_no_button_that_is_refused(client, django_user_model):
    person = django_user_model.objects.create_user(username="viewer")
    RoleGrant.objects.create(user=person, role=Role.VIEWER)
    client.force_login(person)
    night(waiting=0, failed=2)

    text = page(client)

    assert "batch-retry" not in text
    assert f"/batches/{NIGHT}/retry/" not in text
    assert f"/batches/{NIGHT}/complete/" not in text
    assert "Triagers can say it." in text


def test_an_unknown_batch_is_named_with_some_that_are_known(signed_in):
    night()
    answer = signed_in.get("/batches/night-1/")
    assert (answer.status_code, f"Known are: {NIGHT}." in answer.content.decode()) == (404, True)
    assert signed_in.post("/batches/night-1/complete/").status_code == 404
    assert signed_in.post("/batches/night-1/retry/").status_code == 404


def test_the_list_of_runs_is_narrowed_to_a_batch(signed_in):
    batch = night(waiting=0, failed=3)
    factories.run(version=batch.os_version)

    answer = signed_in.get(f"/runs/?batch={NIGHT}&status=failed")

    assert {run.batch_id for run in answer.context["runs"]} == {batch.pk}
    assert len(answer.context["runs"]) == 3
    assert "Take away the filter Batch: night-42" in answer.content.decode()
    assert signed_in.get("/runs/?batch=unknown").context["runs"] == []
    run = Run.objects.filter(batch=batch).first()
    assert f"/batches/{NIGHT}/" in signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()


def test_the_first_page_tells_of_the_last_batch(signed_in):
    night(waiting=2, failed=1)
    text = " ".join(signed_in.get("/").content.decode().split())
    assert "9 of 11 judged, 1 failed" in text


def test_what_was_measured_again_is_no_failure_any_more(signed_in):
    retry_batch(batch=night(waiting=0, failed=2))
    assert "None: no run of this batch failed." in page(signed_in)


def test_a_batch_is_opened_on_the_list(signed_in):
    typed = {"name": " night-44 ", "os_version": NEW, "note": "cold room"}

    made, again = (signed_in.post("/batches/", typed, follow=True) for _ in range(2))

    batch = Batch.objects.get()
    assert (batch.name, batch.os_version.name, batch.note, batch.opened_as) == (
        "night-44", NEW, "cold room", "engineer",
    )  # fmt: skip
    assert made.redirect_chain == again.redirect_chain == [("/batches/night-44/", 302)]
    assert "night-44 is open." in made.content.decode()
    assert "night-44 is there already: it was left as it is." in again.content.decode()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "", "Give the batch a name."),
        ("name", "a/b", "leave out"),
        ("name", "n" * 121, "at most 120 characters"),
        ("os_version", "", "Say which OS version it is about."),
        ("os_version", BASE, "give the runs of 13.0.9 a batch of another name"),
        ("note", "n" * 2001, "at most 2000 characters"),
    ],
)
def test_what_cannot_be_opened_is_told_at_its_field(signed_in, field, value, words):
    night(name="night-44")

    answer = signed_in.post("/batches/", {"name": "night-44", "os_version": NEW} | {field: value})

    assert answer.status_code == 422
    assert words in " ".join(answer.context["form"].errors[field])
    assert Batch.objects.count() == 1


def test_a_note_is_changed_by_whoever_has_read_it(signed_in, admin_user):
    batch, note = night(), reverse("batch-note", args=[NIGHT])
    note_batch(batch=batch, note="warm", user=admin_user)

    refused = signed_in.post(note, {"note": "cold", "seen": "0"})
    signed_in.post(note, {"note": "cold", "seen": str(refused.context["changes"][0].id)})

    assert (refused.status_code, "admin: Note changed from nothing to “warm”" in refused.content.decode()) == (
        409,
        True,
    )
    assert Batch.objects.get().note == "cold"
    assert "Note changed from “warm” to “cold”" in page(signed_in)
    assert signed_in.post(note, {"note": "n" * 2001}).status_code == 422


def test_a_batch_that_was_not_compared_is_compared_when_it_is_complete_again(signed_in, engineer, commit):
    pin(engineer)
    batch = night(waiting=1)
    say_complete(batch, commit)

    answer = signed_in.post(reverse("batch-reopen", args=[NIGHT]), follow=True)
    Run.objects.filter(batch=batch).update(status=RunStatus.DONE)
    recover(commit)

    assert "It is compared once somebody says again that it is complete." in answer.content.decode()
    batch.refresh_from_db()
    assert (batch.completed_at, batch.completed_by, batch.completed_as, batch.comparison) == (None, None, "", None)
    say_complete(batch, commit)
    assert work_off(commit) == ["compare_batch", "compute_comparison"]


def test_a_batch_that_was_compared_is_not_compared_twice_for_nothing(signed_in, engineer, commit):
    pin(engineer)
    batch = compared(engineer, commit, NIGHT)
    batch.refresh_from_db()
    comparison, computed_at = batch.comparison, batch.comparison.computed_at

    signed_in.post(reverse("batch-reopen", args=[NIGHT]))
    text = page(signed_in)
    pin(engineer, "13.0.1")
    say_complete(batch, commit)

    assert "It was compared when it was complete before." in text
    assert "It is complete</button>" in text
    assert work_off(commit) == []
    batch.refresh_from_db()
    assert (batch.comparison, batch.comparison.computed_at) == (comparison, computed_at)
