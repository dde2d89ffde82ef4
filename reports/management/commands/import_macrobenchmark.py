"""Import results of AndroidX benchmarks: `manage.py import_macrobenchmark FILE… --version V [--dry-run]`."""

import json
import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.macrobenchmark.reader import BenchmarkFileError
from analysis.verdicts.text import count_text
from reports.importing.benchmarks import Said, import_benchmark_file, summary_of
from reports.importing.summary import ImportSummary


class Command(BaseCommand):
    help = (
        "Import files of results (…-benchmarkData.json) of AndroidX Macrobenchmark and Microbenchmark as runs "
        "without a screencast (docs/macrobenchmark.md). Repeating changes nothing. Exits with 1 if a file was "
        "refused; the others are imported."
    )

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        # Django's own --version says its own; here it is the OS version, as the results do not name it.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **options)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--version", required=True, metavar="V", dest="os_version", help="the OS version")
        parser.add_argument("--device", default="", metavar="D", help="the device, if not the model in the file")
        parser.add_argument("--refresh-hz", type=float, metavar="HZ", help="where the device is known at several")
        parser.add_argument(
            "--app", default="", metavar="NAME", help="the app, by package or name, if not the package of the test"
        )
        parser.add_argument("--dry-run", action="store_true", help="check every file, write nothing")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        logging.getLogger("django-q").setLevel(logging.WARNING)  # not a line for each comparison queued
        hz = options["refresh_hz"]
        if hz is not None and not 1 <= hz <= 1000:
            raise CommandError("--refresh-hz: give 1 to 1000")
        said = Said(options["os_version"], options["device"], hz, options["app"])
        found: dict[str, ImportSummary] = {}
        refused: dict[str, list[str]] = {}
        for path in options["files"]:
            try:
                found[str(path)] = import_benchmark_file(path=path, said=said, dry_run=options["dry_run"])
            except BenchmarkFileError as error:
                refused[str(path)] = error.problems
        told = summary_of(found, refused, dry_run=options["dry_run"])
        self.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) if options["json"] else _text(told))
        if refused:
            raise CommandError(f"{count_text(len(refused), 'file')} refused", returncode=1)


def _text(told: dict[str, Any]) -> str:
    lines = [f"{each['file']}: {problem}" for each in told["refused"] for problem in each["problems"]]
    for each in told["files"]:
        lines.append(f"{each['file']}: {_runs(each)}")
        lines += [f"  note: {note}" for note in each["notes"]]
    head = "Dry run, nothing was written: " if told["dry_run"] else ""
    return "\n".join([*lines, f"{head}{_runs(told)}, {count_text(len(told['refused']), 'file')} refused"])


def _runs(each: dict[str, Any]) -> str:
    return f"{count_text(each['new'], 'new run')}, {each['unchanged']:,} unchanged"
