"""Measure runs in this process, without a queue: `manage.py extract [--all | --run ID …]`."""

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from analysis.verdicts.text import count_text
from reports.management.progress import ProgressBar
from reports.measuring.extraction import extract_run
from reports.measuring.recovery import give_back_lost_runs
from reports.measuring.services import retry_runs
from reports.media.screencasts import StorageError
from reports.models import Run, RunStatus
from reports.web.trouble import trouble_words


class Command(BaseCommand):
    help = "Measure every pending run in this process; safe beside running workers, each run is claimed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--all", action="store_true", help="measure finished and failed runs again as well")
        chosen.add_argument("--run", nargs="+", type=int, metavar="ID", help="measure these runs, again if need be")
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        ids = self._ids(options)
        outcomes: Counter[str] = Counter()
        with ProgressBar("Measuring", len(ids)) as bar:
            for done, run_id in enumerate(ids):
                _measure(run_id, f"{done} of {count_text(len(ids), 'run')} measured")
                bar.step()
        found = Run.objects.filter(pk__in=ids).values_list("status", "outcome")
        outcomes.update(outcome or status for status, outcome in found.iterator())
        self.stdout.write(json.dumps(outcomes) if options["json"] else _text(outcomes))

    def _ids(self, options: dict[str, Any]) -> list[int]:
        """Return the ids to measure; runs that were finished wait again from now on."""
        runs = Run.objects.order_by("pk")
        if options["run"]:
            runs = runs.filter(pk__in=options["run"])
            missing = sorted(set(options["run"]) - set(runs.values_list("pk", flat=True)))
            if missing:
                raise CommandError(
                    f"no such run: {', '.join(map(str, missing))}: see the page Runs for their numbers"
                )
        give_back_lost_runs()
        if options["run"] or options["all"]:
            retry_runs(run_ids=list(runs.values_list("pk", flat=True)), queue=False)
        return list(runs.filter(status=RunStatus.PENDING).values_list("pk", flat=True))


def _measure(run_id: int, so_far: str) -> None:
    try:
        extract_run(run_id=run_id)
    except (DatabaseError, OSError, StorageError) as error:
        words = trouble_words(error) or str(error)
        raise CommandError(f"{so_far}, then {words} Run the command again: it goes on where it stopped.") from error


def _text(outcomes: Counter[str]) -> str:
    if not outcomes:
        return "Nothing is pending."
    return ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
