"""How far the measured times lie from the truth: `python -m benchmarks.accuracy MANIFEST TRUTH`.

MANIFEST has the columns of a manifest, TRUTH has `video, response_ms, finish_ms` and, where known,
`response_visible_ms, finish_visible_ms, settles, dropped_frames, outcome` (ms after the action). An error is the
distance to the interval between the strict and the visible value: both are right for some eye.
Labels that people set on the pages are exported in the same form.

With `--devices FOLDER…` recordings are measured without a manifest: a folder's `truth.csv` says when the action
was, and what a person chose (benchmarks/devices.py). They are counted per class and capture: right is the true
frame or the one beside it (or at most 17 ms off), near at most 100 ms, wrong all else, also an outcome that says
what is not so; named is an outcome that says why there is no number. Within a picture is right, or in the picture
before or after the true one however far away that is: films of few pictures a second are counted that way, too.
Several folders are counted once more together.
"""

from __future__ import annotations

import argparse
import sys

import pandas as pd

from analysis.batch import COLUMNS, measure_jobs, read_jobs
from analysis.spreadsheet import plain_cell
from benchmarks.devices import grade_folder, not_right, per_class, per_confidence
from benchmarks.measure_errors import add_errors, calibration, capture_difference, manifest_table, summary, worst


def main(argv: list[str] | None = None) -> int:
    """Measure, compare, print."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.devices:
        return _devices(options)
    if options.truth is None:
        parser.error("give MANIFEST and TRUTH, or --devices FOLDER")
    manifest = manifest_table(options.manifest)
    names = {"video": plain_cell}
    measured = pd.read_csv(options.measured, converters=names) if options.measured else _measure(options)
    if options.save:
        measured.to_csv(options.save, index=False)
    truth = pd.read_csv(options.truth, converters=names)
    frame = add_errors(measured, manifest, truth)
    print(summary(frame).to_string(index=False, float_format="{:.1f}".format, na_rep="—"))
    print()
    print(worst(frame, options.worst).to_string(index=False, float_format="{:.1f}".format, na_rep="—"))
    print()
    if "response_confidence" in measured:  # kept rows may be from before
        print(calibration(frame).to_string(index=False, float_format="{:.1f}".format))
        print()
    print(capture_difference(frame).to_string(float_format="{:.1f}".format))
    return 0


def _devices(options: argparse.Namespace) -> int:
    """Grade folders of recordings, one table each, and name every recording that is not right."""
    graded = []
    for folder in options.devices:
        graded.append(grade_folder(folder, options.only, options.jobs).assign(folder=folder))
        _print_counts(folder, graded[-1])
        missed = not_right(graded[-1]).drop(columns="folder")
        listed = missed.to_string(index=False, float_format="{:.1f}".format, na_rep="—")
        print(listed if len(missed) else "all right", end="\n\n")
    together = pd.concat(graded)
    if len(graded) > 1:
        _print_counts("all folders together", together.assign(video=together["folder"] + together["video"]))
    if options.save:
        together.to_csv(options.save, index=False)
    return 0


def _print_counts(title: str, graded: pd.DataFrame) -> None:
    print(f"{title}\n{per_class(graded).to_string(index=False)}\n")
    print(f"{per_confidence(graded).to_string()}\n")


def _measure(options: argparse.Namespace) -> pd.DataFrame:
    jobs = read_jobs(options.manifest)
    if options.only:
        jobs = [job for job in jobs if options.only in job.name]
    rows = []
    for done, row in enumerate(measure_jobs(jobs, options.jobs), 1):
        rows.append(row)
        print(f"\r{done}/{len(jobs)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("manifest", nargs="?")
    parser.add_argument("truth", nargs="?")
    parser.add_argument(
        "--devices", nargs="+", metavar="FOLDER", help="grade recordings that a person judged instead"
    )
    parser.add_argument("--only", default="", help="measure only videos whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="videos measured at once")
    parser.add_argument("--worst", type=int, default=5, help="how many of the worst errors to name per metric")
    parser.add_argument("--save", help="keep the measured rows in this CSV")
    parser.add_argument("--measured", help="compare these rows instead of measuring again")
    return parser


if __name__ == "__main__":
    sys.exit(main())
