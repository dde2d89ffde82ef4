"""Measure many videos, one after the other or on several cores, and put the answers into rows."""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from analysis.jobs import Job
from analysis.measure import Measured, measure_screencast

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
