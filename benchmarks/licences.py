"""Print docs/licences.md: the licence of every package in requirements.lock, as its own metadata names it.

Run by `make lock`; the packages must be installed.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from packaging.markers import Marker

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Licences
What UPReg runs on, package by package, as `requirements.lock` pins it: made by `make lock` from the packages' own
metadata. Tools that only tests and development need are not listed.

UPReg calls these packages and changes none of them. Two carry libraries under other terms than their own:

- `av` is BSD; its wheel carries FFmpeg (LGPL 3 or later) and, for making the players' videos, x264 and x265 (GPL 2
  or later). Whoever hands UPReg on together with that wheel, in an image for instance, passes these on and owes
  their source with them.
- `psycopg-binary` (LGPL 3) carries libpq (PostgreSQL licence) and OpenSSL (Apache 2.0). It is used with PostgreSQL
  alone.

| package | version | licence |
|---|---|---|
"""


def locked(lock: Path) -> dict[str, str]:
    """Return name → version of a lock file; of several for different Pythons the first, which is the oldest's.

    What is pinned for systems on which UPReg does not run is left out: it is installed nowhere.
    """
    pins = re.findall(
        r"^([a-z0-9][a-z0-9._-]*)(?:\[[^\]]*\])?==([^\s;\\]+)(?: ; ([^\\\n]+))?", lock.read_text(), re.MULTILINE
    )
    return {name: version for name, version, marker in reversed(pins) if not marker or _runs_here(Marker(marker))}


def _runs_here(marker: Marker) -> bool:
    """Return whether a marker allows Linux or macOS, with this Python."""
    return any(marker.evaluate({"sys_platform": system}) for system in ("linux", "darwin"))


def table(names: list[str]) -> str:
    """Return the table's lines, by name."""
    tool = Path(sys.executable).with_name("pip-licenses")
    command = [str(tool), "--python", sys.executable, "--format", "json", "--with-urls", "--packages", *names]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    rows = sorted((row["Name"].lower(), row) for row in found)
    return "".join(
        f"| [{row['Name']}]({row['URL'].replace('http:', 'https:')}) | {row['Version']} | {row['License']} |\n"
        for _, row in rows
    )


if __name__ == "__main__":
    sys.stdout.write(HEAD + table(sorted(locked(ROOT / "requirements.lock"))))
