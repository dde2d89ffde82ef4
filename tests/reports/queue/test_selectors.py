from datetime import timedelta

import pytest
from django.utils import timezone

from reports.measuring.workers import beat
from reports.models import Run, RunStatus, WorkerHeartbeat
from reports.queue.selectors import Counts, queue_state
from tests import factories

pytestmark = pytest.mark.django_db


def many(number, **values):
    return [factories.run(**values) for _ in range(number)]


def test_an_empty_installation_has_an_empty_queue():
    state = queue_state()
    assert (state.counts, state.batches, state.failures, state.last_import_at) == (Counts(), [], {}, None)
    assert (state.rate_per_min, state.eta_s, state.worker_alive, state.summary.busy) == (None, None, False, False)


def test_runs_are_counted_by_status_and_open_versions_listed():
    old, new = factories.os_version("1"), factories.os_version("2")
    many(3, version=old)
    many(1, version=new)
    many(2, version=new, status=RunStatus.PENDING)
    many(1, version=new, status=RunStatus.RUNNING)
    many(1, version=new, status=RunStatus.FAILED)
    state = queue_state()
    assert state.counts == Counts(pending=2, running=1, done=4, failed=1)
    assert [(batch.os_version, batch.counts) for batch in state.batches] == [("2", Counts(2, 1, 1, 1))]
    assert (state.summary.total, state.summary.finished, state.summary.busy) == (8, 5, True)


def test_failures_are_counted_by_outcome_most_frequent_first():
    many(1, status=RunStatus.FAILED, outcome="too_short")
    many(2, status=RunStatus.FAILED, outcome="unreadable")
    many(1, status=RunStatus.FAILED, outcome="")
    assert list(queue_state().failures.items()) == [("unreadable", 2), ("worker", 1), ("too_short", 1)]


def test_the_time_left_follows_from_the_last_runs():
    now = timezone.now()
    for seconds in (0, 10, 20, 30):  # one run every ten seconds
        factories.run(measured_at=now - timedelta(seconds=seconds))
    factories.run(measured_at=now - timedelta(hours=5))  # of another night
    many(12, status=RunStatus.PENDING)
    beat(name="host:1", processes=2)
    state = queue_state()
    assert state.rate_per_min == pytest.approx(6.0)
    assert state.eta_s == pytest.approx(120.0)


def test_without_a_worker_there_is_no_time_left():
    now = timezone.now()
    for seconds in (0, 10):
        factories.run(measured_at=now - timedelta(seconds=seconds))
    many(1, status=RunStatus.PENDING)
    WorkerHeartbeat.objects.create(name="dead", processes=2, seen_at=now - timedelta(seconds=60))
    state = queue_state()
    assert (state.worker_alive, state.eta_s) == (False, None)


def test_the_last_import_is_that_of_the_newest_run():
    run = many(2)[1]
    assert queue_state().last_import_at == Run.objects.get(pk=run.pk).created_at


def test_the_state_costs_six_queries_whatever_there_is(django_assert_num_queries):
    for number in range(4):
        many(3, version=factories.os_version(str(number)), status=RunStatus.PENDING)
        many(2, version=factories.os_version(str(number)), status=RunStatus.FAILED, measured_at=timezone.now())
    with django_assert_num_queries(6):
        state = queue_state()
        assert (state.worker_alive, state.summary.busy) == (False, True)
