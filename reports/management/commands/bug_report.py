"""Write the bug report of one interaction."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.forms import model_to_dict

from analysis.decide.sentences import result_sentence
from reports.selectors.drilldown import Wanted, known_names, load_drilldown
from reports.services.bug_report import write_bug_report


class Command(BaseCommand):
    help = "Write one finding as a zip: a page that opens without the server, both screencasts, text for a tracker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("base", help="the old OS version")
        parser.add_argument("new", help="the updated OS version")
        parser.add_argument("app", help="the app's package")
        parser.add_argument("interaction", help="the interaction's name")
        parser.add_argument(
            "--base-run", type=int, help="id of the baseline's run; default: the one nearest the median"
        )
        parser.add_argument("--new-run", type=int, help="id of the updated version's run")
        parser.add_argument("--output", default="bug-report.zip", help="the zip to write")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = Wanted(base_run=options["base_run"], new_run=options["new_run"])
        names = (options["base"], options["new"], options["app"], options["interaction"])
        try:
            found = load_drilldown(*names, wanted)
        except ObjectDoesNotExist as error:
            raise CommandError(f"{error} {known_names(options['app'])}") from error
        sentence = result_sentence(model_to_dict(found.worst)) if found.worst else ""
        with Path(options["output"]).open("wb") as file:
            write_bug_report(found, sentence, file)
        self.stdout.write(f"{options['output']}: {sentence or 'this pair has not been compared'}")
