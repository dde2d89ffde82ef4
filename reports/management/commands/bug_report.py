"""Write the bug report of one interaction."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from reports.audit.services import record_export
from reports.bugreport.selectors import Finding, load_finding
from reports.bugreport.services import report_name, write_bug_report
from reports.drilldown.runs import MOST_RUNS
from reports.drilldown.selectors import Wanted, known_names


class Command(BaseCommand):
    help = "Write one finding as a zip: a page that opens without the server, both screencasts, text for a tracker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("base", help="the old OS version")
        parser.add_argument("new", help="the updated OS version")
        parser.add_argument("app", help="the app's package")
        parser.add_argument("interaction", help="the interaction's name")
        parser.add_argument("--base-run", type=int, help="id of the baseline's run (default: nearest the median)")
        parser.add_argument("--new-run", type=int, help="id of the updated version's run (default: the same)")
        parser.add_argument("--device", type=int, help="id of the device, where there are several")
        parser.add_argument("--output", type=Path, help="the zip to write (default: named after the finding)")
        parser.add_argument(
            "--site", default="", help="address of the site, for the link: https://upreg.example.org"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        finding = _finding(options)
        output = Path(options["output"] or report_name(finding))
        partial = output.with_name(f"{output.name}.partial")
        try:
            with partial.open("w+b") as file:
                write_bug_report(finding, file, address=_address(finding, options["site"]), transcode=True)
            os.replace(partial, output)
            record_export(output.name)
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror or error}") from error
        finally:
            partial.unlink(missing_ok=True)
        self.stdout.write(f"{output}: {finding.sentence or 'this pair has not been compared'}")


def _finding(options: dict[str, Any]) -> Finding:
    wanted = Wanted(options["base_run"], options["new_run"], options["device"])
    try:
        finding = load_finding(options["base"], options["new"], options["app"], options["interaction"], wanted)
    except ObjectDoesNotExist as error:
        raise CommandError(f"{error} {known_names(options['app'])}") from error
    for side in finding.page.sides:
        asked = options[f"{side.key}_run"]
        if asked and (side.chosen is None or side.chosen.id != asked):
            ids = ", ".join(map(str, side.ids[:MOST_RUNS])) or "none"
            more = f" and {len(side.numbers) - MOST_RUNS} more" if side.shortened else ""
            raise CommandError(
                f"run {asked} is none of {side.version} for this interaction; its runs are: {ids}{more}"
            )
    return finding


def _address(finding: Finding, site: str) -> str:
    if not site:
        return ""
    page = finding.page
    names = (page.base_version.name, page.new_version.name, page.interaction.app.package, page.interaction.name)
    runs = {f"{side.key}_run": side.chosen.id for side in page.sides if side.chosen}
    return f"{site.rstrip('/')}{reverse('drilldown', args=names)}?{urlencode(runs)}"
