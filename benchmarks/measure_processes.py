"""Time whole processes: wall, CPU and peak memory, children's children included."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What one process took."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def run(command: list[str]) -> Cost | None:
    """Run a command to its end; None if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024) if process.returncode == 0 else None


def best_of(commands: dict[str, list[str] | None], rounds: int) -> dict[str, Cost | None]:
    """Run all commands in turns and return the fastest run of each; None for one that is absent or fails."""
    best: dict[str, Cost | None] = dict.fromkeys(commands)
    for _ in range(rounds):
        for name, command in commands.items():
            cost = run(command) if command else None
            old = best[name]
            if cost and (old is None or cost.wall_s < old.wall_s):
                best[name] = cost
    return best


def side_by_side(command: list[str], count: int) -> float:
    """Return the wall time in s of `count` equal processes at once."""
    start = time.perf_counter()
    started = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(count)
    ]
    for process in started:
        process.wait()
    return time.perf_counter() - start
