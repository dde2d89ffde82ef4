"""A command as a child process: started, watched, started again, stopped with all its children."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence

from reports.launch.lock import end_group

STOP_S = 30.0
_DEATHS, _WITHIN_S = 3, 60.0


class ChildProcess:
    """Runs a command in a process group of its own; ``--parent`` tells it the process that it ends with."""

    what = "process"
    left_alone = ""  # what that means, and the cure
    too_slow = ""  # what it means that it was killed, as it took too long to stop

    def __init__(self, command: list[str], *, files: Sequence[int] = ()) -> None:
        self._command, self._files = command, tuple(files)
        self._child: subprocess.Popen[bytes] | None = None
        self._stopping, self._spawning = threading.Event(), threading.Lock()
        self._deaths: deque[float] = deque(maxlen=_DEATHS)

    def start(self) -> bool:
        """Start the child and watch it."""
        threading.Thread(target=self._supervise, name=f"supervise {self.what}", daemon=True).start()
        return True

    def ask_to_stop(self) -> None:
        """Tell the child to end, and start no other."""
        with self._spawning:
            self._stopping.set()
        if self._child:
            self._child.terminate()

    def stop(self) -> None:
        """Let the child finish what it is at, then end it and whatever is left of it."""
        self.ask_to_stop()
        if not self._child:
            return
        try:
            self._child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            print(f"The {self.what} takes too long to stop and is killed{self.too_slow}.", file=sys.stderr)
        end_group(self._child.pid, signal.SIGKILL)
        self._child.wait()

    def _supervise(self) -> None:
        """Keep one child at work until this process stops, or until it has died too often."""
        while self._wait_for_turn():
            code = self._run_once()
            if self._stopping.is_set():
                return
            if self._gives_up():
                print(
                    f"The {self.what} ended {_DEATHS} times within a minute (last with code {code}), so it is left "
                    f"alone: {self.left_alone}",
                    file=sys.stderr,
                )
                return
            print(f"The {self.what} ended with code {code}; it is started again.", file=sys.stderr)

    def _wait_for_turn(self) -> bool:
        """Wait until the child may run; False if this process stops."""
        return not self._stopping.is_set()

    def _run_once(self) -> int:
        """Run the child to its end, end what is left of it, return its exit code."""
        with self._spawning:
            if self._stopping.is_set():
                return 0
            command = [*self._command, "--parent", str(os.getpid())]
            child = subprocess.Popen(
                command, start_new_session=True, stdin=subprocess.DEVNULL, pass_fds=self._files
            )
            self._child = child
        code = child.wait()
        end_group(child.pid, signal.SIGKILL)
        return code

    def _gives_up(self) -> bool:
        now = time.monotonic()
        self._deaths.append(now)
        return len(self._deaths) == _DEATHS and now - self._deaths[0] < _WITHIN_S
