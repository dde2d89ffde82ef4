"""What is changed on a device while it is open, so that films are alike, and given back when it is closed.

What was there is written into the cache before anything is changed: after a cut, the next opening gives it back.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.drivers.adb.settings import DeviceSettings

ZEN = {"0": "off", "1": "priority", "2": "none", "3": "alarms"}  # zen_mode, and the word for `set_dnd`
PLUGGED = "7"  # USB, charger or wireless: the screen stays on
POLICIES = "/sys/devices/system/cpu/cpufreq"
SHARE = 0.7  # of the highest clock: a phone can hold it for hours, at the highest it throttles within minutes


class Keeping:
    """What was changed on one device and what it was before, in the order in which it is given back."""

    def __init__(self, link: Link, cache: Path) -> None:
        self.link = link
        name = re.sub(r"[^\w.-]", "_", link.serial)
        self.file = cache / f"android-{name}-restore.json"
        self.commands: list[str] = []

    def give_back_left(self) -> bool:
        """Give back what an earlier session could not; return whether there was something."""
        if not self.file.is_file():
            return False
        try:
            told = json.loads(self.file.read_text(encoding="utf-8"))
        except ValueError:  # cut while it was written
            told = []
        self.commands = [command for command in told if isinstance(command, str)]
        self.give_back()
        return True

    def give_back(self) -> None:
        """Give back everything, the last first."""
        while self.commands:
            self.link.sh(self.commands[-1])
            self.commands.pop()
        self.file.unlink(missing_ok=True)

    def setting(self, space: str, name: str, value: str) -> None:
        """Change a setting of Android (space: system, secure or global)."""
        was = self.link.sh(f"settings get {space} {name}").strip()
        if was == value:
            return
        back = (
            f"settings delete {space} {name}"
            if was == "null"
            else f"settings put {space} {name} {shlex.quote(was)}"
        )
        self._change(f"settings put {space} {name} {value}", back)

    def silence(self) -> None:
        """Let nothing disturb."""
        was = self.link.sh("settings get global zen_mode").strip()
        if was != "2":
            self._change("cmd notification set_dnd none", f"cmd notification set_dnd {ZEN.get(was, 'off')}")

    def fixed_clocks(self) -> str:
        """Fix the clock of each group of cores near `SHARE` of its highest; return what came of it, in words."""
        if "uid=0" not in self.link.sh("su -c id"):
            return "`root: true`, but su gives no root here: the clocks are not fixed"
        folders = self.link.sh(f"ls -d {POLICIES}/policy* 2>/dev/null").split()
        fixed = [self._fixed(folder) for folder in folders]
        if not fixed or not all(fixed):
            return "the clocks cannot be fixed: the kernel does not offer or does not keep them"
        return "clocks fixed at " + ", ".join(f"{khz / 1000:g}" for khz in fixed) + " MHz"

    def _fixed(self, folder: str) -> int:
        """Fix one group of cores; return its clock in kHz, 0 where the kernel does not keep it.

        The lowest goes down first and up last, so that it is never above the highest.
        """
        files = ("scaling_governor", "scaling_min_freq", "scaling_max_freq", "scaling_available_frequencies")
        said = self.link.sh("; ".join(f"su -c 'cat {folder}/{file}'" for file in files)).split("\n")
        offered = [int(word) for word in (said[3].split() if len(said) > 3 else []) if word.isdigit()]
        if not offered:
            return 0
        governor, lowest, highest = (line.strip() for line in said[:3])
        chosen = min(offered, key=lambda khz: abs(khz - SHARE * max(offered)))

        def put(governor: str, low: str, high: str) -> str:
            steps = (
                f"{min(offered)} > {files[1]}",
                f"{high} > {files[2]}",
                f"{low} > {files[1]}",
                f"{governor} > {files[0]}",
            )
            return "su -c '" + "; ".join(f"echo {step.replace('> ', f'> {folder}/')}" for step in steps) + "'"

        self._change(put("performance", str(chosen), str(chosen)), put(governor, lowest, highest))
        kept = self.link.sh(f"su -c 'cat {folder}/scaling_min_freq {folder}/scaling_max_freq'").split()
        return chosen if kept == [str(chosen)] * 2 else 0

    def _change(self, command: str, back: str) -> None:
        self.commands.append(back)
        whole = self.file.with_suffix(".tmp")
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(json.dumps(self.commands), encoding="utf-8")
        whole.replace(self.file)
        self.link.sh(command)


def make_alike(keeping: Keeping, settings: DeviceSettings) -> list[str]:
    """Bring a device into the state in which all films are taken; return what a reader of them should know."""
    link = keeping.link
    keeping.setting("global", "stay_on_while_plugged_in", PLUGGED)
    keeping.setting("system", "accelerometer_rotation", "0")
    keeping.setting("system", "user_rotation", "0")
    if settings.show_touches:
        keeping.setting("system", "show_touches", "1")
    if settings.silence:
        keeping.silence()
    link.sh("input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard")
    return [keeping.fixed_clocks()] if settings.root else []
