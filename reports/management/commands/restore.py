"""Put a backup into an empty installation: `manage.py restore FOLDER`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.verdicts.text import count_text
from reports.management.progress import ProgressBar
from reports.media.screencasts import StorageError
from reports.safety.backup import BackupError, read_backup, restore_backup, verify_backup
from reports.web.trouble import NewerDatabaseError


class Command(BaseCommand):
    help = (
        "Put a backup (of a folder of backups the newest) into this installation, which must be empty. "
        "Everything is verified before anything is switched."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER")
        parser.add_argument("--verify", action="store_true", help="only compare every file with its sha256")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup = read_backup(options["folder"])
            with ProgressBar("Verifying", len(backup.files)) as bar:
                (verify_backup if options["verify"] else restore_backup)(backup, on_file=bar.step)
        except (BackupError, StorageError, NewerDatabaseError) as error:
            raise CommandError(str(error)) from error
        done = "is whole" if options["verify"] else "is restored; start UPReg as ever"
        self.stdout.write(
            f"{backup.folder} (release {backup.release}, {count_text(len(backup.files), 'file')}) {done}."
        )
