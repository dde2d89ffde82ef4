"""Whether files as they are written are read: `python -m benchmarks.writers --count 1000 --seed 1`.

Films a screen that scrolls with several codecs in several containers, each time with other settings that are valid:
constant and variable rate, pauses, reordered pictures, distance of key frames, unit of time, order of the boxes.
Reads each file and prints a table by writer: read with the times that it was written with, refused (a false
alarm: nothing is wrong with it), or read with OTHER TIMES. Then every reason of a refusal. Ends with 1 if there are
other times. Files of devices are written by other programs: this tells about settings, not about those.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.video.opening import UnreadableVideoError
from analysis.video.recording import read_recording
from tests.synthetic import Clip, Screen, film

READ, REFUSED, OTHER = "read", "refused", "OTHER TIMES"
SCREEN = Screen(96, 176)
MS, CLOCK = Fraction(1, 1000), Fraction(1, 90_000)  # s
QUIET = {"x265-params": "log-level=none"}
VPX = {"deadline": "realtime", "cpu-used": "8"}
GOPS = (24, 60, 250)  # a codec that predicts is refused with key frames much more often (docs/metrics.md)
SAME_MS = 0.01  # every unit that is drawn is one that its container can keep
MP4 = (
    {},
    {"movflags": "faststart"},
    {"movflags": "frag_keyframe+empty_moov"},
    {"movflags": "negative_cts_offsets"},
)
UNITS = (CLOCK, Fraction(1, 600), Fraction(1, 15_360), MS)
RATES_HZ = (10.0, 15.0, 24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0, 90.0, 120.0)


@dataclass(frozen=True)
class Writer:
    """A codec in a container: what both may be told, whether pictures are reordered and rests left out."""

    codec: str
    suffix: str
    options: Sequence[dict[str, str]] = ({},)
    muxing: Sequence[dict[str, str]] = ({},)
    units: Sequence[Fraction] = UNITS
    most_b_frames: int = 0
    pauses: bool = True
    pixels: str = "yuv420p"

    @property
    def name(self) -> str:
        """Return codec and suffix."""
        return self.codec + self.suffix


X264 = [{"preset": preset, "crf": "26"} for preset in ("ultrafast", "veryfast", "medium")]
X264 += [{"preset": "veryfast", "tune": "zerolatency"}, {"preset": "fast", "intra-refresh": "1"}]
MJPEG = {"qmin": "4", "qmax": "4"}
X265 = [{"preset": preset} | QUIET for preset in ("ultrafast", "fast")]
WRITERS = (
    Writer("libx264", ".mp4", X264, MP4, most_b_frames=4),
    Writer("libx264", ".mov", X264, most_b_frames=4),
    Writer("libx264", ".mkv", X264, units=(MS,), most_b_frames=4),
    Writer("libx265", ".mp4", X265, MP4, most_b_frames=4),
    Writer("libx265", ".mkv", X265, units=(MS,), most_b_frames=4),
    Writer("libvpx", ".webm", [VPX, {"deadline": "good", "cpu-used": "4"}], units=(MS,)),
    Writer("libvpx-vp9", ".webm", [VPX], units=(MS,)),
    Writer("libvpx-vp9", ".mp4", [VPX], units=(CLOCK,)),
    Writer("libsvtav1", ".mp4", [{"preset": "10", "svtav1-params": "lp=1"}], units=(CLOCK,)),
    Writer("mpeg4", ".mp4", units=(Fraction(1, 30_000),)),  # with B-frames and pauses its decoder leaves out some
    Writer("mpeg4", ".avi", units=(Fraction(1, 30),), pauses=False),
    Writer("mjpeg", ".mov", [MJPEG], pixels="yuvj420p"),
    Writer("mjpeg", ".avi", [MJPEG], units=(Fraction(1, 30),), pauses=False, pixels="yuvj420p"),
)  # fmt: skip


@dataclass
class Case:
    """One file: who wrote it, how, and what became of it."""

    writer: Writer
    clip: Clip
    muxing: dict[str, str]
    result: str = ""
    reason: str = ""


def main(argv: list[str] | None = None) -> int:
    """Write files, read them, print what became of them."""
    asked = _parser().parse_args(argv)
    os.environ.setdefault("SVT_LOG", "1")  # errors alone; its encoder tells its settings for every file
    with tempfile.TemporaryDirectory() as folder:
        cases = [
            read(drawn(random.Random(f"{asked.seed} {number}")), Path(folder)) for number in range(asked.count)
        ]
    print(table(cases).to_string())
    for reason, count in pd.Series([case.reason for case in cases if case.reason]).value_counts().items():
        print(f"{count} × {reason}")
    return 1 if any(case.result == OTHER for case in cases) else 0


def drawn(chance: random.Random) -> Case:
    """Return a file that may be written."""
    writer = chance.choice(WRITERS)
    unit = chance.choice(writer.units)
    times_ms = chance.choice(SCHEDULES if writer.pauses else SCHEDULES[:1])(chance, 1 / float(unit))
    clip = Clip(
        _in_units(times_ms, unit),
        writer.codec,
        chance.choice(writer.options),
        writer.pixels,
        unit,
        gop=chance.choice(GOPS),
        b_frames=chance.randint(0, writer.most_b_frames),
    )
    return Case(writer, clip, chance.choice(writer.muxing))


def read(case: Case, folder: Path) -> Case:
    """Write a file and read it; it is gone afterwards."""
    file = folder / f"film{case.writer.suffix}"
    film(file, SCREEN, _scroll, case.clip, case.muxing)
    try:
        recording = read_recording(file)
    except UnreadableVideoError as error:
        case.result, case.reason = REFUSED, f"{case.writer.name}: {error}"
    else:
        with closing(recording.store):
            case.result = READ if _as_written(recording.time_ms, case.clip) else OTHER
    file.unlink()
    return case


def table(cases: Sequence[Case]) -> pd.DataFrame:
    """Return how many files of each writer came to what, with a line for all."""
    rows = pd.DataFrame({"writer": [case.writer.name for case in cases], "result": [case.result for case in cases]})
    counts = pd.crosstab(rows["writer"], rows["result"]).reindex(columns=[READ, REFUSED, OTHER], fill_value=0)
    counts.loc["all"] = counts.sum()
    counts.insert(0, "files", counts.sum(axis=1))
    return counts


def _steadily(chance: random.Random, ticks_hz: float) -> list[float]:
    rate = chance.choice([rate for rate in RATES_HZ if rate <= ticks_hz])
    return [1000 * frame / rate for frame in range(chance.randint(20, 60))]


def _with_pauses(chance: random.Random, ticks_hz: float) -> list[float]:
    """Return frames of a rate where many are left out, as where nothing changed."""
    slot = 1000 / chance.choice([30.0, 60.0, 90.0])
    steps = [chance.choice([1, 1, 1, 2, 3, chance.randint(4, 60)]) for _ in range(chance.randint(15, 50))]
    return [slot * step for step in accumulate(steps, initial=0)]


def _as_it_comes(chance: random.Random, ticks_hz: float) -> list[float]:
    """Return frames at no rate at all."""
    gaps = [chance.choice([chance.uniform(4, 40), chance.uniform(40, 800)]) for _ in range(chance.randint(15, 50))]
    return list(accumulate(gaps, initial=0.0))


SCHEDULES: tuple[Callable[[random.Random, float], list[float]], ...] = (_steadily, _with_pauses, _as_it_comes)


def _in_units(times_ms: Sequence[float], unit: Fraction) -> list[float]:
    """Return the times as a file can say them; no two are the same."""
    ticks = sorted({round(time / 1000 / unit) for time in times_ms})
    return [float(1000 * tick * unit) for tick in ticks]


def _as_written(read_ms: Sequence[float], clip: Clip) -> bool:
    """Return whether all frames are there, each at its time."""
    return len(read_ms) == len(clip.times_ms) and np.allclose(read_ms, clip.times_ms, rtol=0, atol=SAME_MS)


def _scroll(page: np.ndarray, time_ms: float) -> None:
    page[30:] = np.roll(page[30:], -int(time_ms / 8) % (page.shape[0] - 30), axis=0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writers", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many files")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other settings")
    return parser


if __name__ == "__main__":
    sys.exit(main())
