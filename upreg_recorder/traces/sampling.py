"""Look at a tree of processes at even intervals, and keep what /proc said as it is: it is read later.

So that what is filmed pays as little as can be: files stay open, and nothing is parsed or written meanwhile.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from upreg_recorder.traces import procfs

EVERY_MS = 100.0
TREE_EVERY = 5  # samples: a process that lives shorter than half a second may be missed
MOST = 1 << 16  # bytes of one file
CLOCKS = ("REALTIME", "REALTIME_COARSE", "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW", "BOOTTIME")


@dataclass(frozen=True)
class Sample:
    """What was read at one time: ns since boot when it began and ended, and each file's text."""

    began_ns: int
    ended_ns: int
    processes: dict[int, tuple[bytes, bytes]]  # stat and status by process id
    stat: bytes
    meminfo: bytes
    khz: tuple[bytes, ...]  # of each core


@dataclass
class Recording:
    """All samples, the processes that were seen, and all clocks at one instant, ns."""

    every_ms: float
    clocks: dict[str, int]
    samples: list[Sample] = field(default_factory=list)
    processes: dict[int, procfs.Process] = field(default_factory=dict)
    marks: list[tuple[int, str]] = field(default_factory=list)  # ns since boot, what was then

    def mark(self, name: str, second: float) -> None:
        """Mark an instant, in s since 1970 on the wall clock, such as the action."""
        self.marks.append((self.clocks["BOOTTIME"] + round(second * 1e9) - self.clocks["REALTIME"], name))


class Sampler:
    """Samples a process and its children in a thread of its own, between `start` and `stop`."""

    def __init__(
        self, pid: int, every_ms: float = EVERY_MS, proc: Path = procfs.PROC, system: Path = Path("/sys")
    ) -> None:
        self._pid, self._proc = pid, proc
        self._recording = Recording(every_ms, {})
        self._files: dict[Path, int] = {}
        self._tree: tuple[int, ...] = ()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"sampler of {pid}", daemon=True)
        cores = (system / "devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_cur_freq")
        self._cores = sorted(cores, key=lambda file: int(file.parts[-3].removeprefix("cpu")))

    def start(self) -> None:
        """Begin."""
        self._recording.clocks = {
            name: time.clock_gettime_ns(getattr(time, f"CLOCK_{name}", _BY_NUMBER[name])) for name in CLOCKS
        }
        self._thread.start()

    def stop(self) -> Recording:
        """End with a last sample; return what was sampled."""
        self._stopping.set()
        self._thread.join()
        return self._recording

    def _run(self) -> None:
        try:
            step, due = self._recording.every_ms / 1000, time.monotonic()
            for number in range(1 << 62):
                if number % TREE_EVERY == 0:
                    self._look_for_processes()
                self._recording.samples.append(self._sample())
                due = max(due + step, time.monotonic())  # what was missed is not made up for
                if self._stopping.wait(due - time.monotonic()):
                    break
            self._look_for_processes()
            self._recording.samples.append(self._sample())
        finally:
            for file in self._files.values():
                os.close(file)

    def _look_for_processes(self) -> None:
        self._tree = procfs.tree(self._pid, self._proc)
        for pid in self._tree:
            if pid not in self._recording.processes and (process := procfs.describe(pid, self._proc)):
                self._recording.processes[pid] = process

    def _sample(self) -> Sample:
        began = _boottime()
        processes = {}
        for pid in self._tree:
            stat, status = (self._read(self._proc / str(pid) / name) for name in ("stat", "status"))
            if stat and status:
                processes[pid] = stat, status
        host = self._read(self._proc / "stat"), self._read(self._proc / "meminfo")
        return Sample(began, _boottime(), processes, *host, self._all(self._cores))

    def _all(self, files: Iterable[Path]) -> tuple[bytes, ...]:
        return tuple(self._read(file) for file in files)

    def _read(self, path: Path) -> bytes:
        """Return a file's text, empty where it is gone: its process has ended."""
        try:
            if path not in self._files:
                self._files[path] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            return os.pread(self._files[path], MOST, 0)
        except OSError:
            return b""


_BY_NUMBER = {
    "REALTIME": 0,
    "MONOTONIC": 1,
    "MONOTONIC_RAW": 4,
    "REALTIME_COARSE": 5,
    "MONOTONIC_COARSE": 6,
    "BOOTTIME": 7,
}


def _boottime() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
