"""More processes that make pages: one computes on one core only, however many threads it has.

All of them wait at the socket that the first one has taken; who is free takes the next connection. What they count
of requests lies in files that each of them reads.
"""

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from django.conf import settings

from reports.launch.child_process import ChildProcess

COUNTS = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus_client keeps what several processes count


class PageProcess(ChildProcess):
    """Runs `manage.py pages`."""

    what = "page process"
    left_alone = "the others make the pages. Its last lines above say why; mend that and start again."


@contextmanager
def shared_counts(processes: int) -> Iterator[None]:
    """Let several processes count together; it stands before the first of them has loaded what counts."""
    if processes < 2:
        yield
        return
    folder = mkdtemp(prefix="upreg-counts-")
    os.environ[COUNTS] = folder
    try:
        yield
    finally:
        del os.environ[COUNTS]
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def page_processes(bound: socket.socket, processes: int) -> Iterator[list[PageProcess]]:
    """Have so many page processes beside this one answer at the socket, until the end."""
    command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "pages"]
    started = [
        PageProcess([*command, "--socket", str(bound.fileno())], files=[bound.fileno()]) for _ in range(processes)
    ]
    for process in started:
        process.start()
    try:
        yield started
    finally:
        for process in started:
            process.ask_to_stop()
        for process in started:
            process.stop()
