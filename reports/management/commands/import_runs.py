"""Import a manifest: `manage.py import_runs MANIFEST.csv [--dry-run] [--json] [--no-queue]`."""

import json
import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from analysis.manifest.reader import ManifestError
from reports.batches.services import complete_batch
from reports.importing.services import ImportSummary, import_manifest, read_batch
from reports.management.progress import ProgressBar
from reports.media.screencasts import StorageError
from reports.models import Batch


class Command(BaseCommand):
    help = (
        "Import the screencasts that a manifest names (docs/manifest.md) and queue their measurement. "
        "Repeating changes nothing. Exits with 1 if a line was refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("manifest", type=Path, metavar="MANIFEST.csv")
        parser.add_argument("--dry-run", action="store_true", help="check every line, write nothing")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")
        parser.add_argument("--batch", default="", metavar="NAME", help="the batch of the lines that name none")
        parser.add_argument(
            "--complete",
            action="store_true",
            help="nothing more comes in with that batch: compare it when measured",
        )
        parser.add_argument("--no-queue", action="store_true", help="leave the runs pending (see extract)")

    def handle(self, *args: Any, **options: Any) -> None:
        logging.getLogger("django-q").setLevel(logging.WARNING)  # not a line for each queued run
        if options["complete"] and not options["batch"]:
            raise CommandError("--complete is said of a batch: name it with --batch")
        summary = self._import(options)
        self.stdout.write(json.dumps(summary.as_dict(), indent=1) if options["json"] else _text(summary))
        if options["complete"] and not options["dry_run"]:
            self._complete(read_batch(options["batch"]))
        if summary.refused:
            raise CommandError(f"{summary.refused} lines were refused", returncode=1)

    def _complete(self, name: str) -> None:
        batch = Batch.objects.filter(name=name).first()
        if batch is None:
            raise CommandError(f"no line came in with batch {name}: nothing is complete")
        complete_batch(batch=batch)

    def _import(self, options: dict[str, Any]) -> ImportSummary:
        path: Path = options["manifest"]
        try:
            with ProgressBar("Importing", _lines(path)) as bar:
                return import_manifest(
                    path=path,
                    dry_run=options["dry_run"],
                    queue=not options["no_queue"],
                    batch=options["batch"],
                    on_line=bar.step,
                )
        except (ManifestError, StorageError) as error:
            raise CommandError(f"{path}: {error}") from error
        except OperationalError as error:
            raise CommandError(
                f"{path}: the database did not take it: {error}: "
                "make room or wait for it, then import again; what was imported before is kept"
            ) from error


def _lines(path: Path) -> int:
    """Count the lines after the header, in constant memory; 0 if the file cannot be read."""
    try:
        with path.open("rb") as stream:
            return max(0, sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b"")) - 1)
    except OSError:
        return 0


def _text(summary: ImportSummary) -> str:
    counts = (
        f"{summary.new} new, {summary.updated} updated, {summary.unchanged} unchanged, {summary.refused} refused"
    )
    lines = summary.refusals.texts()
    if summary.refused and summary.record_id:
        lines.append(f"the refused lines as a manifest to mend: import {summary.record_id} on the page Import log")
    notes = [f"note: {note}" for note in summary.notes]
    head = "Dry run, nothing was written: " if summary.dry_run else ""
    return "\n".join([*lines, *notes, head + counts])
