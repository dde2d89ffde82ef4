"""Time whole processes: wall, CPU and peak memory, children's children included."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

WATCH = Path(__file__).with_name("watch_process.py")


@dataclass(frozen=True)
class Cost:
    """What one process took."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def run(command: list[str]) -> Cost | None:
    """Run a command to its end; None if it fails."""
    watched = [sys.executable, "-I", "-S", str(WATCH), *command]
    done = subprocess.run(watched, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode != 0:
        return None
    wall_s, cpu_s, peak_kb = map(float, done.stdout.split())
    return Cost(wall_s, cpu_s, peak_kb / 1024)


def best_of(commands: dict[str, list[str] | None], rounds: int) -> dict[str, Cost | None]:
    """Run all commands in turns and return the fastest run of each; None for one that is absent or fails."""
    best: dict[str, Cost | None] = dict.fromkeys(commands)
    for _ in range(rounds):
        for name, command in commands.items():
            cost = run(command) if command else None
            old = best[name]
            if cost and (old is None or cost.wall_s < old.wall_s):
                best[name] = cost
    for name, command in commands.items():
        if command and best[name] is None:
            print(f"{name} fails: left out", file=sys.stderr)
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
