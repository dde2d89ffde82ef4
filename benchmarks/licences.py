"""Print docs/licences.md: the licence of every package in requirements.lock, as its own metadata names it.

Run by `make lock`; the packages must be installed.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

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
    """Return name → version of a lock file; of several for different Pythons the first, which is the oldest's."""
    pins = re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^\s;\\]+)", lock.read_text(), re.MULTILINE)
    return dict(reversed(pins))


def table(names: list[str]) -> str:
    """Return the table's lines, by name."""
    tool = Path(sys.executable).with_name("pip-licenses")
    command = [tool, "--python", sys.executable, "--format", "json", "--with-urls", "--packages", *names]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    rows = sorted((row["Name"].lower(), row) for row in found)
    return "".join(
        f"| [{row['Name']}]({row['URL'].replace('http:', 'https:')}) | {row['Version']} | {row['License']} |\n"
        for _, row in rows
    )


if __name__ == "__main__":
    sys.stdout.write(HEAD + table(sorted(locked(ROOT / "requirements.lock"))))
