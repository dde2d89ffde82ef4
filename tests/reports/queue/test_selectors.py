from datetime import timedelta

import pytest
from django.utils import timezone

from reports.measuring.workers import beat
from reports.models import Run, RunStatus, WorkerHeartbeat
from reports.queue.selectors import Counts, progress_of, queue_line, queue_state
from tests import factories

pytestmark = pytest.mark.django_db


def many(number, **values):
    return [factories.run(**values) for _ in range(number)]


def test_an_empty_installation_has_an_empty_queue():
    state = queue_state()
    assert (state.counts, state.versions, state.failures, state.last_import_at) == (Counts(), [], {}, None)
    assert (state.pace.per_min, state.eta_s, state.worker_alive, state.summary.busy) == (None, None, False, False)


def test_runs_are_counted_by_status_and_open_versions_listed():
    old, new = factories.os_version("1"), factories.os_version("2")
    many(3, version=old)
    many(1, version=new)
    many(2, version=new, status=RunStatus.PENDING)
    many(1, version=new, status=RunStatus.RUNNING)
    many(1, version=new, status=RunStatus.FAILED)
    state = queue_state()
    assert state.counts == Counts(pending=2, running=1, done=4, failed=1)
    assert [(row.os_version, row.counts) for row in state.versions] == [("2", Counts(2, 1, 1, 1))]
    assert (state.summary.total, state.summary.finished, state.summary.busy) == (8, 5, True)


def test_failures_are_counted_by_outcome_most_frequent_first():
    many(1, status=RunStatus.FAILED, outcome="too_short")
    many(2, status=RunStatus.FAILED, outcome="unreadable")
    many(1, status=RunStatus.FAILED, outcome="")
    assert list(queue_state().failures.items()) == [("unreadable", 2), ("worker", 1), ("too_short", 1)]


def test_the_time_left_follows_from_what_a_run_takes_and_the_workers():
    now = timezone.now()
    for number, seconds in enumerate(
        (8.0, 10.0, 12.0, 300.0)
    ):  # one of them was slow: the median is not moved by it
        factories.run(measured_at=now - timedelta(hours=number), measuring_s=seconds)
    factories.run(measured_at=now)  # measured before such times were kept
    many(12, status=RunStatus.PENDING)
    beat(name="host:1", processes=2)
    state = queue_state()
    assert state.pace.per_min == pytest.approx(60.0 * 2 / 11.0)
    assert state.eta_s == pytest.approx(12 * 11.0 / 2)
    assert state.summary.why == "about 70\u00a0s left"
    assert state.summary.sentence == "5 of 17 runs judged, about 70\u00a0s left."


def test_only_the_last_runs_tell_what_a_run_takes():
    now = timezone.now()
    for number in range(60):
        seconds = 2.0 if number < 50 else 900.0
        factories.run(measured_at=now - timedelta(minutes=number), measuring_s=seconds)
    assert queue_state().pace.run_s == 2.0


@pytest.mark.parametrize(
    ("states", "why", "sentence"),
    [
        ([], "no worker is running", "start one with manage.py start or manage.py worker."),
        (["starting"], "worker is starting", "The worker is starting."),
        (["starting", "compiling"], "compiling, first start", "about half a minute, on a first start only."),
        (["compiling", "working"], "measuring", "0 of 3 runs judged."),
    ],
)
def test_progress_that_stands_still_says_why(states, why, sentence):
    many(3, status=RunStatus.PENDING)
    for state in states:
        beat(name=state, processes=1, state=state)
    line = queue_line()
    assert (line.line, line.why) == ("0 of 3", why)
    assert line.sentence.startswith("0 of 3 runs judged.")
    assert line.sentence.endswith(sentence)


def test_without_a_worker_there_is_no_time_left():
    now = timezone.now()
    factories.run(measured_at=now, measuring_s=2.0)
    many(1, status=RunStatus.PENDING)
    WorkerHeartbeat.objects.create(name="dead", processes=2, seen_at=now - timedelta(seconds=60))
    state = queue_state()
    assert (state.worker_alive, state.eta_s) == (False, None)


def test_the_header_asks_about_workers_only_while_something_waits(django_assert_num_queries):
    many(2)
    with django_assert_num_queries(1):
        line = queue_line()
    assert (line.line, line.why, line.busy) == ("idle", "", False)


def test_versions_wait_for_what_is_measured_before_them():
    first, second = factories.os_version("1"), factories.os_version("2")
    many(5, version=first, status=RunStatus.PENDING)
    many(1, version=second)
    many(2, version=second, status=RunStatus.PENDING)
    many(4, version=first, status=RunStatus.PENDING)
    factories.run(measured_at=timezone.now(), measuring_s=10.0, version=first)
    beat(name="host:1", processes=1)
    line = progress_of([second.pk])
    assert (line.finished, line.total, line.ahead, line.left_s) == (1, 3, 7, pytest.approx(70.0))
    assert progress_of([factories.os_version("3").pk]).sentence == ""


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
