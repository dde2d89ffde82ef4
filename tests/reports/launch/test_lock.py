import os
import signal
import subprocess
import sys

import pytest

from reports.launch.lock import WorkerLock, end_group, leader_lives

HOLD = """
import os, sys, time
from pathlib import Path
from reports.launch.lock import WorkerLock
lock = WorkerLock(Path(sys.argv[1]))
print(lock.take(), flush=True)
if sys.argv[2] == "fork" and os.fork():
    os._exit(0)
time.sleep(60)
"""


@pytest.fixture
def hold(tmp_path):
    """Return how to start a process, in a group of its own, that holds the lock until it is killed."""
    children = []

    def _hold(how):
        command = [sys.executable, "-c", HOLD, str(tmp_path / "lock"), how]
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "upreg_site.settings", "PYTHONPATH": os.getcwd()}
        setup = "import django; django.setup()\n" + HOLD
        command[2] = setup
        child = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, env=environment)
        children.append(child)
        assert child.stdout.readline() == b"True\n"
        return child

    yield _hold
    for child in children:
        end_group(child.pid, signal.SIGKILL)
        child.stdout.close()
        child.wait()


def test_a_lock_is_taken_once_and_released(tmp_path):
    first, second = WorkerLock(tmp_path / "lock"), WorkerLock(tmp_path / "lock")
    assert first.is_free()
    assert first.take()
    assert not second.take()
    assert not second.is_free()
    assert second.holder() == os.getpgid(0)
    first.release()
    assert second.take()
    second.release()


def test_what_a_killed_worker_left_behind_holds_the_lock_and_can_be_ended(tmp_path, hold):
    child = hold("fork")
    child.wait()  # the leader is gone, the process it forked is not
    lock = WorkerLock(tmp_path / "lock")
    assert not lock.is_free()
    assert lock.holder() == child.pid
    assert not leader_lives(child.pid)
    end_group(lock.holder(), signal.SIGKILL)
    assert lock.wait_until_free(5.0)


def test_a_living_worker_is_told_from_a_leftover(tmp_path, hold):
    child = hold("stay")
    assert leader_lives(WorkerLock(tmp_path / "lock").holder())
    assert not WorkerLock(tmp_path / "lock").wait_until_free(1.0, sleep=lambda _: None)
    assert leader_lives(child.pid)


def test_nobody_ends_a_group_that_was_never_written(tmp_path):
    lock = WorkerLock(tmp_path / "lock")
    assert lock.holder() == 0
    (tmp_path / "lock").write_text("rubbish")
    assert lock.holder() == 0
    end_group(0, signal.SIGKILL)
    end_group(os.getpgid(0), signal.SIGKILL)
    assert not leader_lives(0)
