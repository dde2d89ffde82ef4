import os
import signal
import sys
import time

import pytest

from reports.launch import child_process
from reports.launch.lock import WorkerLock, leader_lives
from reports.launch.worker_process import WorkerProcess

IDLE = "import sys, time; open(sys.argv[1], 'a').write(sys.argv[-1] + '\\n'); time.sleep(60)"
DYING = "import sys; open(sys.argv[1], 'a').write('x\\n'); sys.exit(7)"
STUBBORN = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + IDLE.removeprefix(
    "import sys, time; "
)


def wait_for(condition):
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def worker(tmp_path):
    """Return how to start a program as the worker; it writes a line to the file ``log`` when it runs."""
    started = []

    def _worker(program):
        found = WorkerProcess([sys.executable, "-c", program, str(tmp_path / "log")], tmp_path / "lock")
        started.append(found)
        assert found.start()
        return found

    yield _worker
    for found in started:
        found.stop()


def starts(tmp_path):
    log = tmp_path / "log"
    return log.read_text().splitlines() if log.exists() else []


def test_a_worker_knows_its_parent_and_ends_with_it(worker, tmp_path):
    found = worker(IDLE)
    assert wait_for(lambda: starts(tmp_path) == [str(os.getpid())])
    pid = found._child.pid
    assert os.getpgid(pid) == pid
    found.stop()
    assert not leader_lives(pid)


def test_a_worker_that_dies_is_reported_and_started_again(worker, tmp_path, capsys):
    found = worker(IDLE)
    assert wait_for(lambda: len(starts(tmp_path)) == 1)
    os.kill(found._child.pid, signal.SIGKILL)
    assert wait_for(lambda: len(starts(tmp_path)) == 2)
    assert "ended with code -9; it is started again" in capsys.readouterr().err


def test_a_worker_that_keeps_dying_is_left_alone_with_a_message(worker, tmp_path, capsys):
    worker(DYING)
    said = []
    assert wait_for(lambda: said.append(capsys.readouterr().err) or "left alone" in "".join(said))
    assert len(starts(tmp_path)) == 3
    assert "last with code 7" in "".join(said)


def test_a_worker_that_does_not_stop_is_killed(worker, tmp_path, monkeypatch):
    monkeypatch.setattr(child_process, "STOP_S", 0.2)
    found = worker(STUBBORN)
    assert wait_for(lambda: len(starts(tmp_path)) == 1)
    found.stop()
    assert not leader_lives(found._child.pid)


def test_a_worker_waits_for_another_one_to_end(tmp_path):
    lock = WorkerLock(tmp_path / "lock")
    assert lock.take()
    found = WorkerProcess([sys.executable, "-c", IDLE, str(tmp_path / "log")], tmp_path / "lock")
    assert found.start() is False
    assert starts(tmp_path) == []
    lock.release()
    assert wait_for(lambda: len(starts(tmp_path)) == 1)
    found.stop()


def test_a_worker_that_waits_can_be_stopped(tmp_path):
    lock = WorkerLock(tmp_path / "lock")
    assert lock.take()
    found = WorkerProcess([sys.executable, "-c", IDLE, str(tmp_path / "log")], tmp_path / "lock")
    found.start()
    found.stop()
    lock.release()
    assert starts(tmp_path) == []
