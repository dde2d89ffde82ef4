"""Run the tests that ask the database once more, on PostgreSQL: `python -m tests.on_postgresql [pytest's options]`.

On the server that UPREG_TEST_DATABASE_URL names, else on one of our own if PostgreSQL is installed. Where there is
neither it says so: nothing is left out in silence.
"""

import os
import signal
import subprocess
import sys
from contextlib import nullcontext

from benchmarks.postgres import CURE, find_binaries, own_postgres

COMMAND = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "--database-only", "tests/reports"]


def main(options: list[str]) -> int:
    """Return pytest's exit code, or 0 after saying why there was nothing to run."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server of our own ends as well
    named = os.environ.get("UPREG_TEST_DATABASE_URL", "")
    if not named and find_binaries() is None:
        print(f"PostgreSQL NOT TESTED, SQLite alone: there is none here: {CURE}.")
        return 0
    with nullcontext() if named else own_postgres() as server:
        print(f"Tests of the database once more, on {'the server that is named' if named else 'our own server'}.")
        where = {"UPREG_DATABASE_URL": named or server.url}
        return subprocess.run([*COMMAND, *options], env={**os.environ, **where}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
