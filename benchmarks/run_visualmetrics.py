"""Run browsertime's visualmetrics-portable.py with a given ffmpeg.

`python run_visualmetrics.py FFMPEG SCRIPT ARGUMENTS...`, by the peers' interpreter: nothing of this project is
imported. The script calls `ffmpeg` and `ffprobe` by name; both are offered on PATH under these names. Of
`ffprobe VIDEO` it reads only the description of the file, which `ffmpeg -i VIDEO` prints as well; a real ffprobe
goes first.
"""

from __future__ import annotations

import os
import runpy
import shlex
import shutil
import sys
import tempfile
from pathlib import Path


def main(ffmpeg: str, script: str, *arguments: str) -> None:
    """Run the script as if it had been started itself; it ends this process with its own exit code."""
    with tempfile.TemporaryDirectory() as folder:
        offer(Path(folder), ffmpeg)
        sys.argv = [script, *arguments]
        runpy.run_path(script, run_name="__main__")


def offer(folder: Path, ffmpeg: str) -> None:
    """Put `ffmpeg`, and `ffprobe` where there is none, first on PATH."""
    program = str(Path(ffmpeg).resolve())
    (folder / "ffmpeg").symlink_to(program)
    if shutil.which("ffprobe") is None:
        stand_in = folder / "ffprobe"
        stand_in.write_text(f'#!/bin/sh\nexec {shlex.quote(program)} -hide_banner -i "$1"\n')
        stand_in.chmod(0o755)
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


if __name__ == "__main__":
    main(*sys.argv[1:])
