"""Records judged recordings once more, as other recorders do: `python -m benchmarks.rerecorded OUT FOLDER…`.

A FOLDER holds recordings that a person judged, and their `truth.csv` (benchmarks/devices.py). Each is written again
by some of the recorders of benchmarks/recaptured; nothing is drawn over it. The moments stay those that the person
chose, as the first frame of the new recording shows them. Only what can be read then is made smaller.
The seed draws which recorders. With `--altered` each is written without loss instead, once for each way that is
named, and should be measured in each as in the others: how much hangs on what is light, left, or at the edge.
Writes videos and `truth.csv` into OUT, for `python -m benchmarks.accuracy --devices OUT`. Dropped frames are not
told.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.video.opening import open_container
from benchmarks.alterations import ALTERATIONS, altered
from benchmarks.devices import read_truth
from benchmarks.phones.captures import Alter, Capture, recorded_times, shown, write
from benchmarks.phones.filming import Image
from benchmarks.recaptured.recording import RECORDERS, ROUNDING_MS, Filmed
from benchmarks.sharing import in_order

LEAST_PX = 400  # of the shorter side: what is smaller cannot be read once it is made smaller still
UNLIKE = ("gif25", "gif10", "small", "large")  # most judged recordings are GIFs, and sizes of their own
MOMENTS = ("response_ms", "response_visible_ms", "finish_ms", "finish_visible_ms")
UNKNOWN = ["dropped_frames", "dropped_frames_visible"]  # once another recorder has filmed it


def main(argv: list[str] | None = None) -> int:
    """Write each judged recording by some recorders."""
    parser = _parser()
    asked = parser.parse_args(argv)
    for folder in asked.folders:
        if not (folder / "truth.csv").is_file():
            parser.error(f"{folder} holds no truth.csv: name a folder as benchmarks.unprepared makes")
    rows = [
        (folder, row, recorder)
        for folder in asked.folders
        for row in read_truth(folder / "truth.csv").to_dict("records")
        for recorder in _recorders(folder / row["video"], row["video"], asked)
        if asked.only in _name(row["video"], recorder)
    ]
    if not rows:
        parser.error(f"no recording and no recorder drawn for it is called *{asked.only}*")
    said = []
    for row in in_order(partial(_recorded, asked.out), rows, asked.jobs):
        said.append(row)
        print(row["video"], flush=True)
    pd.DataFrame(said).drop(columns=UNKNOWN).to_csv(asked.out / "truth.csv", index=False)
    return 0


def _recorders(file: Path, video: str, asked: argparse.Namespace) -> Iterable[Capture]:
    """Return what writes a file: what alters it if that is asked for, else what the seed draws."""
    if asked.altered:
        return [altered(name)[0] for name in asked.altered]
    return _drawn(file, f"{asked.seed} {video}", asked.each)


def _drawn(file: Path, seed: str, each: int) -> Iterator[Capture]:
    """Yield so many recorders, no one twice, of those that can show what a file shows."""
    with open_container(file) as container:
        stream = container.streams.video[0]
        readable = min(stream.width, stream.height) >= LEAST_PX
    able = [one for one in RECORDERS if one.name not in UNLIKE and (readable or one.scale == 1)]
    random = np.random.default_rng(zlib.crc32(seed.encode()))
    for at in random.choice(len(able), min(each, len(able)), replace=False).tolist():
        yield able[at]


def _name(video: str, recorder: Capture) -> str:
    return f"videos/{Path(video).stem}+{recorder.name}{recorder.suffix}"


def _recorded(out: Path, job: tuple[Path, Mapping[Any, Any], Capture]) -> dict[str, Any]:
    *_, recorder = job
    return record(out, *job, altered(recorder.name)[1] if recorder.name in ALTERATIONS else None)


def record(
    out: Path, folder: Path, row: Mapping[Any, Any], recorder: Capture, alter: Alter | None = None
) -> dict[str, Any]:
    """Write one recording and return its line of the truth; `alter` is what becomes of its pictures before."""
    since, images, lasts_ms = _read(folder / row["video"])
    height, width = (side // 2 * 2 for side in images[0].shape[:2])
    about = {"action": row["action_ms"]}
    take = Filmed(
        since, (), (), (), (since[-1] + lasts_ms) / 1000, about, held=tuple(one[:height, :width] for one in images)
    )
    video = _name(row["video"], recorder)
    write(take, recorder, out / video, alter)
    recorded_ms, action_ms = recorded_times(take, recorder), row["action_ms"]
    seen = {}
    for name in MOMENTS:
        if row[name] == row[name]:
            at_ms = min(_frame_at(since, action_ms + row[name]), recorded_ms[-1])
            seen[name] = round(shown(recorded_ms, at_ms) - action_ms, 3)
    return {**row, **seen, "video": video, "recorded": recorder.name}


def _read(file: Path) -> tuple[list[float], list[Image], float]:
    """Return when each picture comes since the first, ms, the pictures, and for how long the last is shown, ms.

    That is as long as the file says, and at least as long as others are.
    """
    times, images, lasts_ms = [], [], 0.0
    with open_container(file) as container:
        for frame in container.decode(video=0):
            times.append(1000 * float(frame.time))
            images.append(frame.to_ndarray(format="rgb24"))
            lasts_ms = 1000 * float((frame.duration or 0) * frame.time_base)
    since = [time - times[0] for time in times]
    return since, images, max(lasts_ms, float(np.median(np.diff(since))))


def _frame_at(times_ms: Sequence[float], at_ms: float) -> float:
    """Return when the frame came that a person chose: what is written down of it is rounded."""
    near = min(times_ms, key=lambda time: abs(time - at_ms))
    return near if abs(near - at_ms) <= ROUNDING_MS else at_ms


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rerecorded", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of judged recordings")
    parser.add_argument("--only", default="", help="part of a recording's and a recorder's name, as in t_wp+vp8")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other recorders")
    parser.add_argument("--each", type=int, default=2, help="so many recorders for each recording")
    parser.add_argument("--altered", choices=ALTERATIONS, nargs="+", help="ways to alter it, instead of recorders")
    parser.add_argument("--jobs", type=int, default=1, help="so many processes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
