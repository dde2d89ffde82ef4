"""How much measuring costs above decoding: `python -m benchmarks.speed`.

Renders a 1080 × 2400, 60 fps, 10 s H.264 clip (still, scroll, fade, spinner), one of 1080 × 1920 at a variable
rate, nearly all of whose pictures are new, and one with a mouse cursor, which is followed. With each, times whole
processes in turns: PyAV decoding only, our measure, and peers where installed. Prints wall time, peak memory and
ratios of one run; what a clip costs a worker, which runs already: decoded and measured in turns in one process, the
median of the ratios of neighbours. With the first clip also what a second worker gains, and what a child costs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median, quantiles

import cv2
import pandas as pd

from analysis.isolation.child import MOST_JOBS
from analysis.isolation.decoder import Decoders
from analysis.isolation.measuring import measure_apart
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from analysis.video.opening import open_container
from benchmarks.measure_peers import peers
from benchmarks.measure_processes import best_of, run, side_by_side
from benchmarks.measure_scene import render, render_changing, render_pointed

DECODE = (
    "import sys, av\n"
    "c = av.open(sys.argv[2]); s = c.streams.video[0]; s.thread_type = 'AUTO'\n"
    "s.codec_context.thread_count = int(sys.argv[1])\n"
    "print(sum(1 for _ in c.decode(s)))"
)
MEASURE = (
    "import sys\n"
    "from analysis.measure import measure_screencast\n"
    "from analysis.options import MeasureOptions\n"
    "m = measure_screencast(sys.argv[2], MeasureOptions(action_ms=1000), threads=int(sys.argv[1]))\n"
    "print(m.outcome, m.metrics)"
)
TURNS = 12  # of measuring here and decoding, or here and in a child


def main(argv: list[str] | None = None) -> int:
    """Render, time, print."""
    options = _parser().parse_args(argv)
    cv2.setNumThreads(1)  # as a worker's child does: two wait for each other more than they gain
    with tempfile.TemporaryDirectory() as folder:
        clips = _clips(Path(folder), options)
        for name, clip in clips.items():
            print(f"{name}:")
            table = _table(clip, options)
            print(table.to_string(index=False, float_format="%.2f", na_rep="—"))
            print(_in_turns(clip, options), end="\n\n")
        first = next(iter(clips.values()))
        print(_scaling(first, options))
        print(_apart(first, options))
    return 0


def _clips(folder: Path, options: argparse.Namespace) -> dict[str, Path]:
    if options.clip:
        return {Path(options.clip).name: Path(options.clip)}
    return {
        "at a constant rate": render(folder / "clip.mp4", options.seconds),
        "at a variable rate, nearly every picture new": render_changing(folder / "changing.mp4", options.seconds),
        "with a mouse cursor": render_pointed(folder / "pointed.mp4", options.seconds),
    }


def _table(clip: Path, options: argparse.Namespace) -> pd.DataFrame:
    run(_command(MEASURE, clip, options.threads))  # compiles once, as the first process on a machine does
    commands = {
        "a  decode only (PyAV)": _command(DECODE, clip, options.threads),
        "b  measure (this project)": _command(MEASURE, clip, options.threads),
        **peers(clip, options.peer_python, visualmetrics=options.visualmetrics),
    }
    results = best_of(commands, options.rounds)
    table = pd.DataFrame(
        {
            "process": name,
            "wall_s": result.wall_s if result else None,
            "cpu_s": result.cpu_s if result else None,
            "peak_MB": result.peak_mb if result else None,
        }
        for name, result in results.items()
    )
    table["ratio_to_decode"] = table["wall_s"] / table["wall_s"].iloc[0]
    return table


def _in_turns(clip: Path, options: argparse.Namespace) -> str:
    """Return what measuring costs above decoding where nothing has to be started, loaded or compiled.

    A difference between two processes would tell the same, but for their starts, which vary by more.
    """
    facts, ratios = MeasureOptions(action_ms=1000), []
    for turn in range(TURNS + 1):
        decoding = _cost(lambda: _decode(clip, options.threads))
        measuring = _cost(lambda: measure_screencast(clip, facts, threads=options.threads))
        if turn:  # the first loads what a worker has loaded
            ratios.append((measuring[0] / decoding[0], measuring[1] / decoding[1]))
    processor, wall = (median(each) for each in zip(*ratios, strict=True))
    lowest, _, highest = quantiles([ratio for ratio, _ in ratios], n=4)
    told = f"{processor:.2f} × the processor time ({lowest:.2f} to {highest:.2f}) and {wall:.2f} × the wall time"
    return f"to measure a clip costs a worker {told} of decoding it (aim: 1.7 or less)"


def _decode(clip: Path, threads: int) -> None:
    with open_container(clip) as container:
        stream = container.streams.video[0]
        stream.thread_type, stream.codec_context.thread_count = "AUTO", threads
        for _ in container.decode(stream):
            pass


def _cost(act: Callable[[], object]) -> tuple[float, float]:
    """Return processor time (of all threads) and wall time of a call, s."""
    start = _cpu(RUSAGE_SELF)
    wall = _seconds(act)
    return _cpu(RUSAGE_SELF) - start, wall


def _scaling(clip: Path, options: argparse.Namespace) -> str:
    lines = []
    for name, code in (("decodes", DECODE), ("measures", MEASURE)):
        command = _command(code, clip, 1)
        one = min(side_by_side(command, 1) for _ in range(options.rounds))
        two = min(side_by_side(command, 2) for _ in range(options.rounds))
        rates = f"{60 / one:.1f} clips a minute; two: {120 / two:.1f} ({2 * one / two:.2f} times)"
        lines.append(f"one process that {name} with one thread: {rates}")
    return "\n".join(lines)


def _apart(clip: Path, options: argparse.Namespace) -> str:
    """Measure in this process and in a child, in turns, so that both meet the same machine; the fastest count.

    Processor time tells the same where others use the machine as well.
    """
    facts, here, apart = MeasureOptions(action_ms=1000), [], []
    start = _seconds(_start_and_end)
    childs = _cpu(RUSAGE_CHILDREN)
    _start_and_end()
    starting_cpu, own_cpu, apart_cpu = _cpu(RUSAGE_CHILDREN) - childs, 0.0, -_cpu(RUSAGE_CHILDREN)
    with closing(Decoders()) as decoders:
        measure_screencast(clip, facts, threads=options.threads)  # loads here what a child has loaded at its start
        for _ in range(TURNS):
            own = _cpu(RUSAGE_SELF)
            here.append(_seconds(lambda: measure_screencast(clip, facts, threads=options.threads)))
            own_cpu, own = own_cpu + _cpu(RUSAGE_SELF) - own, _cpu(RUSAGE_SELF)
            apart.append(_seconds(lambda: measure_apart(decoders, clip, facts, threads=options.threads)))
            apart_cpu += _cpu(RUSAGE_SELF) - own
    apart_cpu += _cpu(RUSAGE_CHILDREN) - starting_cpu
    rates = f"in this process {60 / min(here):.1f} clips a minute, in a child {60 / min(apart):.1f}"
    ratios = f"{min(here) / min(apart):.3f} times; by processor time {own_cpu / apart_cpu:.3f}"
    return f"{rates} ({ratios}); it starts and ends in {start:.1f} s, for up to {MOST_JOBS} clips"


def _start_and_end() -> None:
    with closing(Decoders()) as decoders:
        decoders.in_force()


def _cpu(whose: int) -> float:
    used = getrusage(whose)
    return used.ru_utime + used.ru_stime


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _command(code: str, clip: Path, threads: int) -> list[str]:
    return [sys.executable, "-c", code, str(threads), str(clip)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--clip", help="time this video instead of rendering three")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of each rendered clip")
    parser.add_argument("--threads", type=int, default=2, help="decoder threads, for decoding and measuring alike")
    parser.add_argument("--rounds", type=int, default=3, help="how often each process runs; the fastest counts")
    parser.add_argument("--peer-python", default="", help="python of a virtual environment that holds the peers")
    parser.add_argument(
        "--visualmetrics", default="", help="visualmetrics-portable.py of browsertime's npm package"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
