"""Measure many videos, of a manifest or named one by one, on one core or several; put the answers into rows."""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.manifest.columns import TO_MEASURE
from analysis.manifest.reader import Line, open_manifest
from analysis.manifest.rows import options_of, parse_row
from analysis.measure import Measured, measure_screencast
from analysis.options import MeasureOptions

COLUMNS = (
    "video",
    "outcome",
    "response_time_ms",
    "finish_time_ms",
    "launch_time_ms",
    "dropped_frames",
    "settles",
    "message",
)
FAILED = ("unreadable", "refused")


@dataclass(frozen=True, slots=True)
class Job:
    """One video to measure: its name as the user wrote it, where it lies, its options or why they were refused."""

    name: str
    path: Path
    options: MeasureOptions | None
    problem: str = ""


def read_jobs(manifest: str | Path) -> list[Job]:
    """Return a job per line of a manifest (docs/manifest.md); a wrong line becomes a job with its problems.

    Only the column `video` is needed. Raises ManifestError, with the cure, if the manifest cannot be read at all.
    """
    path = Path(manifest)
    with open_manifest(path, TO_MEASURE) as lines:
        return [_job(line, path.parent) for line in lines]


def _job(line: Line, folder: Path) -> Job:
    row, problems = parse_row(line, TO_MEASURE)
    name = line.cells.get("video", "")
    problem = "; ".join(problem.text for problem in sorted(problems))
    return Job(name, folder / name, options_of(row) if row else None, problem)


def measure_jobs(jobs: Sequence[Job], workers: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the row of each job in order: `COLUMNS` and `evidence`. All are tried."""
    if workers <= 1:
        yield from map(measure_job, jobs)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from pool.map(_measure_single_threaded, jobs)


def measure_job(job: Job, threads: int = 0) -> dict[str, Any]:
    """Return the row of one job; wrong options make it `refused`."""
    if job.options is None:
        measured = Measured("refused", job.problem, {})
    else:
        measured = measure_screencast(job.path, job.options, threads=threads)
    return as_row(job.name, measured)


def as_row(name: str, measured: Measured) -> dict[str, Any]:
    """Return the flat answer of one video, ready for JSON."""
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"video": name, "outcome": measured.outcome, "settles": measured.settles, "message": measured.message}
    for key, value in measured.metrics.items():
        row[key] = None if value is None or not math.isfinite(value) else round(value, 3)
    return row | {"evidence": measured.evidence}


def _measure_single_threaded(job: Job) -> dict[str, Any]:
    return measure_job(job, threads=1)
