"""The child that decodes: `python -m analysis.isolation.child JOBS FOLDER LIMITS`, started by `decoder.Decoders`.

It loads what decoding needs, measures a clip of its own making, gives up its rights and says that it is ready. Then
it does one job after the other: requests on its standard input, answers on what was its standard output. It ends
when its input does, also in the middle of a job: a parent that is killed leaves no child.
"""

from __future__ import annotations

import errno
import json
import os
import queue
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.isolation.limits import Limits, allow_cpu, confine
from analysis.isolation.messages import GoneError, Message, pack, read, write

MOST_JOBS = 100  # then a fresh child takes over: whatever a recording did to this one ends
MOST_GROWTH = 256 << 20  # bytes of memory kept after a job
READS, WRITES = "in", "out"
_MOST_TRACE = 20_000  # letters
_NO_MEMORY = -4  # OpenCV's code


@dataclass(frozen=True)
class Task:
    """One job: its values, the recording, the folder for what it writes, and whom it tells its progress."""

    values: dict[str, Any]
    source: Path
    folder: Path
    report: Callable[[int], None]


@dataclass(frozen=True)
class Jobs:
    """All that a child can be asked for by name; what it does first; what it raises to refuse a file."""

    work: dict[str, Callable[[Task], Message]]
    warm_up: Callable[[Path], None]
    refusals: tuple[type[Exception], ...]


def main(arguments: list[str]) -> None:
    """Serve until the parent ends this process or itself."""
    for number in (signal.SIGINT, signal.SIGTERM):  # they go to whole groups; the parent may still finish its work
        signal.signal(number, signal.SIG_IGN)
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # libraries that print
    jobs: Jobs = import_module(arguments[0]).JOBS
    folder, limits = Path(arguments[1]), Limits(**json.loads(arguments[2]))
    tempfile.tempdir = str(folder / WRITES)
    jobs.warm_up(folder / WRITES)
    memory = _Memory()
    found = confine(limits, reads=folder / READS, writes=folder / WRITES)
    requests: queue.SimpleQueue[Message] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, folder), daemon=True).start()
    write(answers, pack({"ready": found.as_dict()}))
    os.dup2(1, 2)  # from now on a recording may cause what is printed
    for count in range(1, MOST_JOBS + 1):
        request, _ = requests.get()
        values, data = _do(jobs, request, folder, limits, answers)
        last = count == MOST_JOBS or memory.grown() > MOST_GROWTH
        write(answers, pack(values | {"last": last}, data))
        if last:
            return


def _listen(requests: queue.SimpleQueue[Message], folder: Path) -> None:
    """Take requests in; when there can be no more, nobody waits for an answer either."""
    with suppress(GoneError):
        while True:
            requests.put(read(0))
    for file in (folder / READS, folder / WRITES):
        for left in file.glob("*"):
            with suppress(OSError):
                left.unlink()
    os._exit(0)


def _do(jobs: Jobs, request: dict[str, Any], folder: Path, limits: Limits, answers: int) -> Message:
    """Do a job; whatever comes of it is an answer."""

    def report(done: int) -> None:
        write(answers, pack({"progress": done}))

    allow_cpu(limits.seconds)
    task = Task(request["values"], folder / READS / request["source"], folder / WRITES, report)
    try:
        values, data = jobs.work[request["job"]](task)
        return {"done": values}, data
    except Exception as error:
        return _told(error, jobs.refusals), b""


def _told(error: Exception, refusals: tuple[type[Exception], ...]) -> dict[str, Any]:
    if _is_lack_of_memory(error):
        return {"no": "memory"}
    if _is(error, errno.EFBIG):
        return {"no": "length"}
    if _is(error, errno.ENOSPC, errno.EDQUOT):
        return {"no": "room"}
    if isinstance(error, refusals):
        return {"refused": str(error)}
    trace = "".join(traceback.format_exception(error))[-_MOST_TRACE:]
    return {"unexpected": f"{type(error).__name__}: {error}"[:500], "trace": trace}


def _is_lack_of_memory(error: BaseException) -> bool:
    return _is(error, errno.ENOMEM) or _in_chain(
        error, lambda each: isinstance(each, MemoryError) or getattr(each, "code", None) == _NO_MEMORY
    )


def _is(error: BaseException, *numbers: int) -> bool:
    return _in_chain(error, lambda each: getattr(each, "errno", None) in numbers)


def _in_chain(error: BaseException | None, matches: Callable[[BaseException], bool]) -> bool:
    while error is not None:
        if matches(error):
            return True
        error = error.__cause__ or error.__context__
    return False


class _Memory:
    """Tells how much memory this process has taken since; opened before nothing more can be opened."""

    def __init__(self) -> None:
        self._handle = os.open("/proc/self/statm", os.O_RDONLY) if sys.platform == "linux" else None
        self._start = self._resident()

    def grown(self) -> int:
        return self._resident() - self._start

    def _resident(self) -> int:
        if self._handle is None:
            return 0
        return int(os.pread(self._handle, 200, 0).split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(sys.argv[1:])
