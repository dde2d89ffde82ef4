"""Run what waits, some that waits less, and then the tests of PostgreSQL: `python -m tests.beside`.

`python -m tests` begins it beside the two processes that share the others, in the time that those leave;
so much of it that both sides end together.
"""

import signal
import subprocess
import sys

from tests import on_postgresql

WAITING = (
    "tests/upreg_recorder",
    "tests/upreg_client",
    "tests/reports/launch",
    "tests/benchmarks/test_kits.py",
    "tests/benchmarks/test_phones.py",
    "tests/benchmarks/test_phosh.py",
)


def main() -> int:
    """Return an exit code of pytest: the first that is not 0."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was begun here ends as well
    waited = subprocess.run([sys.executable, "-m", "pytest", *WAITING], check=False).returncode
    return waited or on_postgresql.main(["-n", "0"])


if __name__ == "__main__":
    sys.exit(main())
