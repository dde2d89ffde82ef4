import socket
import subprocess
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from reports.launch.lock import WorkerLock
from reports.management.commands import worker
from reports.measuring.workers import beat
from reports.models import Run, RunStatus, WorkerHeartbeat
from reports.queue.services import queue_runs
from tests import factories

pytestmark = pytest.mark.django_db


class FakeSentinel:
    """Lives for as many looks as it is told."""

    def __init__(self, looks, exitcode=0):
        self.looks, self.exitcode, self.seen = looks, exitcode, []

    def is_alive(self):
        self.looks -= 1
        return self.looks >= 0

    def join(self, timeout):
        self.seen.append(list(WorkerHeartbeat.objects.living().values_list("processes", flat=True)))


class FakeCluster:
    """Stands for django-q's cluster."""

    def __init__(self, sentinel):
        self.sentinel, self.stopped = sentinel, False

    def start(self):
        pass

    def stop(self):
        self.stopped = True


@pytest.fixture
def run_worker(monkeypatch, settings, tmp_path):
    settings.VAR_DIR, settings.WORKERS = tmp_path, 2
    monkeypatch.setattr(worker.connections, "close_all", lambda: None)

    def _run(*args, **values):
        cluster = FakeCluster(FakeSentinel(**values))
        monkeypatch.setattr(worker, "Cluster", lambda: cluster)
        call_command("worker", *args)
        return cluster

    return _run


def test_a_worker_shows_that_it_lives_and_when_it_ended(run_worker):
    cluster = run_worker(looks=3)
    assert cluster.sentinel.seen == [[2], [2], [2]]
    assert not WorkerHeartbeat.objects.exists()


def test_a_worker_says_what_it_does_before_it_works(run_worker, monkeypatch):
    said = []

    def note():
        said.extend(WorkerHeartbeat.objects.living().values_list("state", flat=True))

    def warm_up(say):
        note()
        say("First start: compiling")
        note()

    monkeypatch.setattr(worker, "warm_up", warm_up)
    monkeypatch.setattr(worker.Command, "_watch", lambda self, *args: WorkerHeartbeat.objects.living() and note())
    run_worker(looks=0)
    assert said == ["starting", "compiling", "compiling"]


def test_a_worker_loads_the_kernels_before_it_forks(run_worker, monkeypatch):
    done = []
    monkeypatch.setattr(worker, "warm_up", lambda say: done.append("loaded"))
    monkeypatch.setattr(FakeCluster, "start", lambda self: done.append("forked"))
    run_worker(looks=1)
    assert done == ["loaded", "forked"]


def test_a_worker_that_breaks_while_it_starts_takes_its_sign_of_life_away(run_worker, monkeypatch):
    def break_down(say):
        raise OSError("no space left")

    monkeypatch.setattr(worker, "warm_up", break_down)
    with pytest.raises(OSError, match="no space left"):
        run_worker(looks=0)
    assert not WorkerHeartbeat.objects.exists()


def test_a_worker_takes_up_what_a_killed_one_left(run_worker):
    run = factories.run(status=RunStatus.RUNNING, attempts=1, claimed_at="2026-01-01T00:00Z")
    run_worker(looks=0)
    assert Run.objects.get(pk=run.pk).status == RunStatus.PENDING
    assert "recover lost runs" in Schedule.objects.values_list("name", flat=True)


def test_who_starts_a_worker_does_not_count_as_one_that_works(run_worker):
    beat(name="other:1", processes=0, state="starting")
    run = factories.run(status=RunStatus.RUNNING, attempts=1, claimed_at=timezone.now())
    run_worker(looks=0)
    assert Run.objects.get(pk=run.pk).status == RunStatus.PENDING


def test_a_worker_whose_starter_is_gone_ends_and_lets_pages_go_first(run_worker, monkeypatch):
    given_way = []
    monkeypatch.setattr(worker.os, "nice", given_way.append)
    assert run_worker("--parent", "1", looks=1).stopped
    assert given_way == [15]


def test_a_cluster_that_breaks_is_an_error(run_worker):
    with pytest.raises(CommandError, match="code 3"):
        run_worker(looks=0, exitcode=3)


def test_only_one_worker_works_on_a_folder(run_worker, tmp_path):
    lock = WorkerLock(tmp_path / "worker.lock")
    assert lock.take()
    with pytest.raises(CommandError, match="another worker"):
        run_worker(looks=0)
    lock.release()


def test_a_worker_that_follows_a_killed_one_hands_out_again_what_that_was_lent(run_worker):
    gone = subprocess.Popen(["true"])
    gone.wait()
    beat(name=f"{socket.gethostname()}:{gone.pid}", processes=2)
    beat(name="another.host:1", processes=2)
    run = factories.run(status=RunStatus.PENDING)
    queue_runs(run_ids=[run.pk])
    OrmQ.objects.update(lock=timezone.now() + timedelta(minutes=12))
    run_worker(looks=1)
    assert OrmQ.objects.get().lock <= timezone.now()
