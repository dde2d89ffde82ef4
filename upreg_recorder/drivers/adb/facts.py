"""What a device says of itself, and how it is right now."""

from __future__ import annotations

import re

from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.drivers.contract import Facts, Vitals
from upreg_recorder.failures import TrialError

PROPERTIES = {
    "model": "ro.product.model",
    "maker": "ro.product.manufacturer",
    "build": "ro.build.fingerprint",
    "android": "ro.build.version.release",
    "sdk": "ro.build.version.sdk",
    "patch": "ro.build.version.security_patch",
    "type": "ro.build.type",
}
SKIN = 3  # the kind of a temperature in android.hardware.thermal: what a hand feels, and what throttling goes by
USUAL_HZ = 60.0
CLOCKS = "cat /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq 2>/dev/null"


def facts_of(link: Link) -> Facts:
    """Ask a device who it is; raises TrialError where it does not know its screen."""
    said = link.sh("; ".join(f"getprop {name}" for name in PROPERTIES.values())).split("\n")
    said += [""] * (len(PROPERTIES) - len(said))
    told = dict(zip(PROPERTIES, (value.strip() for value in said), strict=False))
    size = screen_size(link.sh("wm size"))
    if size is None:
        raise TrialError(f"{link.serial} does not tell the size of its screen (`wm size`): restart it")
    rate = refresh_hz(link.sh("dumpsys display"))
    more = {name: told[name] for name in ("maker", "android", "sdk", "patch", "type") if told[name]}
    more["serial"] = link.serial
    if rate is None:
        more["refresh"] = f"not told by the device, taken for {USUAL_HZ:g} Hz"
    return Facts(told["model"] or link.serial, told["build"], rate or USUAL_HZ, size, more)


def vitals_of(link: Link) -> Vitals:
    """Ask a device how it is: the temperature is its skin's if it tells that, else its battery's."""
    level, battery_c = battery(link.sh("dumpsys battery"))
    skin_c = skin_temperature(link.sh("dumpsys thermalservice"))
    clocks = tuple(int(word) / 1000 for word in link.sh(CLOCKS).split() if word.isdigit())
    return Vitals(battery_c if skin_c is None else skin_c, level, free_mb(link.sh("df -k /data")), clocks)


def screen_size(said: str) -> tuple[int, int] | None:
    """Return width and height in px of `wm size`; what was set goes before what the screen has."""
    sizes = dict(re.findall(r"^(Physical|Override) size: (\d+x\d+)", said, re.MULTILINE))
    chosen = sizes.get("Override") or sizes.get("Physical")
    if chosen is None:
        return None
    width, height = chosen.split("x")
    return int(width), int(height)


def refresh_hz(said: str) -> float | None:
    """Return the rate in `dumpsys display` at which the screen shows now: of the active mode, else as rendered."""
    active = re.search(r"mActiveModeId=(\d+)|\bmodeId (\d+)", said)
    modes = dict(re.findall(r"\{id=(\d+), width=\d+, height=\d+, fps=([\d.]+)", said))
    if active and (active[1] or active[2]) in modes:
        return round(float(modes[active[1] or active[2]]), 2)
    found = re.search(r"renderFrameRate[ =]([\d.]+)|(\d+(?:\.\d+)?) fps", said)
    return round(float(found[1] or found[2]), 2) if found else None


def battery(said: str) -> tuple[float | None, float | None]:
    """Return level in % and temperature in °C of `dumpsys battery`, which tells tenths of a degree."""
    told = {
        name.strip(): float(value) for name, value in re.findall(r"^\s*([\w ]+): (-?\d+)\s*$", said, re.MULTILINE)
    }
    level, scale, tenths = told.get("level"), told.get("scale", 100.0), told.get("temperature")
    level_pct = None if level is None or scale <= 0 else level * 100 / scale
    return level_pct, None if tenths is None else tenths / 10


def skin_temperature(said: str) -> float | None:
    """Return the warmest skin sensor in °C of `dumpsys thermalservice`, as the hardware tells it now."""
    now = said.partition("Current temperatures from HAL:")[2].partition("Current cooling")[0] or said
    skin = re.findall(rf"mValue=(-?[\d.]+), mType={SKIN},", now)
    return max(map(float, skin)) if skin else None


def free_mb(said: str) -> float | None:
    """Return what `df -k` says is free, in MB of a million bytes."""
    found = re.search(r"^\S+\s+\d+\s+\d+\s+(\d+)\s+\d+%", said, re.MULTILINE)
    return int(found[1]) * 1024 / 1e6 if found else None
