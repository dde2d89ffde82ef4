"""Search for the version that made an interaction slower: `manage.py bisect start|next|status|skip|finish`."""

import json
import shlex
import subprocess
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.history.bisection import FOUND, OPEN, RANGE, Asked
from reports.bisecting.faults import BisectionError
from reports.bisecting.looking import Seen, look, open_runs
from reports.bisecting.selectors import notes_on
from reports.bisecting.services import (
    Search,
    find_bisection,
    finish_bisection,
    look_again,
    skip_build,
    start_and_look,
)
from reports.bisecting.words import standing_json, standing_lines
from reports.management.comparing import find_device

SKIP = 125  # as `git bisect run`
EXIT = {FOUND: 0, RANGE: 3, OPEN: 4}
_PAUSE_S = 0.5


class Command(BaseCommand):
    help = (
        "Search for the version that made an interaction slower. next and status exit with 0 when it is found, "
        "3 when only a range is left, 4 while more runs are wanted, 1 for an error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        whats = parser.add_subparsers(dest="what", required=True)
        start = whats.add_parser("start", help="begin a bisection")
        start.add_argument("--good", required=True, metavar="VERSION")
        start.add_argument("--bad", required=True, metavar="VERSION")
        start.add_argument("--app", required=True, metavar="PACKAGE")
        start.add_argument("--interaction", required=True, metavar="NAME")
        start.add_argument("--metric", default="", help="by default the one that got worst")
        start.add_argument("--device", help="needed where there are several")
        start.add_argument(
            *("--build", "--builds"),
            nargs="+",
            default=[],
            metavar="NAME[=PLACE]",
            help="builds in between that nothing was recorded of yet; PLACE is what it sorts as",
        )
        _seen(whats.add_parser("status", help="say where it stands"))
        following = whats.add_parser("next", help="say what to measure next, or have it measured")
        _seen(following)
        following.add_argument(
            "--run",
            metavar="COMMAND",
            help="record and import what is asked for by this command, until there is an answer; {version} and "
            "{runs} in it are filled in. It ends with 0 when runs were imported, with 125 where the version cannot "
            "be tested; anything else stops",
        )
        following.add_argument(
            "--wait", type=float, default=600, metavar="SECONDS", help="for the measuring of what was imported"
        )
        skip = whats.add_parser("skip", help="leave a version out that cannot be tested")
        skip.add_argument("version")
        skip.add_argument("--reason", default="")
        _seen(skip)
        _seen(whats.add_parser("finish", help="end it, and keep its answer"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['what']}")(options)
        except BisectionError as error:
            raise CommandError(str(error)) from error

    def _start(self, options: dict[str, Any]) -> None:
        names = ("good", "bad", "app", "interaction", "metric")
        device = find_device(options["device"]) if options["device"] else None
        search = Search(**{name: options[name] for name in names}, device=device, builds=options["build"])
        seen, made = start_and_look(search)
        self.stdout.write(f"Bisection {seen.bisection.pk} is under way{'' if made else ' already'}.")
        self._tell(seen, options)

    def _status(self, options: dict[str, Any]) -> None:
        self._end(look(find_bisection(options["id"])), options)

    def _next(self, options: dict[str, Any]) -> None:
        seen = look(find_bisection(options["id"]))
        while options["run"] and seen.standing.state == OPEN:
            asked = seen.standing.asked[0]
            seen = self._have_measured(seen, asked, options)
        self._end(seen, options)

    def _skip(self, options: dict[str, Any]) -> None:
        row = find_bisection(options["id"])
        skip_build(row, version=options["version"], reason=options["reason"])
        self._tell(look(row), options)

    def _finish(self, options: dict[str, Any]) -> None:
        row = find_bisection(options["id"])
        look_again(bisection_id=row.pk)
        row = finish_bisection(row)
        if options["json"]:
            self.stdout.write(json.dumps({"id": row.pk, **row.told}, indent=1, ensure_ascii=False))
            return
        for line in (*row.told["lines"], *filter(None, [row.triaged])):
            self.stdout.write(line)
        without = "" if row.suspects else " without an answer"
        self.stdout.write(f"Bisection {row.pk} is finished{without}.")

    def _have_measured(self, seen: Seen, asked: Asked, options: dict[str, Any]) -> Seen:
        """Have one build measured by the command that was given, and return where it stands then."""
        self.stderr.write(f"{asked.build}: {asked.runs} more")
        filled = [
            part.replace("{version}", asked.build).replace("{runs}", str(asked.runs))
            for part in shlex.split(options["run"])
        ]
        try:
            code = subprocess.run(filled, check=False).returncode
        except OSError as error:
            raise CommandError(
                f"--run: {filled[0] if filled else 'nothing'} cannot be run: {error.strerror}"
            ) from error
        if code == SKIP:
            skip_build(seen.bisection, version=asked.build, reason=f"the command ended with {SKIP}")
            return look(seen.bisection)
        if code:
            raise CommandError(
                f"the command ended with {code} for {asked.build}: it is as it was; run it again to go on"
            )
        self._wait(seen, asked, options["wait"])
        after = look(seen.bisection)
        if asked in after.standing.asked:
            raise CommandError(
                f"the command brought no run of {asked.build} that counts: let it import runs of this interaction "
                "and device, or end with 125 where the version cannot be tested"
            )
        return after

    def _wait(self, seen: Seen, asked: Asked, patience: float) -> None:
        until = time.monotonic() + patience
        while open_runs(seen.bisection, asked.build):
            if time.monotonic() > until:
                raise CommandError(
                    f"runs of {asked.build} still wait to be measured: start a worker, or let the command end with "
                    "`manage.py extract`; then run it again to go on"
                )
            time.sleep(_PAUSE_S)

    def _end(self, seen: Seen, options: dict[str, Any]) -> None:
        """Tell where it stands, and exit by it."""
        if seen.standing.state not in EXIT:
            raise BisectionError("good", seen.refusal)
        self._tell(seen, options)
        if code := EXIT[seen.standing.state]:
            raise SystemExit(code)

    def _tell(self, seen: Seen, options: dict[str, Any]) -> None:
        notes = notes_on(seen.bisection, [asked.build for asked in seen.standing.asked])
        if options.get("json"):
            told = {"id": seen.bisection.pk, **standing_json(seen.standing), "notes": notes}
            self.stdout.write(json.dumps(told, indent=1, ensure_ascii=False))
            return
        for line in (*standing_lines(seen.standing, seen.bisection.metric, seen.left_out), *notes):
            self.stdout.write(line)


def _seen(parser: ArgumentParser) -> None:
    parser.add_argument("--id", type=int, metavar="NUMBER", help="which one, where several are under way")
    parser.add_argument("--json", action="store_true", help="print JSON")
