import pytest

from reports.measuring.services import exclude_runs, include_runs, retry_runs
from reports.models import Comparison, Run, RunStatus
from reports.queue.services import queued_run_ids
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison():
    return Comparison.objects.create(base=factories.os_version(), new=factories.os_version("14"))


def is_stale(comparison):
    return Comparison.objects.get(pk=comparison.pk).stale


def test_retry_makes_finished_runs_wait_again_and_queues_them(comparison, django_capture_on_commit_callbacks):
    failed = factories.run(status=RunStatus.FAILED, attempts=3)
    done = factories.run(outcome="no_response")
    with django_capture_on_commit_callbacks(execute=True):
        assert retry_runs(run_ids=[failed.pk, done.pk]) == 2
    assert set(Run.objects.values_list("status", "outcome", "error", "attempts")) == {("pending", "", "", 0)}
    assert queued_run_ids() == {failed.pk, done.pk}
    assert is_stale(comparison)


@pytest.mark.parametrize("status", [RunStatus.PENDING, RunStatus.RUNNING])
def test_retry_pressed_twice_leaves_a_waiting_run_alone(status, comparison, django_capture_on_commit_callbacks):
    run = factories.run(status=status, attempts=2)
    with django_capture_on_commit_callbacks(execute=True):
        assert retry_runs(run_ids=[run.pk]) == 0
    assert queued_run_ids() == set()
    assert Run.objects.get().attempts == 2
    assert not is_stale(comparison)


def test_exclude_says_who_and_why_and_the_first_reason_stands(comparison, engineer):
    run = factories.run()
    assert exclude_runs(run_ids=[run.pk], reason=" a call came in ", user=engineer) == 1
    first = Run.objects.values().get()
    assert exclude_runs(run_ids=[run.pk], reason="again", user=None) == 0
    assert Run.objects.values().get() == first
    assert (first["excluded"], first["excluded_reason"], first["excluded_by_id"]) == (
        True,
        "a call came in",
        engineer.pk,
    )
    assert is_stale(comparison)


def test_exclude_without_a_reason_is_refused():
    with pytest.raises(ValueError, match="needs a reason"):
        exclude_runs(run_ids=[factories.run().pk], reason="  ", user=None)


def test_a_reason_of_any_length_is_cut_to_what_fits():
    run = factories.run()
    exclude_runs(run_ids=[run.pk], reason="x" * 1000, user=None)
    assert len(Run.objects.get().excluded_reason) == 300


def test_include_takes_an_exclusion_back(comparison, engineer):
    run = factories.run(excluded=True, excluded_reason="a call", excluded_by=engineer)
    assert include_runs(run_ids=[run.pk]) == 1
    assert include_runs(run_ids=[run.pk]) == 0
    run.refresh_from_db()
    assert (run.excluded, run.excluded_reason, run.excluded_by, run.excluded_at) == (False, "", None, None)
    assert is_stale(comparison)


def test_runs_cost_as_many_queries_as_one(django_assert_num_queries, engineer):
    one, many = [factories.run().pk], [factories.run().pk for _ in range(20)]
    for ids in (one, many):
        with django_assert_num_queries(8):  # savepoint, look, name, write down, exclude, mark two, release
            exclude_runs(run_ids=ids, reason="dark", user=engineer)
