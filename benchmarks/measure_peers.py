"""Commands of peers that measure the same clip; None where a peer is not installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

STAGESEPX = (
    "import sys, warnings; warnings.simplefilter('ignore')\n"
    "from stagesepx.cutter import VideoCutter\n"
    "from stagesepx.video import VideoObject\n"
    "video = VideoObject(sys.argv[1]); video.load_frames()\n"
    "print(len(VideoCutter().cut(video).get_range()[0]))"
)


def peers(clip: Path, python: str) -> dict[str, list[str] | None]:
    """Return a command per peer; says on stderr which are skipped."""
    found = {
        "c  stagesepx": [python, "-c", STAGESEPX, str(clip)] if _has_stagesepx(python) else None,
        "d  ffmpeg ssim filter, 270 px wide": _ffmpeg(clip),
    }
    for name, command in found.items():
        if command is None:
            print(f"{name[3:]} is not installed: skipped", file=sys.stderr)
    return found


def _has_stagesepx(python: str) -> bool:
    if not python or not Path(python).exists():
        return False
    probe = [python, "-c", "import stagesepx.cutter"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def _ffmpeg(clip: Path) -> list[str] | None:
    program = shutil.which("ffmpeg")
    if program is None:
        return None
    chain = "[0:v]scale=270:-2,split[a][b];[b]setpts=PTS+1/60/TB[c];[a][c]ssim"
    return [program, "-v", "error", "-threads", "2", "-i", str(clip), "-lavfi", chain, "-f", "null", "-"]
