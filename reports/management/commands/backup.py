"""Back the installation up: `manage.py backup FOLDER`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.verdicts.text import count_text
from reports.management.progress import ProgressBar
from reports.models import Run
from reports.safety.backup import BackupError, make_backup


class Command(BaseCommand):
    help = (
        "Write a backup as a new folder of FOLDER while everything runs: the database as it is at one instant, "
        "every recording, log and trace. Files that an earlier backup there has are linked, not copied."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with ProgressBar("Copying", Run.objects.count()) as bar:
                made = make_backup(options["folder"], on_file=bar.step)
        except BackupError as error:
            raise CommandError(str(error)) from error
        for name in made.not_whole:
            self.stderr.write(f"not whole, and in no earlier backup: {name}: import its manifest again")
        self.stdout.write(f"{made.folder}: {count_text(len(made.files), 'file')}, {made.linked} of them linked")
        if made.not_whole:
            raise SystemExit(1)
