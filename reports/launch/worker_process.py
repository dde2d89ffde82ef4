"""The worker as a child process: one to an installation, which waits for its turn."""

import signal
from pathlib import Path

from reports.launch.child_process import ChildProcess
from reports.launch.lock import WorkerLock, end_group, leader_lives


class WorkerProcess(ChildProcess):
    """Runs `manage.py worker`."""

    what = "worker"
    left_alone = "the pages work, but nothing is measured. Its last lines above say why; mend that and start again."
    too_slow = ": its runs will be measured again at the next start"

    def __init__(self, command: list[str], lock_file: Path) -> None:
        super().__init__(command)
        self._lock = WorkerLock(lock_file)

    def start(self) -> bool:
        """Start the worker and watch it; False if another one is at work, whose place it takes when that ends."""
        group = self._lock.holder()
        free = self._lock.is_free()
        if not free and not leader_lives(group):
            end_group(group, signal.SIGKILL)  # what a killed worker left behind
            free = self._lock.wait_until_free(5.0)
        super().start()
        return free

    def _wait_for_turn(self) -> bool:
        """Wait until no other worker is at work; False if this process stops meanwhile."""
        while not self._lock.is_free():
            if self._stopping.wait(1.0):
                return False
        return super()._wait_for_turn()
