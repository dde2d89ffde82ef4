"""One worker to an installation on one machine, and no leftover of one that was killed."""

import fcntl
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from reports.measuring.workers import process_lives


class WorkerLock:
    """A lock on a file, held by the worker and every process that it forks, until the last of them is gone.

    The file names the process group of the holder, so that what a killed worker left behind can be ended.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stream: IO[str] | None = None

    def take(self) -> bool:
        """Take the lock for this process and its children; False if another worker has it."""
        stream = self._file.open("a+")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            stream.close()
            return False
        stream.truncate(0)
        stream.write(f"{os.getpgid(0)}\n")
        stream.flush()
        self._stream = stream
        return True

    def release(self) -> None:
        """Let go; forked children that still live keep the lock."""
        if self._stream:
            self._stream.close()
            self._stream = None

    def is_free(self) -> bool:
        """Tell whether nobody holds the lock."""
        with self._file.open("a+") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return False
        return True

    def holder(self) -> int:
        """Return the process group that took the lock last, or 0."""
        try:
            return int(self._file.read_text() or 0)
        except (OSError, ValueError):
            return 0

    def wait_until_free(self, seconds: float, *, sleep: Callable[[float], None] = time.sleep) -> bool:
        """Wait for the lock to become free; False if it does not in time."""
        for _ in range(int(seconds / 0.25)):
            if self.is_free():
                return True
            sleep(0.25)
        return self.is_free()


def end_group(group: int, signal_number: int) -> None:
    """Send a signal to a process group, if it is still there and not our own."""
    if group > 1 and group != os.getpgid(0):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal_number)


def leader_lives(group: int) -> bool:
    """Tell whether the process that a group is named after is still there."""
    return group > 1 and process_lives(group)
