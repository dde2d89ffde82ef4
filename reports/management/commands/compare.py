"""Compare two OS versions from the command line."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reports.management.devices import find_device
from reports.selectors.comparison_output import comparison_json, comparison_text
from reports.services.comparison_problems import NothingToCompareError, find_version
from reports.services.comparisons import compute_comparison, open_comparison


class Command(BaseCommand):
    help = "Compare two OS versions: computes what changed since the last time, prints the results worst first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("base", help="the old OS version")
        parser.add_argument("new", help="the updated OS version")
        parser.add_argument("--device", help="compare on this device only")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            comparison = open_comparison(
                base=find_version(options["base"]),
                new=find_version(options["new"]),
                device=find_device(options["device"]) if options["device"] else None,
            )
            computed = compute_comparison(comparison_id=comparison.pk)
        except NothingToCompareError as error:
            raise CommandError(str(error)) from error
        if computed is None:
            raise CommandError("another process is computing this comparison: try again when it has ended")
        if options["json"]:
            self.stdout.write(json.dumps(comparison_json(computed), indent=1, ensure_ascii=False))
        else:
            self.stdout.write(comparison_text(computed))
