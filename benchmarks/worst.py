"""The worst recordings frame by frame: `python -m benchmarks.worst OUT --devices FOLDER…`.

Measures recordings of devices, or (`--corpus MANIFEST TRUTH`) those of a manifest, takes those that are
furthest off, and writes a picture of each into OUT: for response and finish the frames around the true one
(green) and the measured one (red), with ms after the action, and below each what differs from the frame before,
eight times as strong. The pictures show what was recorded: they are for looking at, not for passing on.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pandas as pd

from analysis.arrays import AnyArray
from analysis.batch import Job, read_jobs
from analysis.pictures.frames import frame_times_us, read_frame
from benchmarks.devices import grade_folder, grade_jobs

HEIGHT, GAP, LINE = 420, 6, 22  # px of a frame, between frames, of a line of text
BESIDE = 2  # frames shown before and after each of the two
STRONGER = 8
TRUE, MEASURED, INK, PAPER = (60, 150, 0), (30, 30, 210), (30, 30, 30), (255, 255, 255)  # BGR


def main(argv: list[str] | None = None) -> int:
    """Measure, choose, draw."""
    parser = _parser()
    asked = parser.parse_args(argv)
    if not (asked.devices or asked.corpus):
        parser.error("give --devices FOLDER or --corpus MANIFEST TRUTH")
    asked.out.mkdir(parents=True, exist_ok=True)
    for name, jobs, graded in _sets(asked):
        for rank, (video, rows) in enumerate(worst(graded, asked.count), 1):
            sheet = contact_sheet(jobs[video], rows)
            file = f"{name}_{rank}_{Path(video).stem}.png"
            cv2.imwrite(str(asked.out / file), sheet)
            print(f"{file}: {', '.join(_said(row) for row in rows)}")
    return 0


def worst(graded: pd.DataFrame, count: int) -> Iterator[tuple[str, list[pd.Series]]]:
    """Yield the recordings that are furthest off with their moments: a wrong outcome before any number."""
    missed = graded[graded["grade"].isin(("wrong", "near")) | ~graded["settles_right"]]
    off = missed["error_ms"].abs().where(missed["true_ms"].notna() & missed["measured_ms"].notna(), math.inf)
    order = off.groupby(missed["video"]).max().sort_values(ascending=False, kind="stable").index[:count]
    for video in order:
        yield video, [row for _, row in graded[graded["video"] == video].iterrows()]


def contact_sheet(job: Job, rows: Sequence[pd.Series]) -> AnyArray:
    """Return (height, width, 3) BGR: a strip for each moment of a recording."""
    action_ms = job.options.action_ms if job.options else 0.0
    times_ms = np.array(frame_times_us(job.path)) / 1000
    strips = [_titled(_strip(job.path, times_ms, action_ms, row), _said(row)) for row in rows]
    width = max(strip.shape[1] for strip in strips)
    blank = [np.full((strip.shape[0], width - strip.shape[1], 3), PAPER, np.uint8) for strip in strips]
    padded = [np.hstack(pair) for pair in zip(strips, blank, strict=True)]
    return np.vstack([_titled(padded[0], job.name), *padded[1:]])


def _strip(path: Path, times_ms: AnyArray, action_ms: float, row: pd.Series) -> AnyArray:
    marks: dict[int, list[tuple[int, int, int]]] = {}
    shown: set[int] = set()
    for at, colour in ((row["true_ms"], TRUE), (row["measured_ms"], MEASURED)):
        if not math.isnan(at):
            index = int(np.abs(times_ms - action_ms - at).argmin())
            marks.setdefault(index, []).append(colour)
            shown.update(range(max(0, index - BESIDE), min(len(times_ms), index + BESIDE + 1)))
    if not shown:
        shown.add(int(np.searchsorted(times_ms, action_ms)))
    columns = []
    for index in sorted(shown):
        frame = read_frame(path, times_ms[index])
        before = read_frame(path, times_ms[max(0, index - 1)])
        step = np.abs(frame.astype(np.int16) - before.astype(np.int16)) * STRONGER
        pair = [_small(part, marks.get(index, ())) for part in (frame, np.minimum(step, 255).astype(np.uint8))]
        columns.append(_titled(np.vstack(pair), f"{times_ms[index] - action_ms:+.0f} ms"))
    return np.hstack(columns)


def _small(picture: AnyArray, colours: Sequence[tuple[int, int, int]]) -> AnyArray:
    """Return a frame at its height with a border in each of the colours."""
    width = max(1, round(picture.shape[1] * HEIGHT / picture.shape[0]))
    small = cv2.resize(np.ascontiguousarray(picture), (width, HEIGHT), interpolation=cv2.INTER_AREA)
    for rim, colour in enumerate(colours):
        cv2.rectangle(small, (4 * rim, 4 * rim), (width - 1 - 4 * rim, HEIGHT - 1 - 4 * rim), colour, 4)
    return np.asarray(cv2.copyMakeBorder(small, 0, GAP, 0, GAP, cv2.BORDER_CONSTANT, value=PAPER))


def _titled(picture: AnyArray, text: str) -> AnyArray:
    title = np.full((LINE, picture.shape[1], 3), PAPER, np.uint8)
    cv2.putText(title, text, (2, LINE - 7), cv2.FONT_HERSHEY_SIMPLEX, 0.48, INK, 1, cv2.LINE_AA)
    return np.vstack([title, picture])


def _said(row: pd.Series) -> str:
    true, measured = ("none" if math.isnan(at) else f"{at:.0f} ms" for at in (row["true_ms"], row["measured_ms"]))
    return f"{row['moment']} {row['grade']} (true {true}, measured {measured}, {row['outcome']})"


def _sets(asked: argparse.Namespace) -> Iterator[tuple[str, dict[str, Job], pd.DataFrame]]:
    """Yield each set of recordings with its name: jobs by video, and what was graded."""
    for folder in asked.devices:
        jobs = read_jobs(folder / "truth.csv")
        yield folder.resolve().name, _by_name(jobs), grade_folder(folder, asked.only, asked.jobs)
    if asked.corpus:
        manifest, truth = asked.corpus
        jobs = [job for job in read_jobs(manifest) if asked.only in job.name]
        yield "corpus", _by_name(jobs), grade_jobs(jobs, truth, asked.jobs)


def _by_name(jobs: Sequence[Job]) -> dict[str, Job]:
    return {job.name: job for job in jobs}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worst", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the pictures")
    parser.add_argument("--devices", nargs="+", type=Path, default=(), metavar="FOLDER", help="judged recordings")
    parser.add_argument("--corpus", nargs=2, metavar=("MANIFEST", "TRUTH"), help="recordings with a manifest")
    parser.add_argument("--only", default="", help="only videos whose name contains this")
    parser.add_argument("--count", type=int, default=4, help="how many of each set")
    parser.add_argument("--jobs", type=int, default=1, help="videos measured at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
