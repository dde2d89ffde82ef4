"""Several hosts on one machine: a PostgreSQL and an object store of our own, and clusters that share nothing else.

Each host has its own name (a UTS namespace, `unshare`), its own UPREG_VAR_DIR and its own core, and gets everything
by the environment, as one in a rack does.
"""

from __future__ import annotations

import csv
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
import psycopg
from botocore.exceptions import BotoCoreError, ClientError

from benchmarks.postgres import Server, free_port, own_postgres

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples" / "runs.csv"
PATIENCE_S = 900.0
BUCKET, KEY = "films", "benchmark"
# Every recording waits again, in one transaction: the clock of a round starts with all of them.
QUEUE_ALL = """
from django.db import transaction
from reports.measuring.services import retry_runs
from reports.models import Run
from reports.queue.services import queue_runs
with transaction.atomic():
    retry_runs(run_ids=list(Run.objects.values_list("pk", flat=True)), queue=False)
    queue_runs(run_ids=list(Run.objects.filter(status="pending").values_list("pk", flat=True)))
"""
# A result that was not stored because another worker had the run is no measurement.
MEASURED_TWICE = """
from collections import Counter
from django_q.models import Success
from reports.measuring.extraction import JUDGED
ended = Success.objects.filter(func="reports.tasks.extract_run", started__gte="{since}")
print(sum(1 for count in Counter(task.name for task in ended if task.result in JUDGED).values() if count > 1))
"""


@dataclass
class Store:
    """moto's S3 server in a process of its own; what it keeps is gone when it ends, so it is only ever stopped."""

    port: int
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def address(self) -> str:
        """Return what UPREG_S3_ENDPOINT takes."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, and wait until there is a bucket."""
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        nowhere = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, start_new_session=True)
        keys = {"aws_access_key_id": KEY, "aws_secret_access_key": KEY}
        client = boto3.client("s3", endpoint_url=self.address, region_name="us-east-1", **keys)
        for _ in range(120):
            with suppress(BotoCoreError, ClientError):
                client.create_bucket(Bucket=BUCKET)
                return
            time.sleep(0.5)
        raise RuntimeError("the object store does not answer")

    def end(self) -> None:
        """End it."""
        if self._process:
            self._process.kill()
            self._process.wait()


class Cable:
    """Leads a port to another one until it is cut: then nobody listens, and every connection is gone."""

    def __init__(self, to_port: int) -> None:
        self.port, self._to_port = free_port(), to_port
        self._listening: socket.socket | None = None
        self._ends: list[socket.socket] = []

    @property
    def address(self) -> str:
        """Return what UPREG_S3_ENDPOINT takes."""
        return f"http://127.0.0.1:{self.port}"

    def plug_in(self) -> None:
        """Lead from now on."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Lead nowhere from now on."""
        if self._listening:
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):  # it was cut
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to_port))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=(one, other), daemon=True).start()


def _pump(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(1 << 16):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)


@dataclass
class Host:
    """One host: a name, a folder, a core. ``worker`` is its cluster while it runs."""

    name: str
    folder: Path
    core: int
    environment: dict[str, str]
    worker: subprocess.Popen[bytes] | None = None

    def manage(self, *words: str) -> str:
        """Run a management command here to its end and return what it prints."""
        quiet = {**self.environment, "UPREG_LOG_LEVEL": "WARNING"}
        ran = subprocess.run(
            self._command(*words), env=quiet, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
        )
        return ran.stdout

    def start(self) -> None:
        """Start the cluster; its log is added to."""
        self.worker = self.spawn("worker.log", "worker", "-v", "2")

    def spawn(self, log: str, *words: str) -> subprocess.Popen[bytes]:
        """Start a management command on this host's core, in a process group of its own."""
        with (self.folder / log).open("ab") as stream:
            return subprocess.Popen(
                self._command(*words),
                env=self.environment,
                cwd=ROOT,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
                preexec_fn=lambda: os.sched_setaffinity(0, {self.core}),
            )

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End every process of the cluster at once, as a host does that loses its power."""
        if self.worker:
            with suppress(ProcessLookupError):
                os.killpg(self.worker.pid, how)
            self.worker.wait()
            self.worker = None

    def _command(self, *words: str) -> list[str]:
        own_name = 'hostname "$0" && exec "$@"'
        alone = ["unshare", "--uts"] if os.getuid() == 0 else ["unshare", "--user", "--map-root-user", "--uts"]
        return [*alone, "sh", "-c", own_name, self.name, sys.executable, "manage.py", *words]


@dataclass
class Lab:
    """All of it. ``count`` asks the database behind the product's back."""

    database: Server
    store: Cable
    hosts: list[Host]

    def count(self, question: str, *values: Any) -> Any:
        """Return the first cell of an answer."""
        with psycopg.connect(self.database.url) as connection:
            row = connection.execute(question, values or None).fetchone()
            return row and row[0]

    def at_work(self, since: datetime) -> int:
        """Return how many clusters have said since then that they wait for work, or do it."""
        beats = "SELECT count(*) FROM reports_workerheartbeat WHERE state = 'working' AND seen_at > %s"
        return self.count(beats, since)

    def start(self, *hosts: Host) -> None:
        """Start the clusters of these hosts and wait until they work."""
        since = datetime.now(UTC)
        for host in hosts:
            host.start()
        if not self.wait_for(lambda: self.at_work(since), len(hosts)):
            raise RuntimeError("the clusters did not start: look at their logs")

    def judged(self) -> int:
        """Return how many runs have ended, whatever came out."""
        return self.count("SELECT count(*) FROM reports_run WHERE status IN ('done', 'failed')")

    def wait_for(self, count: Callable[[], int], least: int, *, at_most_s: float = PATIENCE_S) -> bool:
        """Wait until there are so many; False if they did not come."""
        end = time.monotonic() + at_most_s
        while time.monotonic() < end:
            with suppress(psycopg.OperationalError):  # it may be the database that is away
                if count() >= least:
                    return True
            time.sleep(0.25)
        return False

    def import_runs(self, runs: int) -> None:
        """Import so many recordings: the samples, again and again as further repetitions."""
        manifest = self.hosts[0].folder / "delivery" / "runs.csv"
        shutil.copytree(SAMPLES.parent, manifest.parent)
        with SAMPLES.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            rows, names = list(reader), list(reader.fieldnames or [])
        with manifest.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            for number in range(runs):
                row, again = rows[number % len(rows)], 100 * (number // len(rows))
                when = "" if again else row["recorded_at"]
                writer.writerow({**row, "repetition": int(row["repetition"]) + again, "recorded_at": when})
        self.hosts[0].manage("import_runs", "--no-queue", str(manifest))

    def measured(self) -> dict[tuple[int, str], float]:
        """Return everything that was measured: {(run, metric): value}."""
        with psycopg.connect(self.database.url) as connection:
            found = connection.execute("SELECT run_id, metric, value FROM reports_measurement")
            return {(run, metric): value for run, metric, value in found}


@contextmanager
def lab(hosts: int, *, workers: int = 1, port: int = 0, careful: bool = False) -> Iterator[Lab]:
    """Give a database, an object store and so many hosts, none of which works yet; all are gone afterwards."""
    cores = sorted(os.sched_getaffinity(0))
    with TemporaryDirectory(prefix="upreg-hosts-") as folder, own_postgres(port=port, careful=careful) as database:
        store = Store(free_port())
        cable = Cable(store.port)
        names = [f"host-{number + 1}" for number in range(hosts)]
        made = []
        for number, name in enumerate(names):
            (Path(folder) / name).mkdir()
            environment = _environment(Path(folder) / name, database, cable, workers)
            made.append(Host(name, Path(folder) / name, cores[number % len(cores)], environment))
        try:
            store.start()
            cable.plug_in()
            made[0].manage("migrate", "--verbosity", "0")
            yield Lab(database, cable, made)
        finally:
            for host in made:
                host.end()
            cable.cut()
            store.end()


def _environment(folder: Path, database: Server, store: Cable, workers: int) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("UPREG_")}
    return kept | {
        "UPREG_VAR_DIR": str(folder),
        "UPREG_DATABASE_URL": database.url,
        "UPREG_S3_BUCKET": BUCKET,
        "UPREG_S3_ENDPOINT": store.address,
        "UPREG_S3_REGION": "us-east-1",
        "UPREG_S3_ACCESS_KEY": KEY,
        "UPREG_S3_SECRET_KEY": KEY,
        "UPREG_S3_ADDRESSING": "path",
        "UPREG_SECRET_KEY": "the same on every host, and only for this benchmark",
        "UPREG_WORKERS": str(workers),
        "UPREG_TASK_TIMEOUT_S": "60",
    }


def keep_logs(found: Lab, folder: Path) -> None:
    """Copy the logs of all clusters, for whoever wants to know why a figure is what it is."""
    folder.mkdir(parents=True, exist_ok=True)
    for host in found.hosts:
        with suppress(FileNotFoundError):
            shutil.copy(host.folder / "worker.log", folder / f"{host.name}.log")
