"""All faults, one after the other: `python -m benchmarks.faults [NAME …]`. Prints one table.

Each fault is a module of this folder and a command by itself; what it prints besides its rows goes to standard
error. Ends with 1 if anything was lost.
"""

import subprocess
import sys
from pathlib import Path

HEAD = "| fault | tries | lost | in words |\n|---|---|---|---|"
NO_FAULTS = {"__init__", "__main__", "installation"}


def main(names: list[str]) -> int:
    """Run these faults, all if none is named."""
    known = sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in NO_FAULTS)
    code = 0
    print(HEAD, flush=True)
    for name in names or known:
        command = [sys.executable, "-m", f"benchmarks.faults.{name}"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        lines = done.stdout.splitlines()
        rows = [line for line in lines if line.startswith("| ") and line.count("|") == 5]
        last = lines[-1] if lines else "ended without a word"
        print("\n".join(rows) or f"| {name.replace('_', ' ')} | | {done.returncode} | {last} |", flush=True)
        print("\n".join(line for line in lines if line not in rows), file=sys.stderr)
        code |= done.returncode
    return int(code != 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
