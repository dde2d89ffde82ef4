"""What each rule is good for: `python -m benchmarks.ablation [MANIFEST TRUTH]`.

Measures every recording with all rules and with each rule off in turn, and prints the error of each metric without
the rule, how many recordings it then gets wrong by more than before and how many by less, and which of the rendered
scenes (tests/analysis/filmed.py) go wrong. Each video is decoded once. A rule that defends nothing goes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.batch import Job, as_row, read_jobs
from analysis.events.background import HABITS
from analysis.events.duplicates import CLUES
from analysis.events.ongoing_motion import EXCEPTIONS
from analysis.events.onset import SEARCHES
from analysis.events.rules import RULES
from analysis.measure import Measured, measure_recording, read_screencast
from analysis.options import MeasureOptions
from benchmarks.measure_errors import ERRORS, add_errors, manifest_table
from tests.analysis.filmed import filmed

KEYS = (
    *(rule.key for rule in RULES),
    *HABITS,
    *EXCEPTIONS,
    "coherence",
    "small_fade",
    "frozen_grain",
    "camera",
    *SEARCHES,
    *CLUES,
)
ALL = "all rules"
CLEARLY = {"dropped_frames": 0.5}  # errors differ from this on; times from 1 ms on


def main(argv: list[str] | None = None) -> int:
    """Measure with and without, and print the table."""
    options = _parser().parse_args(argv)
    scenes = scenes_lost(options.jobs)
    errors = pd.DataFrame(index=[ALL, *KEYS])
    if options.manifest:
        errors = corpus_errors(options.manifest, options.truth, options.jobs)
    table = errors.assign(scenes_lost=[", ".join(scenes[key]) or "—" for key in errors.index])
    print(table.to_string(na_rep="—"))
    useless = [key for key in KEYS if not scenes[key] and not _worse(errors, key)]
    print(f"\ndefend nothing here: {', '.join(useless) or 'none'}")
    return 0


def measured_without(
    path: Path, options: MeasureOptions, keys: Sequence[str] = KEYS
) -> Iterator[tuple[str, Measured]]:
    """Yield what is measured with all rules, then without each of some. The video is decoded once."""
    recording, finder = read_screencast(path, options, threads=1)
    with closing(recording.store):
        for key in (ALL, *keys):
            yield key, measure_recording(recording, finder, options, without=frozenset({key}) - {ALL})


def scenes_lost(jobs: int) -> dict[str, list[str]]:
    """Return the names of the rendered scenes that are measured wrong without each rule."""
    lost: dict[str, list[str]] = {key: [] for key in (ALL, *KEYS)}
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for name, wrong in zip(filmed(), pool.imap(_scene_lost, filmed()), strict=True):
            for key in wrong:
                lost[key].append(name)
    return lost


def _scene_lost(name: str) -> list[str]:
    scene = filmed()[name]
    with tempfile.TemporaryDirectory() as folder:
        found = measured_without(scene.film(Path(folder)), scene.options)
        return [key for key, said in found if not scene.is_right(said.outcome, said.settles, said.metrics)]


def corpus_errors(manifest: str, truth: str, jobs: int) -> pd.DataFrame:
    """Return a row per rule: mean error of each metric without it, and how many recordings get worse and better."""
    inputs, true = manifest_table(manifest), pd.read_csv(truth)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        rows = [row for part in pool.imap(_job_rows, read_jobs(manifest), chunksize=4) for row in part]
    frames = {key: _errors([row for rule, row in rows if rule == key], inputs, true) for key in (ALL, *KEYS)}
    return pd.DataFrame({key: _compared(frame, frames[ALL]) for key, frame in frames.items()}).T


def _job_rows(job: Job) -> list[tuple[str, dict[str, Any]]]:
    if job.options is None:
        return []
    return [(key, as_row(job.name, measured)) for key, measured in measured_without(job.path, job.options)]


def _errors(rows: Sequence[dict[str, Any]], inputs: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    return add_errors(pd.DataFrame(rows).drop(columns="evidence"), inputs, true).set_index("video")


def _compared(frame: pd.DataFrame, whole: pd.DataFrame) -> dict[str, str]:
    said = {}
    for metric, column in ERRORS.items():
        now, before = frame[column].abs(), whole[column].abs()
        if before.notna().any():
            by = CLEARLY.get(metric, 1.0)
            worse = int(((now > before + by) | (now.isna() & before.notna())).sum())
            better = int(((now < before - by) | (now.notna() & before.isna())).sum())
            said[metric] = f"{now.mean():.2f}" + (f" (−{worse} +{better})" if worse or better else "")
    return said | {"outcomes_right": f"{int(frame['right'].sum())}/{len(frame)}"}


def _worse(errors: pd.DataFrame, key: str) -> bool:
    row, whole = errors.loc[key], errors.loc[ALL]
    outcomes = "outcomes_right" in errors and row["outcomes_right"] != whole["outcomes_right"]
    return outcomes or any("(−" in str(cell) and "(−0 " not in str(cell) for cell in row)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("manifest", nargs="?", help="of recordings; without it, the rendered scenes alone")
    parser.add_argument("truth", nargs="?")
    parser.add_argument("--jobs", type=int, default=2, help="videos measured at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
