"""Start everything on one machine: `manage.py start [--host --port --no-samples --no-worker]`; see `make run`."""

import logging
import socket
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from analysis.manifest.reader import ManifestError
from reports.launch.login import Login, ensure_login
from reports.launch.page_processes import page_processes, shared_counts
from reports.launch.samples import ensure_samples
from reports.launch.server import PortTakenError, listen, page_server, serve, stop_on_sigterm
from reports.launch.worker_process import WorkerProcess
from reports.measuring import workers
from reports.media.screencasts import StorageError
from reports.models import WorkerState
from reports.web.trouble import trouble_words

SAMPLES = ("runs.csv", "history.csv")  # in this order: the comparison is there before the history
UNUSED_STATIC = ["widgetbundle.js", "datasets"]  # of plotly's package: pages need its plotly.min.js alone


class Command(BaseCommand):
    help = "Set up what is missing, start the worker and the web server, say how to log in. Ctrl-C stops all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="address to listen on (UPREG_HOST, %(default)s)")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port (UPREG_PORT, %(default)s)")
        parser.add_argument("--no-samples", action="store_true", help="do not import the sample screencasts")
        parser.add_argument("--no-worker", action="store_true", help="only serve pages; see manage.py worker")

    def handle(self, *args: Any, **options: Any) -> None:
        stop_on_sigterm()
        try:
            self._run(options)
        except KeyboardInterrupt:  # before the server ran
            self.stdout.write("Stopped.")

    def _run(self, options: dict[str, Any]) -> None:
        logging.getLogger("django-q").setLevel(logging.WARNING)
        processes: int = settings.WEB_PROCESSES
        with shared_counts(processes), _listen(options["host"], options["port"]) as bound:
            login = self._set_up(samples=not options["no_samples"])
            worker = None if options["no_worker"] else self._start_worker()
            try:
                with page_processes(bound, processes - 1):
                    serve(page_server(bound), when_ready=lambda: self._welcome(options["host"], bound, login))
            finally:
                self.stdout.write("Stopping …")
                if worker:
                    worker.stop()
                    workers.end(name=workers.my_name())

    def _set_up(self, *, samples: bool) -> Login | None:
        var = Path(settings.VAR_DIR)
        try:
            call_command("migrate", verbosity=0, interactive=False)
            call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=UNUSED_STATIC)
            login = ensure_login(var / "login.txt")
            if samples:
                folder = Path(settings.BASE_DIR) / "samples"
                self._import_samples(*(folder / name for name in SAMPLES))
        except (DatabaseError, OSError) as error:
            words = trouble_words(error)
            if not words:
                raise
            raise CommandError(words) from error
        return login

    def _import_samples(self, *manifests: Path) -> None:
        try:
            made = ensure_samples(*manifests)
        except (ManifestError, StorageError) as error:
            self.stderr.write(f"The samples were not imported: {error}")
            return
        if new := sum(summary.new for summary in made.values()):
            self.stdout.write(f"Imported {new} sample screencasts; they are measured in the background.")
        for manifest, summary in made.items():
            for problem in summary.lines:
                self.stderr.write(f"{manifest.name}, line {problem.line}, {problem.field}: {problem.message}")

    def _start_worker(self) -> WorkerProcess:
        # The pages are there at once, and say from the beginning that somebody will work; then the worker speaks.
        workers.beat(name=workers.my_name(), processes=0, state=WorkerState.STARTING)
        command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "worker"]
        worker = WorkerProcess(command, Path(settings.VAR_DIR) / "worker.lock")
        if not worker.start():
            self.stdout.write(
                "Another worker is at work on this folder; the one of this start takes over when it ends."
            )
        return worker

    def _welcome(self, host: str, bound: socket.socket, login: Login | None) -> None:
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::1", "::") else host
        lines = ["", f"UPReg is ready: http://{shown}:{bound.getsockname()[1]}/", *_how_to_log_in(login)]
        if host in ("0.0.0.0", "::"):
            lines.append("Other machines reach it by the names in UPREG_ALLOWED_HOSTS.")
        self.stdout.write("\n".join([*lines, "Ctrl-C stops it.", ""]))


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except PortTakenError as error:
        raise CommandError(
            f"port {port} is taken: choose another with --port or UPREG_PORT, or stop what listens there"
        ) from error
    except (OSError, OverflowError) as error:
        raise CommandError(f"cannot listen on {host}:{port}: {error}: check --host and --port") from error


def _how_to_log_in(login: Login | None) -> list[str]:
    if login is None:
        return ["Log in with one of your users."]
    if not login.password:
        return [
            f"Log in as {login.user} with the password that was chosen (manage.py changepassword {login.user})."
        ]
    return [f"  user      {login.user}", f"  password  {login.password}"]
