"""Find the ffmpeg program that the peers need: on PATH, else the static one of the peers' imageio-ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

STATIC = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())"


def find_ffmpeg(python: str) -> str | None:
    """Return the path of an ffmpeg program; `python` is the peers' interpreter, or empty."""
    return shutil.which("ffmpeg") or _static(python)


def takes_vsync(ffmpeg: str) -> bool:
    """Tell whether this ffmpeg still has the option `-vsync`, which went away after version 7."""
    return "\n-vsync" in _output([ffmpeg, "-hide_banner", "-h", "full"])


def _static(python: str) -> str | None:
    path = _output([python, "-c", STATIC]).strip() if python and Path(python).exists() else ""
    return path or None


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
