import pytest
from django.utils import timezone

from reports.comparing.services import compute_comparison, compute_in_queue, open_comparison, request_comparison
from reports.models import Comparison, ComparisonStatus
from tests import factories
from tests.reports.comparing.pairs import compare, fill, two_versions

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    return two_versions()


def test_a_comparison_that_another_process_computes_is_left_alone(versions):
    fill(versions)
    comparison = compare(versions)
    Comparison.objects.filter(pk=comparison.pk).update(status=ComparisonStatus.RUNNING, claimed_at=timezone.now())

    assert compute_comparison(comparison_id=comparison.pk) is None


def test_a_run_that_changes_during_the_computation_leaves_the_comparison_stale(versions, monkeypatch):
    fill(versions)

    def meanwhile(*args):
        Comparison.objects.update(stale=True)

    monkeypatch.setattr("reports.comparing.services.refresh_q_values", meanwhile)
    comparison = compare(versions)
    comparison.refresh_from_db()

    assert (comparison.status, comparison.stale) == (ComparisonStatus.DONE, True)


def test_an_unexpected_error_leaves_the_reason_and_the_old_results(versions, monkeypatch):
    fill(versions)
    comparison = compare(versions)
    monkeypatch.setattr("reports.comparing.services.make_plan", lambda *args: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        compute_comparison(comparison_id=comparison.pk)

    comparison.refresh_from_db()
    assert comparison.status == ComparisonStatus.FAILED
    assert "ZeroDivisionError" in comparison.error
    assert comparison.results.count() == 1


def test_a_request_queues_once_the_transaction_is_through(
    versions, monkeypatch, django_capture_on_commit_callbacks
):
    queued = []
    monkeypatch.setattr("reports.queue.services.async_task", lambda *args, **kwargs: queued.append(args))
    fill(versions)

    with django_capture_on_commit_callbacks(execute=True):
        comparison = request_comparison(base=versions[0], new=versions[1])
    compute_comparison(comparison_id=comparison.pk)
    with django_capture_on_commit_callbacks(execute=True):
        again = request_comparison(base=versions[0], new=versions[1])

    assert queued == [("reports.tasks.compute_comparison", comparison.pk)]
    assert again.status == ComparisonStatus.DONE


def test_the_queue_gets_a_word_and_no_error_when_there_is_nothing_to_compare(versions):
    fill(versions)
    comparison = open_comparison(base=versions[0], new=versions[1])
    empty = open_comparison(base=versions[1], new=factories.os_version("14"))

    assert compute_in_queue(comparison_id=comparison.pk) == "done"
    assert "share no interaction" in compute_in_queue(comparison_id=empty.pk)
    Comparison.objects.filter(pk=comparison.pk).update(status=ComparisonStatus.RUNNING, claimed_at=timezone.now())
    assert compute_in_queue(comparison_id=comparison.pk) == "another process got there first"


def test_a_computation_that_is_stopped_waits_to_be_taken_up_again(versions, monkeypatch):
    fill(versions)
    comparison = compare(versions)

    def stop(*args):
        raise SystemExit

    monkeypatch.setattr("reports.comparing.services.make_plan", stop)
    with pytest.raises(SystemExit):
        compute_comparison(comparison_id=comparison.pk)

    comparison.refresh_from_db()
    assert (comparison.status, comparison.stale) == (ComparisonStatus.PENDING, True)
