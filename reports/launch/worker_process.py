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
        self._stopping, self._spawning = threading.Event(), threading.Lock()
        self._deaths: deque[float] = deque(maxlen=_DEATHS)

    def start(self) -> bool:
        """Start the worker and watch it; False if another one is at work, whose place it takes when that ends."""
        group = self._lock.holder()
        free = self._lock.is_free()
        if not free and not leader_lives(group):
            end_group(group, signal.SIGKILL)  # what a killed worker left behind
            free = self._lock.wait_until_free(5.0)
        threading.Thread(target=self._supervise, name="supervise worker", daemon=True).start()
        return free

    def stop(self) -> None:
        """Let the worker finish what it is measuring, then end it and whatever is left of it."""
        with self._spawning:
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

    def _supervise(self) -> None:
        """Keep one worker at work until this process stops, or until it has died too often."""
        while self._wait_for_turn():
            code = self._run_once()
            if self._stopping.is_set():
                return
            if self._gives_up():
                print(_LEFT_ALONE.format(times=_DEATHS, code=code), file=sys.stderr)
                return
            print(f"The worker ended with code {code}; it is started again.", file=sys.stderr)

    def _wait_for_turn(self) -> bool:
        """Wait until no other worker is at work; False if this process stops meanwhile."""
        while not self._lock.is_free():
            if self._stopping.wait(1.0):
                return False
        return not self._stopping.is_set()

    def _run_once(self) -> int:
        """Run the worker to its end, end what is left of it, return its exit code."""
        with self._spawning:
            if self._stopping.is_set():
                return 0
            command = [*self._command, "--parent", str(os.getpid())]
            child = subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL)
            self._child = child
        code = child.wait()
        end_group(child.pid, signal.SIGKILL)
        return code

    def _gives_up(self) -> bool:
        now = time.monotonic()
        self._deaths.append(now)
        return len(self._deaths) == _DEATHS and now - self._deaths[0] < _WITHIN_S
