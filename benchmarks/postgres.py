"""A PostgreSQL server of our own: a cluster in a temporary folder, for tests and benchmarks, gone when they end."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import psycopg

CURE = "install it (on Debian: apt-get install postgresql) or let UPREG_TEST_DATABASE_URL name a server"
# Nothing of it must outlive a power failure, so it need not wait for the disk.
HASTE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "shared_buffers": "64MB"}
USER = "upreg"


def find_binaries() -> Path | None:
    """Return the folder of initdb and postgres; Debian keeps it off the path, a version each."""
    found = shutil.which("initdb")
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda path: float(path.parts[-3]), default=None)
    path = Path(found).resolve() if found else newest
    return path and path.parent


@contextmanager
def own_postgres(*, port: int = 0, careful: bool = False) -> Iterator[Server]:
    """Make a cluster, serve it for the time of the block, take it away. ``careful`` lets it wait for the disk.

    Raises FileNotFoundError, with the cure, where PostgreSQL is not installed.
    """
    binaries = find_binaries()
    if binaries is None:
        raise FileNotFoundError(f"there is no PostgreSQL here: {CURE}")
    folder = Path(tempfile.mkdtemp(prefix="upreg-postgres-"))
    try:
        with Server(binaries, folder, port or free_port(), {} if careful else HASTE) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Server:
    """A cluster in ``folder`` and the process that serves it; root hands both to nobody, as PostgreSQL demands."""

    binaries: Path
    folder: Path
    port: int
    settings: dict[str, str]
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        """Return what UPREG_DATABASE_URL takes."""
        return f"postgres://{USER}@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Server:
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody")
        options = ["-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        made = self._run("initdb", "-D", str(self.folder / "data"), *options)
        _, said = made.communicate()
        if made.returncode:
            raise RuntimeError(f"initdb failed: {said.decode()}")
        self.start()
        return self

    def __exit__(self, *what: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop(signal.SIGQUIT)

    def start(self) -> None:
        """Serve, and wait until it answers."""
        told = {**self.settings, "listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder)}
        options = [word for name, value in told.items() for word in ("-c", f"{name}={value}")]
        self._process = self._run("postgres", "-D", str(self.folder / "data"), "-p", str(self.port), *options)
        end = time.monotonic() + 60
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self.stop(signal.SIGQUIT)
                raise RuntimeError(f"PostgreSQL does not answer on port {self.port}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT cuts every connection in order, SIGQUIT at once, as a crash does."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait()

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        nobody = {"user": "nobody", "extra_groups": []} if os.getuid() == 0 else {}
        quiet = subprocess.PIPE if name == "initdb" else subprocess.DEVNULL
        return subprocess.Popen(
            [self.binaries / name, *words],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=quiet,
            start_new_session=True,  # Ctrl-C is for whoever started it, who then ends it in order
            **nobody,
        )


def free_port() -> int:
    """Return a port of this machine that nobody has at the moment."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
