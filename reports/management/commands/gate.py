"""Ask the release gate from the command line."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.policy.checks import PolicyError
from reports.comparing.services import NothingToCompareError, WrongVersionsError
from reports.gate.formats import FORMATS
from reports.gate.selectors import nothing_report
from reports.gate.services import decide_gate
from reports.management.comparing import compute_with_pinned, open_named
from reports.models import Comparison, Scope
from reports.policies.selectors import current_policy, find_part


class Command(BaseCommand):
    help = "Decide whether an OS version may be released. Exits 0 to pass, 3 to fail, 4 for not enough data."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("base", help="the old OS version")
        parser.add_argument("new", help="the updated OS version")
        parser.add_argument("--policy", default="", help="judge by this policy (default: the comparison's own)")
        parser.add_argument("--scope", default="", help="judge this part only")
        parser.add_argument("--device", help="judge this device only")
        parser.add_argument("--format", choices=[*FORMATS, "json"], default="text")
        parser.add_argument("--site", default="", help="address of the site, for links: https://upreg.example.org")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = _report(options)
        except (WrongVersionsError, PolicyError, Scope.DoesNotExist) as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(report, indent=1, ensure_ascii=False))
        else:
            self.stdout.write(FORMATS[options["format"]](report, options["site"]))
        if report["exit_code"]:
            raise SystemExit(report["exit_code"])


def _report(options: dict[str, Any]) -> dict[str, Any]:
    policy = current_policy(options["policy"]) if options["policy"] else None
    part = find_part(options["scope"])
    comparison = open_named(options)
    try:
        computed = compute_with_pinned(comparison, policy)
    except NothingToCompareError as error:
        return nothing_report(Comparison.objects.select_related("base", "new").get(pk=comparison.pk), str(error))
    return decide_gate(comparison=computed, policy=policy, part=part).report
