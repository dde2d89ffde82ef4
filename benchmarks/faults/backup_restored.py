"""A backup taken under load and restored elsewhere: `python -m benchmarks.faults.backup_restored [--times 3]`.

While recordings are imported without a pause, backups are taken; each is restored into an empty installation.
Prints what was lost: a recording that a row of the backup names and that did not come back whole, a gate that
answers otherwise, anything serious that the doctor finds.
"""

import argparse
import json

from benchmarks.faults.installation import BASE, NEW, Installation, Outcome, installation, kill, recordings

RUNS = 24


def main() -> int:
    """Print the figure; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    lost, restored = 0, 0
    with installation() as made:
        made.must("import_runs", str(recordings(made.folder / "films", RUNS, different=True)), "--no-queue")
        made.must("extract")
        made.must("compare", BASE, NEW)
        answer = made.manage("gate", BASE, NEW, "--format", "json").stdout
        more = recordings(made.folder / "more", 400, different=True)
        manifest = more.read_text().replace(f"{BASE},Mail", "12.0,Mail").replace(f"{NEW},Mail", "12.1,Mail")
        more.write_text(manifest)
        load = made.start("import_runs", str(more), "--no-queue")
        try:
            for number in range(options.times):
                made.must("backup", str(made.folder / "backups"))
                other = Installation(made.folder / f"restored-{number}")
                other.must("restore", str(made.folder / "backups"))
                lost += len(_sick(other))
                theirs = other.manage("gate", BASE, NEW, "--format", "json").stdout
                lost += int(_without_times(theirs) != _without_times(answer)) + abs(RUNS - other.done)
                restored += other.count()
        finally:
            kill(load)
    said = f"{restored} runs restored, every byte compared, the gate says the same" if not lost else f"{lost}"
    return Outcome("backup under load, restored elsewhere", f"{options.times}", lost, said).print()


def _sick(made: Installation) -> set[str]:
    """Return what the doctor finds and cannot repair, besides that runs wait here for a worker."""
    found = json.loads(made.manage("doctor", "--repair", "--read-all", "--json").stdout)
    return {one["key"] for one in found if one["serious"]} - {"nobody-works", "disk-space"}


def _without_times(answer: str) -> dict[str, object]:
    return {key: value for key, value in json.loads(answer).items() if not key.endswith("_at")}


if __name__ == "__main__":
    raise SystemExit(main())
