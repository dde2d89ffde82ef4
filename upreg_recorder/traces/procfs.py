"""Read Linux's /proc: which processes belong to a tree, and what their files say (proc(5))."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")


@dataclass(frozen=True)
class Stat:
    """What /proc/PID/stat says: parent, time spent in user and kernel mode, start since boot, ns."""

    parent: int
    user_ns: int
    kernel_ns: int
    started_ns: int


@dataclass(frozen=True)
class Process:
    """What does not change of a process. `threads` are their ids and names, as far as they were seen."""

    pid: int
    parent: int
    uid: int
    command: tuple[str, ...]
    started_ns: int
    threads: tuple[tuple[int, str], ...]


def parse_stat(text: bytes) -> Stat:
    """Return what a stat file says; the name of the command may hold spaces and brackets."""
    fields = text[text.rindex(b")") + 2 :].split()
    return Stat(int(fields[1]), int(fields[11]) * TICK_NS, int(fields[12]) * TICK_NS, int(fields[19]) * TICK_NS)


def parse_lines(text: bytes) -> dict[str, str]:
    """Return the values of a file whose lines are `Name: value`, such as status and meminfo."""
    pairs = (line.partition(":") for line in text.decode(errors="replace").splitlines())
    return {name: value.strip() for name, _, value in pairs}


def kilobytes(said: str) -> int:
    """Return a value such as `1234 kB`."""
    return int(said.split()[0])


def tree(root: int, proc: Path = PROC) -> tuple[int, ...]:
    """Return the ids of a process and all that it and its children started, as long as their parents live."""
    children: dict[int, list[int]] = defaultdict(list)
    for name in os.listdir(proc):
        if name.isdigit():
            try:
                children[parse_stat((proc / name / "stat").read_bytes()).parent].append(int(name))
            except (OSError, ValueError):  # it has ended meanwhile
                continue
    found, left = [], [root]
    while left:
        pid = left.pop()
        found.append(pid)
        left += children[pid]
    return tuple(sorted(found))


def describe(pid: int, proc: Path = PROC) -> Process | None:
    """Return what a process is; None if it has ended."""
    folder = proc / str(pid)
    try:
        stat = parse_stat((folder / "stat").read_bytes())
        uid = parse_lines((folder / "status").read_bytes()).get("Uid", "0").split()[0]
        command = (folder / "cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
        if command == [""]:
            command = [(folder / "comm").read_text(errors="replace").strip()]
        threads = tuple(_threads(folder / "task"))
    except (OSError, ValueError):
        return None
    return Process(pid, stat.parent, int(uid), tuple(command), stat.started_ns, threads)


def _threads(folder: Path) -> Iterable[tuple[int, str]]:
    for tid in sorted(map(int, os.listdir(folder))):
        try:
            yield tid, (folder / str(tid) / "comm").read_text(errors="replace").strip()
        except OSError:
            continue
