"""Commands of peers that measure the same clip; None where a peer is not installed.

All of them: a virtual environment with `stagesepx==0.18.3 imageio-ffmpeg==0.6.0 pyssim pillow opencv-python` (its
python is `--peer-python`; ffmpeg comes with imageio-ffmpeg unless one is on PATH), and visualmetrics-portable.py
out of `npm pack browsertime` (`--visualmetrics`).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.find_ffmpeg import find_ffmpeg, takes_vsync

STAGESEPX = (
    "import sys, warnings; warnings.simplefilter('ignore')\n"
    "from stagesepx.cutter import VideoCutter\n"
    "from stagesepx.video import VideoObject\n"
    "video = VideoObject(sys.argv[1]); video.load_frames()\n"
    "print(len(VideoCutter().cut(video).get_range()[0]))"
)
SSIM = "[0:v]scale=270:-2,split[a][b];[b]setpts=PTS+1/60/TB[c];[a][c]ssim"
RUN_VISUALMETRICS = Path(__file__).with_name("run_visualmetrics.py")


def peers(clip: Path, python: str, *, visualmetrics: str = "") -> dict[str, list[str] | None]:
    """Return a command per peer; says on stderr which are skipped.

    `python` is the interpreter of the peers' virtual environment, `visualmetrics` the path of browsertime's
    visualmetrics-portable.py; empty where there is none.
    """
    ffmpeg = find_ffmpeg(python)
    found = {
        "c  stagesepx": _stagesepx(clip, python),
        "d  visualmetrics (browsertime)": _visualmetrics(clip, python, visualmetrics, ffmpeg),
        "d  ffmpeg ssim filter, 270 px wide": _ssim(clip, ffmpeg),
    }
    for name, command in found.items():
        if command is None:
            print(f"{name[3:]} is not installed: skipped", file=sys.stderr)
    return found


def _stagesepx(clip: Path, python: str) -> list[str] | None:
    installed = bool(python) and _succeeds([python, "-c", "import stagesepx.cutter"])
    return [python, "-c", STAGESEPX, str(clip)] if installed else None


def _visualmetrics(clip: Path, python: str, script: str, ffmpeg: str | None) -> list[str] | None:
    if not (python and ffmpeg and Path(script).is_file()):
        return None
    if not takes_vsync(ffmpeg):
        print(f"visualmetrics needs an ffmpeg of version 7 or older, not {ffmpeg}", file=sys.stderr)
        return None
    start = [python, str(RUN_VISUALMETRICS), ffmpeg, script]
    return [*start, "--json", "--video", str(clip)] if _succeeds([*start, "--check"]) else None


def _ssim(clip: Path, ffmpeg: str | None) -> list[str] | None:
    if ffmpeg is None:
        return None
    return [ffmpeg, "-v", "error", "-threads", "2", "-i", str(clip), "-lavfi", SSIM, "-f", "null", "-"]


def _succeeds(probe: list[str]) -> bool:
    if not Path(probe[0]).exists():
        return False
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0
