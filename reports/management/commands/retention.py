"""Drop old screencasts, keep their measurements: `manage.py retention [--days N --finding-days M] [--apply]`."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from analysis.verdicts.text import count_text
from reports.safety.retention import DAYS, FINDING_DAYS, drop, droppable

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Show which screencasts are old enough to be dropped, and drop them with --apply. Measurements, series "
        "and decisions stay. Kept are the pinned version, what the gate decided on, what was triaged or corrected."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        days = settings.RETENTION_DAYS or DAYS
        parser.add_argument("--days", type=int, default=days, help="age of the others (%(default)s)")
        parser.add_argument(
            "--finding-days",
            type=int,
            default=settings.RETENTION_FINDING_DAYS or FINDING_DAYS,
            help="age of those whose interaction regressed (%(default)s)",
        )
        parser.add_argument("--apply", action="store_true", help="drop them; without it nothing is changed")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        films = droppable(days=options["days"], finding_days=options["finding_days"])
        freed = drop(films) if options["apply"] else sum(film.size_bytes for film in films)
        if options["json"]:
            told = {"screencasts": len(films), "bytes": freed, "dropped": options["apply"]}
            self.stdout.write(json.dumps(told | {"names": [film.name for film in films]}, indent=1))
            return
        for film in films[:SHOWN]:
            self.stdout.write(f"{film.what}, {film.size_bytes / 1e6:.1f} MB")
        if len(films) > SHOWN:
            self.stdout.write(f"… and {len(films) - SHOWN} more")
        size = f"{count_text(len(films), 'screencast')}, {freed / 1e6:.1f} MB"
        done = "dropped; their measurements stand." if options["apply"] else "would be dropped: --apply does it."
        self.stdout.write(f"{size}, {done}")
