from datetime import timedelta

import pytest
from django.utils import timezone

from reports.comparing.services import compute_comparison, open_comparison
from reports.measuring.recovery import recover_lost_comparisons
from reports.models import Comparison, ComparisonStatus, RunStatus
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(monkeypatch):
    ids = []
    monkeypatch.setattr("reports.queue.services.async_task", lambda *args, **kwargs: ids.append(args[1]))
    return ids


def comparison(status, claimed_ago=None):
    row = open_comparison(base=factories.os_version("1"), new=factories.os_version("2"))
    claimed_at = None if claimed_ago is None else timezone.now() - claimed_ago
    Comparison.objects.filter(pk=row.pk).update(status=status, claimed_at=claimed_at)
    return row


@pytest.mark.parametrize(
    ("status", "claimed_ago", "nobody_works", "found"),
    [
        (ComparisonStatus.RUNNING, timedelta(days=1), False, 1),
        (ComparisonStatus.RUNNING, timedelta(seconds=5), False, 0),
        (ComparisonStatus.RUNNING, timedelta(seconds=5), True, 1),
        (ComparisonStatus.PENDING, None, False, 1),
        (ComparisonStatus.DONE, None, True, 0),
    ],
)
def test_only_what_is_lost_is_queued_again(
    queued, django_capture_on_commit_callbacks, status, claimed_ago, nobody_works, found
):
    row = comparison(status, claimed_ago)

    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_comparisons(nobody_works=nobody_works) == found

    assert queued == [row.pk] * found


def test_what_waits_in_the_broker_is_not_queued_twice(django_capture_on_commit_callbacks):
    comparison(ComparisonStatus.PENDING)
    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_comparisons() == 1

    assert recover_lost_comparisons() == 0


def test_what_still_waits_for_its_last_run_is_left_to_that_run(django_capture_on_commit_callbacks):
    row = comparison(ComparisonStatus.PENDING)
    factories.run(version=row.new, status=RunStatus.PENDING)
    assert recover_lost_comparisons() == 0


def test_what_an_earlier_release_decided_by_other_rules_is_computed_again_once(
    queued, compared, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_comparisons() == 0

    compared.summary["rules"] = "0"
    compared.save(update_fields=["summary"])
    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_comparisons() == 1
    assert queued == [compared.pk]

    compute_comparison(comparison_id=compared.pk)
    assert recover_lost_comparisons() == 0
