"""What each rule is good for: `python -m benchmarks.ablation [MANIFEST TRUTH] [--devices FOLDER…] [--rules KEY…]`.

Measures every recording with all rules and with each rule off in turn, and prints the error of each metric without
the rule, how many recordings it then gets wrong by more than before and how many by less, and which of the rendered
scenes (tests/analysis/filmed.py) go wrong. Each video is decoded once. A rule that defends nothing goes.

With `--devices` recordings of devices are measured instead (benchmarks/devices.py): how many responses and finishes
are graded worse without the rule, and how many better. `--rules` names the rules to leave off, else all in turn.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.batch import Job, as_row, read_jobs
from analysis.events.background import HABITS
from analysis.events.duplicates import CLUES
from analysis.events.ongoing_motion import EXCEPTIONS
from analysis.events.onset import SEARCHES
from analysis.events.rules import RULES
from analysis.measure import Measured, measure_recording, measure_seen, read_screencast, see_recording
from analysis.options import MeasureOptions
from analysis.video.opening import UnreadableVideoError
from benchmarks.devices import MOMENTS, grade, read_truth
from benchmarks.measure_errors import ERRORS, add_errors, manifest_table
from benchmarks.sharing import in_order
from tests.analysis.filmed import filmed

WHOLE = (
    "coherence",
    "small_fade",
    "drift",
    "lone",
    "last_step",
    "frozen_grain",
    "camera",
    "crosshair",
    "focus",
    "inset",
    "round",
)  # of all pictures
KEYS = (*(rule.key for rule in RULES), *HABITS, *EXCEPTIONS, *WHOLE, *SEARCHES, "glide", "fades_on", *CLUES)
LOOKED_AT = frozenset(  # asked while looking; of all others the same scene is judged
    {*HABITS, *EXCEPTIONS, *WHOLE, "caret", "keeps_time", "moved_before", "goes_on", "cursor", "hover", "mark"}
)
ALL = "all rules"
WORDS = ("worse", "better")
BAD = ("right", "named", "near", "wrong")  # grades, from good to bad
CLEARLY = {"dropped_frames": 0.5}  # errors differ from this on; times from 1 ms on


def main(argv: list[str] | None = None) -> int:
    """Measure with and without, and print the table."""
    options = _parser().parse_args(argv)
    if options.devices:
        print(devices_lost(options.devices, options.rules or KEYS, options.only, options.jobs).to_string())
        return 0
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
    """Yield what is measured with all rules, then without each of some. The video is decoded once.

    A key may name several that account for the same, as in `faint+refreshed`.
    """
    recording, finder = read_screencast(path, options, threads=1)
    with closing(recording.store):
        seen = see_recording(recording, finder, options)
        for key in (ALL, *keys):
            without = frozenset(key.split("+")) - {ALL}
            if without & LOOKED_AT:
                yield key, measure_recording(recording, finder, options, without=without)
            else:
                yield key, measure_seen(seen, without=without)


def scenes_lost(jobs: int) -> dict[str, list[str]]:
    """Return the names of the rendered scenes that are measured wrong without each rule."""
    lost: dict[str, list[str]] = {key: [] for key in (ALL, *KEYS)}
    for name, wrong in zip(filmed(), in_order(_scene_lost, filmed(), jobs), strict=True):
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
    rows = [row for part in in_order(_job_rows, read_jobs(manifest), jobs) for row in part]
    frames = {key: _errors([row for rule, row in rows if rule == key], inputs, true) for key in (ALL, *KEYS)}
    return pd.DataFrame({key: _compared(frame, frames[ALL]) for key, frame in frames.items()}).T


def devices_lost(folders: Sequence[str], keys: Sequence[str], only: str, jobs: int) -> pd.DataFrame:
    """Return a row per rule: how many moments are graded worse without it, and how many better."""
    changed = {key: [f"{moment} {word}" for moment in MOMENTS for word in WORDS] for key in keys}
    table = pd.DataFrame({key: dict.fromkeys(columns, 0) for key, columns in changed.items()}).T
    for folder in map(Path, folders):
        said = {row["video"]: row for row in read_truth(folder / "truth.csv").to_dict("records")}
        found = [job for job in read_jobs(folder / "truth.csv") if only in job.name and job.options]
        for grades in in_order(partial(_grades, keys=keys), [(job, said[job.name]) for job in found], jobs):
            for key, moment, now, before in grades:
                table.loc[key, f"{moment} {WORDS[now < before]}"] += now != before
    return table


def _grades(asked: tuple[Job, dict[Any, Any]], keys: Sequence[str]) -> list[tuple[str, str, int, int]]:
    """Return rule, moment, and how bad the grade is without the rule and with it, for each."""
    job, said = asked
    assert job.options is not None
    untold = replace(job.options, capture="")
    found: dict[str, dict[str, int]] = {}
    try:
        for key, measured in measured_without(job.path, untold, keys):
            times = measured.series.time_ms if measured.series else np.empty(0)
            graded = grade(said, measured, times, untold.action_ms)
            found[key] = {one.moment: BAD.index(one.grade) for one in graded}
    except UnreadableVideoError:
        return []  # refused with any rule and without
    return [(key, moment, found[key][moment], bad) for key in keys for moment, bad in found[ALL].items()]


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
    parser.add_argument("--devices", nargs="+", metavar="FOLDER", help="recordings of devices, and their truth.csv")
    parser.add_argument(
        "--rules", nargs="+", choices=KEYS, metavar="KEY", help="with --devices: rules to leave off"
    )
    parser.add_argument("--only", default="", help="with --devices: part of the names of the recordings")
    parser.add_argument("--jobs", type=int, default=2, help="videos measured at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
