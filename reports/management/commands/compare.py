"""Compare two OS versions from the command line."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reports.comparing.output import comparison_json, comparison_text
from reports.comparing.services import NothingToCompareError
from reports.management.comparing import compute_or_wait, open_named
from reports.models import Scope
from reports.policies.selectors import find_part


class Command(BaseCommand):
    help = "Compare two OS versions: computes what changed since the last time, prints the results worst first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("base", help="the old OS version")
        parser.add_argument("new", help="the updated OS version")
        parser.add_argument("--device", help="compare on this device only")
        parser.add_argument("--scope", default="", help="print this saved part only")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            part = find_part(options["scope"])
            computed = compute_or_wait(open_named(options))
        except (NothingToCompareError, Scope.DoesNotExist) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(comparison_json(computed, part), indent=1, ensure_ascii=False))
        else:
            self.stdout.write(comparison_text(computed, part))
