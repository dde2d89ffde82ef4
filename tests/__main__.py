"""Run all tests, on SQLite and on PostgreSQL: `python -m tests [options of pytest]`.

Two processes share those on SQLite. A third runs beside them what mostly waits, as a recording takes the time it
takes, and then what is asked of PostgreSQL; what it printed is shown at the end. With options all on SQLite are run
in one go, and PostgreSQL is not asked.
"""

import signal
import subprocess
import sys
import tempfile

from tests.beside import WAITING

SHARED = (sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal")
BESIDE = (sys.executable, "-m", "tests.beside")


def main(options: list[str]) -> int:
    """Return an exit code of pytest: the first that is not 0."""
    if options:
        print("PostgreSQL NOT TESTED with options: `python -m tests.on_postgresql` takes them too.", flush=True)
        return subprocess.run([*SHARED, *options], check=False).returncode
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the third process ends as well
    with tempfile.TemporaryFile() as printed:
        third = subprocess.Popen(BESIDE, stdout=printed, stderr=subprocess.STDOUT)
        try:
            others = subprocess.run([*SHARED, *(f"--ignore={path}" for path in WAITING)], check=False).returncode
            beside = third.wait()
        finally:
            third.terminate()
            third.wait()
        printed.seek(0)
        print("Beside them:", printed.read().decode(errors="replace"), sep="\n", flush=True)
    return others or beside


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
