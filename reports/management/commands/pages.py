"""Make pages beside the process that took the port: `manage.py start` runs it (UPREG_WEB_PROCESSES)."""

import os
import signal
import socket
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from reports.launch.server import page_server, serve, stop_on_sigterm

LOOK_EVERY_S = 1.0


class Command(BaseCommand):
    help = "Make pages on a socket that manage.py start has opened; it is not meant to be run by hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--socket", type=int, required=True, metavar="N", help="the open file that listens")
        parser.add_argument(
            "--parent", type=int, required=True, metavar="PID", help="end when this process is no longer the parent"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stop_on_sigterm()
        threading.Thread(target=_end_with, args=(options["parent"],), daemon=True).start()
        with socket.socket(fileno=options["socket"]) as bound:
            serve(page_server(bound))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)
