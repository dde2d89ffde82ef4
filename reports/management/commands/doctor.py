"""Look over an installation: `manage.py doctor [--repair] [--read-all] [--json]`."""

import json
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand

from analysis.isolation.decoder import UnavailableError
from reports.media.decoding import decoding_words
from reports.safety.doctor import Examined, examine


class Command(BaseCommand):
    help = (
        "Look for what is not in order, say why it matters and what cures it. Exits with 1 if anything serious is."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repair", action="store_true", help="do what is safe, and say what was done")
        parser.add_argument("--read-all", action="store_true", help="read every stored file to its last byte")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = examine(repair=options["repair"], read_all=options["read_all"])
        if options["json"]:
            self.stdout.write(json.dumps([one.as_dict() for one in found], indent=1))
        else:
            self.stdout.write("\n".join(map(_text, found)) or "All is in order.")
            with suppress(UnavailableError):  # among what was found
                self.stdout.write(decoding_words())
        if any(one.serious for one in found):
            raise SystemExit(1)


def _text(one: Examined) -> str:
    sign = "✕" if one.serious else "!"
    lines = [f"{sign} {one.finding.what}", f"  {one.finding.why}"]
    if one.done:
        left = "" if one.mended else " It is still not in order."
        return "\n".join([*lines, f"  Done: {one.done}.{left}"])
    return "\n".join([*lines, f"  {one.finding.cure}"])
