import socket
import subprocess
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from reports import tasks
from reports.measuring.extraction import MAX_ATTEMPTS
from reports.measuring.recovery import recover_from_dead_workers, recover_lost_runs
from reports.measuring.workers import my_name
from reports.models import Run, RunStatus
from reports.queue.leases import lease_time
from reports.queue.services import queue_runs, queued_run_ids
from tests import factories

pytestmark = pytest.mark.django_db


def long_ago():
    return timezone.now() - lease_time() - timedelta(seconds=5)


def test_a_run_of_a_lost_worker_is_queued_again_and_keeps_its_attempts():
    run = factories.run(status=RunStatus.RUNNING, claimed_at=long_ago(), attempts=2)
    assert recover_lost_runs() == 1
    run.refresh_from_db()
    assert (run.status, run.attempts, queued_run_ids()) == (RunStatus.PENDING, 2, {run.pk})


def test_a_run_that_is_being_measured_is_left_alone_while_anybody_may_work():
    run = factories.run(status=RunStatus.RUNNING, claimed_at=timezone.now(), attempts=1)
    assert recover_lost_runs() == 0
    assert recover_lost_runs(nobody_works=True) == 1
    assert queued_run_ids() == {run.pk}


def test_a_run_that_killed_its_worker_too_often_fails_with_the_reason():
    run = factories.run(status=RunStatus.RUNNING, claimed_at=long_ago(), attempts=MAX_ATTEMPTS)
    assert recover_lost_runs() == 0
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert "out of memory" in run.error


def test_what_a_killed_process_of_this_host_measured_is_queued_at_once():
    gone = subprocess.Popen(["true"])
    gone.wait()
    now, host = timezone.now(), socket.gethostname()
    dead, alive, elsewhere = (
        factories.run(status=RunStatus.RUNNING, claimed_at=now, attempts=1, claimed_by=name)
        for name in (f"{host}:{gone.pid}", my_name(), f"another.{host}:{gone.pid}")
    )
    assert recover_from_dead_workers() == 1
    assert queued_run_ids() == {dead.pk}
    assert set(Run.objects.filter(status=RunStatus.RUNNING)) == {alive, elsewhere}


@pytest.mark.parametrize(
    ("known", "free"), [({"nobody_works": True}, True), ({"some_died": True}, True), ({}, False)]
)
def test_what_the_broker_lent_to_dead_workers_is_free_again(known, free):
    run = factories.run(status=RunStatus.PENDING)
    queue_runs(run_ids=[run.pk])
    OrmQ.objects.update(lock=timezone.now() + timedelta(minutes=12))
    assert recover_lost_runs(**known) == 0
    assert (OrmQ.objects.get().lock <= timezone.now()) is free


def test_a_pending_run_without_a_task_is_queued_and_one_with_a_task_is_not_queued_twice():
    queued, forgotten = (factories.run(status=RunStatus.PENDING) for _ in range(2))
    queue_runs(run_ids=[queued.pk])
    assert recover_lost_runs() == 1
    assert (queued_run_ids(), OrmQ.objects.count()) == ({queued.pk, forgotten.pk}, 2)
    assert recover_lost_runs() == 0
    assert OrmQ.objects.count() == 2


def test_tasks_name_what_they_call(monkeypatch):
    factories.run(status=RunStatus.DONE)
    assert tasks.extract_run(Run.objects.get().pk) == "another process got there first"
    assert tasks.recover_lost_runs() == "0 runs queued again"
