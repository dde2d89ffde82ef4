"""The worker as a child process: started, watched, started again, stopped with all its children."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path

from reports.launch.lock import WorkerLock, end_group, leader_lives

logger = logging.getLogger(__name__)
STOP_S = 30.0
_DEATHS, _WITHIN_S = 3, 60.0
_LEFT_ALONE = (
    "The worker ended {times} times within a minute (last with code {code}), so it is left alone: the pages work, "
    "but nothing is measured. Its last lines above say why; mend that and start again."
)


class WorkerProcess:
    """Runs `manage.py worker` in a process group of its own."""

    def __init__(self, command: list[str], lock_file: Path) -> None:
        self._command, self._lock = command, WorkerLock(lock_file)
        self._child: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._deaths: deque[float] = deque(maxlen=_DEATHS)

    def start(self) -> bool:
        """Start the worker and watch it; False if one of somebody else's is at work and stays."""
        if not self._clear_leftovers():
            return False
        self._spawn()
        threading.Thread(target=self._watch, name="watch worker", daemon=True).start()
        return True

    def stop(self) -> None:
        """Let the worker finish what it is measuring, then end it and whatever is left of it."""
        self._stopping.set()
        if not self._child:
            return
        self._child.terminate()
        try:
            self._child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            logger.warning("the worker takes too long to stop: its runs will be measured again at the next start")
        end_group(self._child.pid, signal.SIGKILL)
        self._child.wait()

    def _spawn(self) -> None:
        parent = ["--parent", str(os.getpid())]
        self._child = subprocess.Popen([*self._command, *parent], start_new_session=True, stdin=subprocess.DEVNULL)

    def _watch(self) -> None:
        while not self._stopping.is_set():
            assert self._child is not None  # it is spawned before it is watched
            code = self._child.wait()
            if self._stopping.is_set():
                return
            end_group(self._child.pid, signal.SIGKILL)
            if self._gives_up():
                print(_LEFT_ALONE.format(times=_DEATHS, code=code), file=sys.stderr)
                return
            print(f"The worker ended with code {code}; it is started again.", file=sys.stderr)
            self._lock.wait_until_free(5.0)
            self._spawn()

    def _gives_up(self) -> bool:
        now = time.monotonic()
        self._deaths.append(now)
        return len(self._deaths) == _DEATHS and now - self._deaths[0] < _WITHIN_S

    def _clear_leftovers(self) -> bool:
        """Wait for the worker of a start that was killed to end by itself; end what a killed worker left."""
        if self._lock.is_free():
            return True
        group = self._lock.holder()
        if not leader_lives(group):
            end_group(group, signal.SIGKILL)
        return self._lock.wait_until_free(12.0)
