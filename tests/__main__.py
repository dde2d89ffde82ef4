"""Run all tests on SQLite: `python -m tests [options of pytest]`.

Two processes share them. Some tests mostly wait, as a recording takes the time it takes: a third process runs them
one after the other beside the two, and what it printed is shown at the end. With options all are run in one go.
"""

import signal
import subprocess
import sys
import tempfile

WAITING = ("tests/upreg_recorder", "tests/reports/launch", "tests/benchmarks/test_phones.py")
PYTEST = (sys.executable, "-m", "pytest")
SHARED = (*PYTEST, "-n", "2", "--dist", "worksteal")


def main(options: list[str]) -> int:
    """Return an exit code of pytest: the first that is not 0."""
    if options:
        return subprocess.run([*SHARED, *options], check=False).returncode
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the third process ends as well
    with tempfile.TemporaryFile() as printed:
        beside = subprocess.Popen([*PYTEST, *WAITING], stdout=printed, stderr=subprocess.STDOUT)
        try:
            others = subprocess.run([*SHARED, *(f"--ignore={path}" for path in WAITING)], check=False).returncode
            waited = beside.wait()
        finally:
            beside.kill()
            beside.wait()
        printed.seek(0)
        print("Beside them:", printed.read().decode(errors="replace"), sep="\n", flush=True)
    return others or waited


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
