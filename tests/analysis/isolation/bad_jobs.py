"""What a captured or broken decoder would do, as jobs of a child of its own kind."""

import ctypes
import os
import resource
import signal
import socket
import sys
import time
from pathlib import Path

from analysis.isolation.child import Jobs


def told(act):
    """Return whether an act succeeded, and with what error it did not."""
    try:
        act()
    except OSError as error:
        return {"error": error.errno}
    return {"error": None}


def _say(task):
    return {"pid": os.getpid(), "environment": dict(os.environ), "modules": sorted(sys.modules)}, b""


def _read(task):
    return {"text": task.source.read_text()}, b""


def _crash(task):
    ctypes.string_at(0)


def _measure(task):
    """Break, or be wrong, about a film that says so; take any other for too short."""
    film = task.source.read_bytes()
    if film == b"break":
        ctypes.string_at(0)
    if film == b"mistake":
        raise AttributeError("of an unknown codec")
    return {"outcome": "too_short", "message": "", "metrics": {}, "settles": None, "evidence": {}, "info": None,
            "series": False}, b""  # fmt: skip


_still = _crash


def _abort(task):
    os.abort()


def _take_memory(task):
    kept = []
    while True:
        kept.append(bytearray(16 << 20))


def _forever(task):
    Path(task.folder / "started").touch()
    while True:
        time.sleep(1)


def _flood(task):
    while True:
        task.report(1)


def _huge(task):
    os.write(_answers(), b"\xff" * 8)
    time.sleep(600)


def _nonsense(task):
    os.write(_answers(), (5).to_bytes(4, "big") + bytes(4) + b"[" * 5)
    time.sleep(600)


def _deep(task):
    text = b"[" * 100_000
    os.write(_answers(), len(text).to_bytes(4, "big") + bytes(4) + text)
    time.sleep(600)


def _answers():
    """Return the pipe that answers go through: the one pipe that can be written."""
    return next(handle for handle in range(3, 64) if _is_pipe(handle))


def _is_pipe(handle):
    try:
        return os.readlink(f"/proc/self/fd/{handle}").startswith("pipe:") and handle > 2
    except OSError:
        return False


def _open(task):
    path, flags = task.values["path"], getattr(os, task.values["flags"])
    return told(lambda: os.close(os.open(path, flags))), b""


def _connect(task):
    return told(lambda: socket.create_connection((task.values["host"], task.values["port"]), 5).close()), b""


def _connect_unix(task):
    return told(lambda: socket.socket(socket.AF_UNIX).connect(task.values["path"])), b""


def _program(task):
    return told(lambda: os.execv(sys.executable, [sys.executable, "-c", ""])), b""


def _fork(task):
    return told(lambda: os.fork() or os._exit(0)), b""


def _kill_parent(task):
    return told(lambda: os.kill(os.getppid(), signal.SIGCONT)), b""


def _open_modes(task):
    return told(lambda: os.chmod(task.values["path"], 0o777)), b""


def _many_files(task):
    opened = []

    def open_many():
        for _ in range(2000):
            opened.append(os.open(os.devnull, os.O_RDONLY))

    said = told(open_many)
    for handle in opened:
        os.close(handle)
    return said, b""


def _large_file(task):
    def write():
        with open(task.folder / "large", "wb") as file:
            file.truncate(resource.getrlimit(resource.RLIMIT_FSIZE)[0] + 1)

    write()


def _write(task):
    (task.folder / "found.bin").write_bytes(b"made")
    return {}, b"bytes beside"


def _mistake(task):
    return {}["no such key"]


class RefusalError(Exception):
    pass


def _refuse(task):
    raise RefusalError("it is no film: record one")


WORK = {name.removeprefix("_"): work for name, work in list(globals().items()) if name.startswith("_")}
JOBS = Jobs(
    work={name: work for name, work in WORK.items() if callable(work)},
    warm_up=lambda folder: None,
    refusals=(RefusalError,),
)
