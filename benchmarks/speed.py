"""How much measuring costs above decoding: `python -m benchmarks.speed`.

Renders a 1080 × 2400, 60 fps, 10 s H.264 clip (still, scroll, fade, spinner), then times whole processes one after
the other in turns: PyAV decoding only, our measure, and peers where installed. Prints wall time, peak memory and
ratios of one run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import pandas as pd

from benchmarks.measure_peers import peers
from benchmarks.measure_processes import best_of, run, side_by_side
from benchmarks.measure_scene import render

DECODE = (
    "import sys, av\n"
    "c = av.open(sys.argv[1]); s = c.streams.video[0]; s.thread_type = 'AUTO'\n"
    "s.codec_context.thread_count = int(sys.argv[2])\n"
    "print(sum(1 for _ in c.decode(s)))"
)
MEASURE = (
    "import sys\n"
    "from analysis.measure import measure_screencast\n"
    "from analysis.options import MeasureOptions\n"
    "m = measure_screencast(sys.argv[1], MeasureOptions(action_ms=1000), threads=int(sys.argv[2]))\n"
    "print(m.outcome, m.metrics)"
)


def main(argv: list[str] | None = None) -> int:
    """Render, time, print."""
    options = _parser().parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(options.clip) if options.clip else render(Path(folder) / "clip.mp4", options.seconds)
        print(_table(clip, options).to_string(index=False, float_format="%.2f", na_rep="—"))
        print()
        print(_scaling(clip, options.threads))
    return 0


def _table(clip: Path, options: argparse.Namespace) -> pd.DataFrame:
    threads = str(options.threads)
    ours = [sys.executable, "-c", MEASURE, str(clip), threads]
    run(ours)  # compiles once, as a long-lived worker does
    commands = {
        "a  decode only (PyAV)": [sys.executable, "-c", DECODE, str(clip), threads],
        "b  measure (this project)": ours,
        **peers(clip, options.peer_python, visualmetrics=options.visualmetrics),
    }
    results = best_of(commands, options.rounds)
    base = results["a  decode only (PyAV)"]
    return pd.DataFrame(
        {
            "process": name,
            "wall_s": result.wall_s if result else None,
            "cpu_s": result.cpu_s if result else None,
            "peak_MB": result.peak_mb if result else None,
            "ratio_to_decode": result.wall_s / base.wall_s if result and base else None,
        }
        for name, result in results.items()
    )


def _scaling(clip: Path, threads: int) -> str:
    command = [sys.executable, "-c", MEASURE, str(clip), "1"]
    one, two = side_by_side(command, 1), side_by_side(command, 2)
    return f"one worker: {60 / one:.1f} clips a minute; two workers: {120 / two:.1f} ({2 * one / two:.2f} times)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--clip", help="time this video instead of rendering one")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of the rendered clip")
    parser.add_argument("--threads", type=int, default=2, help="decoder threads, for decoding and measuring alike")
    parser.add_argument("--rounds", type=int, default=3, help="how often each process runs; the fastest counts")
    parser.add_argument("--peer-python", default="", help="python of a virtual environment that holds the peers")
    parser.add_argument(
        "--visualmetrics", default="", help="visualmetrics-portable.py of browsertime's npm package"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
