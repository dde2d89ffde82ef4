"""Write what people corrected as a truth table."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reports.audit.services import record_export
from reports.measuring.selectors import label_lines


class Command(BaseCommand):
    help = "Write all corrections in force as CSV, to be read by `python -m benchmarks.accuracy MANIFEST LABELS`."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--output", help="a file instead of the terminal")

    def handle(self, *args: Any, **options: Any) -> None:
        text = "".join(label_lines())
        record_export(Path(options["output"] or "labels.csv").name)
        if not options["output"]:
            self.stdout.write(text, ending="")
            return
        try:
            Path(options["output"]).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{options['output']} cannot be written: {error.strerror or error}") from error
        self.stdout.write(f"{text.count(chr(10)) - 1} labelled screencasts in {options['output']}")
