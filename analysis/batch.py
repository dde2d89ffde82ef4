"""Measure many videos, of a manifest or named one by one, on one core or several; put the answers into rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from analysis.action.proposals import found_words
from analysis.isolation.decoder import DecoderError, Decoders
from analysis.isolation.measuring import measure_apart
from analysis.manifest.columns import TO_MEASURE
from analysis.manifest.reader import Line, open_manifest
from analysis.manifest.rows import options_of, parse_row
from analysis.measure import Measured
from analysis.metrics import METRICS
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
    "response_confidence",
    "finish_confidence",
)
FAILED = ("unreadable", "refused", "no_action")


_COLUMNS_OF = {
    "touch_xy": ("x", "y"),
    "masks": (),
    "find_action": ("action_ms", "action_from"),
    "action_ms": ("action_ms", "action_from"),
}  # of an option that has not the one column of its own name


@dataclass(frozen=True, slots=True)
class Job:
    """One video to measure: its name as the user wrote it, where it lies, its options or why they were refused.

    ``shared`` names the options that were given for all and that its line says nothing of.
    """

    name: str
    path: Path
    options: MeasureOptions | None
    problem: str = ""
    shared: frozenset[str] = frozenset()


def read_jobs(manifest: str | Path, shared: Mapping[str, Any] | None = None) -> list[Job]:
    """Return a job per line of a manifest (docs/manifest.md); a wrong line becomes a job with its problems.

    Only the column `video` is needed. ``shared`` are fields of MeasureOptions for the lines whose own cells are
    empty. Raises ManifestError, with the cure, if the manifest cannot be read at all.
    """
    path = Path(manifest)
    with open_manifest(path, TO_MEASURE) as lines:
        return [_job(line, path.parent, shared or {}) for line in lines]


def _job(line: Line, folder: Path, shared: Mapping[str, Any]) -> Job:
    row, problems = parse_row(line, TO_MEASURE)
    name = line.cells.get("video", "")
    if row is None:
        return Job(name, folder / name, None, "; ".join(problem.text for problem in sorted(problems)))
    open_ = {key: value for key, value in shared.items() if not row.given & set(_COLUMNS_OF.get(key, (key,)))}
    return Job(name, folder / name, replace(options_of(row), **open_), shared=frozenset(open_))


def measure_jobs(
    jobs: Sequence[Job], workers: int = 1, decoders: Decoders | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the row of each job in order: `COLUMNS` and `evidence`. All are tried, each apart from this process.

    ``decoders`` are taken where there are some, else started and ended here.
    """
    if decoders is None:
        with closing(Decoders(most=workers)) as own:
            yield from measure_jobs(jobs, workers, own)
        return
    if workers <= 1:
        yield from map(partial(measure_job, decoders=decoders), jobs)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(partial(measure_job, decoders=decoders, threads=1), jobs)


def measure_job(job: Job, decoders: Decoders, threads: int = 0) -> dict[str, Any]:
    """Return the row of one job; wrong options make it `refused`, whatever befalls a decoder `unreadable`."""
    if job.options is None:
        return as_row(job.name, Measured("refused", job.problem, {}))
    try:
        measured = measure_apart(decoders, job.path, job.options, threads=threads)
    except (DecoderError, OSError) as error:
        measured = Measured("unreadable", str(error), dict.fromkeys(METRICS))
    return as_row(job.name, measured)


def as_row(name: str, measured: Measured) -> dict[str, Any]:
    """Return the flat answer of one video, ready for JSON."""
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    message = measured.message or found_words(measured.evidence)
    row |= {"video": name, "outcome": measured.outcome, "settles": measured.settles, "message": message}
    for key, value in measured.metrics.items():
        row[key] = None if value is None or not math.isfinite(value) else round(value, 3)
    for moment in ("response", "finish"):
        row[f"{moment}_confidence"] = (measured.evidence.get(moment) or {}).get("confidence")
    return row | {"evidence": measured.evidence}
