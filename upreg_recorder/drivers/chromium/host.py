"""What the host says of itself, on Linux: its temperature, the clocks of its cores, what is free."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from upreg_recorder.drivers.contract import Vitals

ROOT = Path("/")


def vitals(disk: Path, root: Path = ROOT) -> Vitals:
    """Return how the host is: its hottest zone, the clock of each core, what is free on a disk."""
    zones = [_number(file) for file in sorted(root.glob("sys/class/thermal/thermal_zone*/temp"))]
    known = [milli / 1000 for milli in zones if milli is not None]
    files = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_cur_freq")
    cores = sorted(files, key=lambda file: int(file.parts[-3].removeprefix("cpu")))
    clocks = [khz / 1000 for khz in map(_number, cores) if khz is not None]
    return Vitals(
        temperature_c=max(known, default=None),
        free_mb=round(shutil.disk_usage(disk).free / 1e6, 1),
        clocks_mhz=tuple(clocks),
    )


def facts(root: Path = ROOT) -> dict[str, str]:
    """Return what the host is: cores, memory and how much of it is free, system."""
    found = {"host_cores": str(os.cpu_count() or ""), "host_system": f"{platform.system()} {platform.release()}"}
    try:
        lines = (root / "proc/meminfo").read_text().splitlines()
    except OSError:
        return found
    said = {name: value for name, _, value in (line.partition(":") for line in lines)}
    for key, name in (("host_memory_mb", "MemTotal"), ("host_memory_free_mb", "MemAvailable")):
        if name in said:
            found[key] = str(int(said[name].split()[0]) // 1024)
    return found


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):  # a sensor that sleeps
        return None
