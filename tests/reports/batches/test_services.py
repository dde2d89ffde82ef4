"""A batch is compared with its baseline once, whoever finds it complete, and however often."""

import pytest

from reports.batches import services
from reports.batches.services import BatchError, OtherBatchError, compare_batch, open_batch, retry_batch
from reports.catalogue.services import pin_version, unpin_version
from reports.measuring.extraction import claim_run, fail
from reports.measuring.recovery import recover_lost_runs
from reports.models import Action, AuditEntry, Batch, Comparison, ComparisonStatus, OsVersion, Run, RunStatus
from tests import factories
from tests.reports.batches.scene import BASE, NEW, NIGHT, night, say_complete, work_off

pytestmark = pytest.mark.django_db
COMPARED = ["compare_batch", "compute_comparison"]


@pytest.fixture
def commit(django_capture_on_commit_callbacks):
    return django_capture_on_commit_callbacks


@pytest.fixture
def pinned(engineer):
    version = factories.os_version(BASE)
    pin_version(version=version, reason="the last that shipped", user=engineer)
    return version


def end_last_run(commit):
    """Measure the run that waits as a worker does that finds it damaged."""
    with commit(execute=True):
        fail(claim_run(Run.objects.get(status=RunStatus.PENDING).pk), "unreadable: no video stream")


def test_the_name_opens_one_batch_however_often_it_is_given():
    batch, made = open_batch(name=NIGHT, os_version=NEW, note=" first night ")
    assert (made, batch.os_version.name, batch.note) == (True, NEW, "first night")

    assert open_batch(name=f" {NIGHT} ", os_version=NEW) == (batch, False)

    assert OsVersion.objects.get().sort_key == OsVersion(name=NEW).own_sort_key()
    [entry] = AuditEntry.objects.all()
    assert (entry.action, entry.kind, entry.subject, entry.who) == (Action.ADDED, "batch", NIGHT, batch.opened_as)


def test_a_batch_is_about_one_version():
    open_batch(name=NIGHT, os_version=NEW)

    with pytest.raises(
        OtherBatchError, match=f"{NIGHT} is about {NEW}: give the runs of {BASE} a batch of another"
    ):
        open_batch(name=NIGHT, os_version=BASE)

    assert not OsVersion.objects.filter(name=BASE).exists()


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("name", {"name": " "}),
        ("name", {"name": "a/b"}),
        ("name", {"name": "n" * 121}),
        ("name", {"name": "night\u202e42"}),
        ("os_version", {"os_version": ""}),
        ("os_version", {"os_version": "v" * 81}),
        ("note", {"note": "n" * 2001}),
    ],
)
def test_what_no_manifest_would_name_is_refused_by_its_field(field, values):
    with pytest.raises(BatchError) as refused:
        open_batch(**{"name": NIGHT, "os_version": NEW} | values)

    assert refused.value.field == field
    assert not Batch.objects.exists()


def test_a_batch_is_compared_when_it_is_complete_and_nothing_waits(pinned, commit):
    batch = night(waiting=1)
    assert say_complete(batch, commit)
    assert work_off(commit) == []

    end_last_run(commit)

    assert work_off(commit) == COMPARED
    comparison = Comparison.objects.get()
    batch.refresh_from_db()
    assert (comparison.base, comparison.new, batch.comparison) == (pinned, batch.os_version, comparison)
    assert (comparison.status, comparison.results.count()) == (ComparisonStatus.DONE, 1)
    asked = AuditEntry.objects.get(action=Action.COMPARED)
    assert asked.note == f"as batch {NIGHT} is complete"


def test_what_is_measured_before_anybody_says_so_is_compared_as_soon_as_somebody_does(pinned, commit):
    batch = night(waiting=0)
    with commit(execute=True):
        services.queue_complete_batches()
    assert work_off(commit) == []

    assert say_complete(batch, commit)

    assert work_off(commit) == COMPARED


def test_two_who_say_so_at_once_are_one(pinned, commit):
    batch = night(waiting=0)
    assert say_complete(batch, commit)
    said = Batch.objects.get().completed_at

    assert not say_complete(batch, commit)

    assert Batch.objects.get().completed_at == said
    assert AuditEntry.objects.filter(action=Action.BATCH_COMPLETED).count() == 1
    assert work_off(commit) == ["compare_batch", "compare_batch", "compute_comparison"]


def test_of_two_workers_at_the_same_batch_one_asks_for_the_comparison(pinned, commit, monkeypatch):
    batch, open_comparison = night(waiting=0), services.open_comparison
    services.complete_batch(batch=batch)

    def another_worker(**pair):
        monkeypatch.setattr(services, "open_comparison", open_comparison)
        assert "is asked for" in compare_batch(batch_id=batch.pk)
        return open_comparison(**pair)

    monkeypatch.setattr(services, "open_comparison", another_worker)
    with commit(execute=True):
        assert compare_batch(batch_id=batch.pk) == "another process got there first"

    assert work_off(commit) == ["compute_comparison"]
    assert AuditEntry.objects.filter(action=Action.COMPARED).count() == 1


def test_runs_that_are_measured_again_compute_it_again_and_open_nothing(pinned, commit):
    batch = night(waiting=0, failed=1)
    say_complete(batch, commit)
    work_off(commit)
    first = Comparison.objects.get().computed_at

    with commit(execute=True):
        assert retry_batch(batch=batch) == 1
    assert work_off(commit) == []
    assert Comparison.objects.get().stale
    end_last_run(commit)

    assert work_off(commit) == ["compute_comparison"]
    again = Comparison.objects.get()
    assert (again.stale, again.status) == (False, ComparisonStatus.DONE)
    assert again.computed_at >= first


def test_another_pin_moves_no_comparison(pinned, commit, engineer):
    batch = night(waiting=0)
    say_complete(batch, commit)
    work_off(commit)

    with commit(execute=True):
        pin_version(version=factories.os_version("13.0.10"), reason="shipped", user=engineer)

    assert work_off(commit) == []
    batch.refresh_from_db()
    assert batch.comparison.base == pinned


def test_a_worker_that_is_killed_delays_it_and_loses_nothing(pinned, commit):
    batch = night(waiting=1)
    say_complete(batch, commit)
    claim_run(Run.objects.get(status=RunStatus.PENDING).pk)

    recover_lost_runs(nobody_works=True)
    assert work_off(commit) == []
    fail(
        claim_run(Run.objects.get(status=RunStatus.PENDING).pk), "unreadable"
    )  # killed before it queued what follows
    assert work_off(commit) == []

    recover_lost_runs(nobody_works=True)

    assert work_off(commit) == COMPARED


def test_without_a_pinned_version_it_waits_until_one_is_pinned(commit, engineer):
    batch = night(waiting=0)
    say_complete(batch, commit)
    recover_lost_runs()
    assert work_off(commit) == []
    assert compare_batch(batch_id=batch.pk) == "there is no pinned version to compare it with"

    with commit(execute=True):
        pin_version(version=factories.os_version(BASE), reason="shipped", user=engineer)

    assert work_off(commit) == COMPARED


@pytest.mark.parametrize("others", [[BASE], ["13.0.1", BASE], [BASE, "99.0"], ["99.0"]])
def test_without_a_pinned_version_it_is_held_against_the_version_before_of_its_own_runs(commit, others):
    batch = night(waiting=0)
    for name in others:
        factories.runs([100.0] * 5, version=factories.os_version(name), batch=batch)

    say_complete(batch, commit)

    assert work_off(commit) == COMPARED
    batch.refresh_from_db()
    expected = BASE if BASE in others else "99.0"
    assert (batch.comparison.base.name, batch.comparison.new.name) == (expected, batch.os_version.name)


def test_a_batch_of_the_pinned_version_is_compared_with_nothing(commit, engineer):
    batch = night(waiting=0)
    pin_version(version=batch.os_version, reason="shipped", user=engineer)

    say_complete(batch, commit)

    assert work_off(commit) == []
    assert "no pinned version" in compare_batch(batch_id=batch.pk)


def test_what_is_no_longer_so_when_the_task_is_done_is_left_alone(pinned, commit, engineer):
    batch = night(waiting=0, failed=1)
    say_complete(batch, commit)
    retry_batch(batch=batch)
    assert compare_batch(batch_id=batch.pk) == "it is not complete any more"

    unpin_version(version=pinned, user=engineer)
    assert compare_batch(batch_id=batch.pk) == "there is no pinned version to compare it with"

    assert not Comparison.objects.exists()


def test_an_empty_batch_is_compared_with_its_first_run(pinned, commit):
    factories.runs([100.0] * 5, version=pinned)
    batch, _ = open_batch(name=NIGHT, os_version=NEW)
    say_complete(batch, commit)
    assert work_off(commit) == []

    factories.run(version=batch.os_version, batch=batch, status=RunStatus.PENDING)
    end_last_run(commit)

    assert work_off(commit) == COMPARED
    assert Comparison.objects.get().status == ComparisonStatus.FAILED  # and says why: its only run failed


def test_failures_are_measured_again_by_their_cause():
    batch = night(waiting=0, failed=5)
    other = factories.run(status=RunStatus.FAILED)

    assert retry_batch(batch=batch, outcome="too_short") == 2
    assert retry_batch(batch=batch, outcome="") == 1
    assert retry_batch(batch=batch, outcome="made_up") == 0
    assert retry_batch(batch=batch) == 2

    other.refresh_from_db()
    assert (other.status, Run.objects.filter(batch=batch, status=RunStatus.PENDING).count()) == (
        RunStatus.FAILED,
        5,
    )


def test_to_look_for_complete_batches_costs_one_query(pinned, django_assert_num_queries):
    night(waiting=3)
    with django_assert_num_queries(1):
        assert services.queue_complete_batches() == 0
