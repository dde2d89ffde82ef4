"""An installation of its own for one fault: small recordings, the real commands, and what is left in its tables."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.intake import render_tap

ROOT = Path(__file__).resolve().parent.parent.parent
BASE, NEW = "13.0", "14.0"
RESPONSE_FRAMES = {BASE: 30, NEW: 45}  # at 60 Hz, the action after 250 ms: 250 and 500 ms
LONGEST_S = 900.0
Print = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """What came of a fault: how often it was tried, and what was lost in words; nothing is ``none``."""

    fault: str
    tries: str
    lost: int
    said: str

    def print(self) -> int:
        """Print it as a row of the table; return the exit code."""
        print(f"| {self.fault} | {self.tries} | {self.lost} | {self.said} |", flush=True)
        return int(self.lost > 0)


@dataclass(frozen=True)
class Installation:
    """A folder, and everything that runs on it."""

    folder: Path
    media: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The settings of its processes."""
        own = {"UPREG_VAR_DIR": str(self.folder), "UPREG_WORKERS": "2", "UPREG_LOG_LEVEL": "WARNING"}
        own |= {"UPREG_MEDIA_ROOT": str(self.media)} if self.media else {}
        return {name: value for name, value in os.environ.items() if not name.startswith("UPREG_")} | own

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, whatever comes of it."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)

    def must(self, *arguments: str) -> str:
        """Run a command that has to succeed; return what it printed."""
        done = self.manage(*arguments)
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr[-1000:]}")
        return done.stdout

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command in a process group of its own."""
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
        return subprocess.Popen([sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, **quiet)

    def ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the database; a statement that writes is committed."""
        with closing(sqlite3.connect(self.folder / "upreg.sqlite3", timeout=60)) as db, db:
            return db.execute(question, values).fetchall()

    def count(self, what: str = "reports_run", where: str = "1") -> int:
        """Count rows."""
        return int(self.ask(f"select count(*) from {what} where {where}")[0][0])

    @property
    def done(self) -> int:
        """How many runs were measured, each to the number that is right."""
        rows = self.ask(
            "select v.name, m.value from reports_run r join reports_osversion v on v.id = r.os_version_id "
            "join reports_measurement m on m.run_id = r.id "
            "where m.metric = 'response_time_ms' and r.status = 'done'"
        )
        return sum(abs(value - 1000 * RESPONSE_FRAMES[name] / 60 + 250) < 17 for name, value in rows)

    def wait_for(self, count: int) -> None:
        """Wait until so many runs are judged."""
        until = time.monotonic() + LONGEST_S
        while self.count(where="status in ('done', 'failed')") < count:
            if time.monotonic() > until:
                raise RuntimeError(f"{count} runs were not judged within {LONGEST_S:.0f} s")
            time.sleep(0.2)

    def work_until(self, count: int) -> None:
        """Let a worker work until so many runs are judged, then kill it and all that it started."""
        worker = self.start("worker")
        try:
            self.wait_for(count)
        finally:
            kill(worker)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started, as the kernel does."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def recordings(folder: Path, count: int, *, different: bool = False) -> Path:
    """Render recordings of both versions, half each, and write their manifest.

    ``different`` gives each run a file of its own; else those of a version share one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for version, frame in RESPONSE_FRAMES.items():
        render_tap(folder / f"{version}.mp4", response_frame=frame)
    with (folder / "runs.csv").open("w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(["os_version", "app", "interaction", "interaction_type", "repetition", "video", "action_ms"])
        for number in range(count):
            version = (BASE, NEW)[number % 2]
            name = f"{version}.mp4"
            if different:
                name = f"{number}.mp4"
                shutil.copyfile(folder / f"{version}.mp4", folder / name)
                with (folder / name).open("ab") as film:  # a box that players skip, so that the file is its own
                    film.write((16).to_bytes(4, "big") + b"free" + number.to_bytes(8, "big"))
            out.writerow([version, "Mail", "open inbox", "tap", number // 2 + 1, name, 250])
    return folder / "runs.csv"


@contextmanager
def installation() -> Iterator[Installation]:
    """Give an installation with an empty database in a folder that is taken away at the end."""
    with TemporaryDirectory(prefix="upreg-fault-") as folder:
        made = Installation(Path(folder) / "var")
        made.must("migrate", "-v", "0")
        yield made
