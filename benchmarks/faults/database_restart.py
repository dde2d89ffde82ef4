"""A database that is restarted while recordings are measured and pages are asked for.

``python -m benchmarks.faults.database_restart`` brings PostgreSQL and an object store of its own, lets one host
measure ``--runs`` recordings with two processes and ask for a page four times a second, and restarts the database
``--times`` times: in order first, then as after a crash, in turn, each time away for ``--away`` seconds. Prints how
many runs were lost, or measured twice, and how soon pages were answered again.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.hosts import MEASURED_TWICE, QUEUE_ALL, Host, keep_logs, lab
from benchmarks.postgres import free_port

SESSION = """
from django.contrib.auth import get_user_model
from django.test import Client
client = Client()
client.force_login(get_user_model().objects.create_superuser("benchmark"))
print(client.cookies["sessionid"].value)
"""


class Reader:
    """Somebody who is logged in and keeps asking for the first page; ``answers`` are (time, was it the page)."""

    def __init__(self, host: Host) -> None:
        self.answers: list[tuple[float, bool]] = []
        port = free_port()
        cookie = host.manage("shell", "-c", SESSION).split()[-1]
        self._request = urllib.request.Request(
            f"http://127.0.0.1:{port}/", headers={"Cookie": f"sessionid={cookie}"}
        )
        self._web = host.spawn("web.log", "start", "--no-worker", "--no-samples", "--port", str(port))
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        while not any(fine for _, fine in self.answers):
            time.sleep(0.25)

    def end(self) -> None:
        """Stop asking, and the pages."""
        self._stopped.set()
        self._thread.join()
        self._web.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._web.wait(10)
        self._web.kill()

    def back_after_s(self, moment: float) -> float:
        """Return the seconds from a moment until pages came and no longer failed, before the next fault."""
        return next((at - moment for at, fine in self.answers if fine and at > moment), float("inf"))

    def failed(self, start: float, end: float) -> int:
        """Return how many requests failed between two moments."""
        return sum(1 for at, fine in self.answers if start <= at <= end and not fine)

    def _read(self) -> None:
        while not self._stopped.wait(0.25):
            fine = False
            with (
                suppress(OSError, urllib.error.URLError),
                urllib.request.urlopen(self._request, timeout=30) as page,
            ):
                fine = page.status == 200 and "/login/" not in page.url
            self.answers.append((time.monotonic(), fine))


def main() -> int:
    """Print the figures; 1 if a run was lost or measured twice, or pages did not come back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="recordings (%(default)s)")
    parser.add_argument("--times", type=int, default=4, help="restarts (%(default)s)")
    parser.add_argument("--away", type=float, default=3.0, help="seconds without a database (%(default)s)")
    parser.add_argument("--logs", type=Path, help="keep the logs of the host in this folder")
    options = parser.parse_args()
    with lab(1, workers=2, careful=True) as found:
        [host] = found.hosts
        found.import_runs(options.runs)
        reader = Reader(host)
        started = datetime.now(UTC)
        found.start(host)
        host.manage("shell", "-c", QUEUE_ALL)
        back = []
        for number in range(options.times):
            found.wait_for(found.judged, (number + 1) * options.runs // (options.times + 2))
            found.database.stop(signal.SIGQUIT if number % 2 else signal.SIGINT)
            time.sleep(options.away)
            found.database.start()
            back.append(time.monotonic())
        found.wait_for(found.judged, options.runs)
        judged = found.judged()
        last = time.monotonic()
        twice = int(host.manage("shell", "-c", MEASURED_TWICE.format(since=started.isoformat())).split()[-1])
        reader.end()
        if options.logs:
            keep_logs(found, options.logs)
    soon = [reader.back_after_s(moment) for moment in back]
    late = reader.failed(back[-1] + 5, last)
    print(
        f"restarts: {options.times}; runs: {options.runs}; lost: {options.runs - judged}; measured twice: {twice}"
    )
    print(f"pages answered again after {max(soon):.1f} s at most; failed later than 5 s after the last: {late}")
    return int(judged < options.runs or twice > 0 or late > 0)


if __name__ == "__main__":
    raise SystemExit(main())
