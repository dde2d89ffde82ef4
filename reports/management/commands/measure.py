"""Measure screencasts without a database: `manage.py measure VIDEO…` or `--manifest runs.csv --output out.csv`."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.batch import COLUMNS, FAILED, Job, measure_jobs, read_jobs
from analysis.manifest.reader import ManifestError
from analysis.options import ACTION_FROM, INTERACTION_TYPES, MeasureOptions
from analysis.spreadsheet import csv_line
from analysis.verdicts.text import count_text
from analysis.video.masks import Mask
from reports.media.decoding import decoders_for


class Command(BaseCommand):
    help = "Measure screencasts: response, finish and launch time, dropped frames. No database is needed."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("videos", nargs="*", metavar="VIDEO")
        parser.add_argument("--action-ms", type=float, help="the user's action, ms after the first frame (0)")
        parser.add_argument(
            "--action-from", choices=ACTION_FROM, help="find the user's action by what the recording shows of it"
        )
        parser.add_argument("--type", choices=INTERACTION_TYPES, help="interaction type (tap)")
        parser.add_argument("--refresh-hz", type=float, help="refresh rate of the screen (60)")
        parser.add_argument(
            "--show-touches", action="store_true", default=None, help="the platform drew a dot under the finger"
        )
        parser.add_argument(
            "--manifest",
            help="CSV with a column video, and action_ms, interaction_type, refresh_hz …; options fill empty cells",
        )
        parser.add_argument(
            "--touch", type=_pair, metavar="X,Y", help="where the finger went down, px of the video"
        )
        parser.add_argument(
            "--mask", type=_mask, action="append", metavar="X0,Y0,X1,Y1", help="leave out, 0 to 1 or px"
        )
        parser.add_argument("--output", help="write the rows to this CSV file")
        parser.add_argument("--json", action="store_true", help="print a JSON list, with evidence")
        parser.add_argument("--jobs", type=int, default=1, help="videos measured at once (1)")

    def handle(self, *args: Any, **options: Any) -> None:
        jobs = _jobs(options)
        for words in _told(jobs, options) if options["manifest"] else ():
            self.stderr.write(words)
        workers = max(1, options["jobs"])
        rows = list(measure_jobs(jobs, workers, decoders_for(workers)))
        if options["output"]:
            _write_csv(options["output"], rows)
        if options["json"]:
            self.stdout.write(json.dumps(rows, indent=1))
        elif not options["output"]:
            self._print(rows)
        failed = sum(row["outcome"] in FAILED for row in rows)
        if failed:
            self.stderr.write(f"{failed} of {len(rows)} videos could not be measured")
            sys.exit(1)

    def _print(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            values = [f"{key} {row[key]:g}" for key in COLUMNS[2:6] if row[key] is not None]
            self.stdout.write(f"{row['video']}: {', '.join([row['outcome'], *values])} {row['message']}".rstrip())


_FIELDS = {
    "action_ms": "action_ms", "action_from": "find_action", "type": "interaction_type", "refresh_hz": "refresh_hz",
    "show_touches": "show_touches", "touch": "touch_xy", "mask": "masks",
}  # fmt: skip  # option of the command → field of MeasureOptions


def _jobs(options: dict[str, Any]) -> list[Job]:
    if options["action_ms"] is not None and options["action_from"]:
        raise CommandError("--action-from is for recordings without --action-ms: give one of them")
    given = {field: options[name] for name, field in _FIELDS.items() if options[name] not in (None, [])}
    given |= {"masks": tuple(given["masks"])} if "masks" in given else {}
    try:
        shared = MeasureOptions(**given)
        jobs = read_jobs(options["manifest"], given) if options["manifest"] else []
    except ManifestError as error:
        raise CommandError(f"{options['manifest']}: {error}") from error
    except ValueError as error:
        raise CommandError(str(error)) from error
    jobs += [Job(video, Path(video), shared, shared=frozenset(given)) for video in options["videos"]]
    if not jobs:
        raise CommandError("nothing to measure: name a video, or a manifest with --manifest")
    return jobs


def _told(jobs: list[Job], options: dict[str, Any]) -> Iterator[str]:
    """Say of each option how many lines of the manifest it is for: those that say nothing of their own."""
    known = [job for job in jobs if job.options]
    for name, field in _FIELDS.items():
        if options[name] not in (None, []):
            taken = sum(field in job.shared for job in known)
            others = "; the manifest says it of the others" if taken < len(known) else ""
            yield f"--{name.replace('_', '-')} is taken for {taken} of {count_text(len(known), 'video')}{others}"


def _pair(text: str) -> tuple[float, float]:
    x, y = map(float, text.split(","))
    return x, y


def _mask(text: str) -> Mask:
    """Return a mask; corners up to 1 are fractions of the picture, others pixels."""
    x0, y0, x1, y1 = map(float, text.split(","))
    return Mask("--mask", x0, y0, x1, y1, "fraction" if max(x1, y1) <= 1 else "px")


def _write_csv(path: str, rows: list[dict[str, Any]]) -> None:
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            file.write(csv_line(COLUMNS))
            filled = (row | {"settles": _flag(row["settles"])} for row in rows)
            file.writelines(csv_line(row.get(name) for name in COLUMNS) for row in filled)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}: give a file in a folder that can be written") from error


def _flag(value: bool | None) -> int | None:
    return None if value is None else int(value)
