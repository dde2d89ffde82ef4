"""Write the release report of two versions."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reports.audit.services import record_export
from reports.comparing.services import NothingToCompareError
from reports.management.comparing import compute_with_pinned, open_named
from reports.models import Scope
from reports.policies.selectors import find_part
from reports.releasereport.page import render_report, report_name
from reports.releasereport.selectors import load_standing


class Command(BaseCommand):
    help = (
        "Write the comparison of two OS versions as one HTML file that opens without the server. Exits 0 when it "
        "is written, whatever the gate says, 1 when it cannot be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("base", help="the old OS version")
        parser.add_argument("new", help="the updated OS version")
        parser.add_argument("--device", help="report on this device only")
        parser.add_argument("--scope", default="", help="report on this part only")
        parser.add_argument("--out", type=Path, help="the file to write (default: named after the versions)")
        parser.add_argument("--site", default="", help="address of the site, for links: https://upreg.example.org")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            part = find_part(options["scope"])
            report = load_standing(compute_with_pinned(open_named(options)), part)
        except (NothingToCompareError, Scope.DoesNotExist) as error:
            raise CommandError(str(error)) from error
        output = options["out"] or Path(report_name(report))
        partial = output.with_name(f"{output.name}.partial")
        try:
            partial.write_text(render_report(report, address=options["site"]), encoding="utf-8")
            os.replace(partial, output)
            record_export(output.name)
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror or error}") from error
        finally:
            with suppress(OSError):  # where nothing could be written there is nothing to take away
                partial.unlink()
        self.stdout.write(f"{output}: {report.sentence}")
