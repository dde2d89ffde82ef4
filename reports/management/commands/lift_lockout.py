"""Let somebody try to log in again at once who must wait after failures."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reports.accounts.throttle import current_lockouts, lift_lockout


class Command(BaseCommand):
    help = "Lift the wait after failed log-ins of a name, an address or both; without either list who must wait."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", default="", help="the user name that was typed")
        parser.add_argument("--address", default="", help="the address that it came from")

    def handle(self, *args: Any, **options: Any) -> None:
        name, address = options["name"], options["address"]
        if not (name or address):
            self._list()
        elif lift_lockout(username=name, address=address):
            self.stdout.write(f"{' from '.join(filter(None, [name, address]))} may try again at once.")
        else:
            raise CommandError("no log-in has failed there: run it without arguments to see who must wait")

    def _list(self) -> None:
        for each in current_lockouts():
            where = f" from {each.address}" if each.address else ""
            self.stdout.write(
                f"{each.username or 'everybody'}{where}: {each.failures} failures, until {each.until:%c}"
            )
