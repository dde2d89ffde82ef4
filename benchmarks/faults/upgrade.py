"""An installation of the first release, brought up to date: `python -m benchmarks.faults.upgrade [--runs 40]`.

The database is taken to the first release's schema and filled with runs as that release left them: some were
measured, one was being measured when it was stopped, the rest waited. Then this release migrates it and works it
off. Prints what was lost: a run, a number that was measured, anything serious that the doctor finds.
"""

import argparse
import json
import shutil
from hashlib import sha256
from pathlib import Path

from benchmarks.faults.installation import BASE, NEW, Installation, Outcome, installation, recordings

FIRST = "0001_initial"
FILL = """
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
apps = MigrationExecutor(connection).loader.project_state([("reports", "{first}")]).apps
model = lambda name: apps.get_model("reports", name)
mail = model("App").objects.create(package="mail", name="Mail")
tap = model("Interaction").objects.create(app=mail, name="open inbox", type="tap")
phone = model("Device").objects.create(name="unspecified")
now = timezone.now()
for side, (name, file, sha256, ms) in enumerate({versions}):
    version = model("OsVersion").objects.create(name=name, sort_key=f"n0{{12 + side:0>12}}m")
    for number in range({runs} // 2):
        state = "done" if number < {runs} // 4 else "running" if number == {runs} // 4 else "pending"
        run = model("Run").objects.create(
            interaction=tap, os_version=version, device=phone, repetition=number + 1, sha256=sha256,
            file_name=file, original_name=file, file_bytes=1, action_ms=250.0, status=state,
            outcome="ok" if state == "done" else "",
            measured_at=now if state == "done" else None, claimed_at=now if state == "running" else None,
        )
        if state == "done":
            model("Measurement").objects.create(run=run, metric="response_time_ms", value=ms)
"""


def main() -> int:
    """Print the figure; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    with installation() as made:
        made.must("migrate", "reports", FIRST, "-v", "0")
        films = recordings(made.folder / "films", 2).parent
        versions = [(name, *_stored(made, films / f"{name}.mp4"), ms) for name, ms in ((BASE, 250.0), (NEW, 500.0))]
        made.must("shell", "-v", "0", "-c", FILL.format(first=FIRST, versions=versions, runs=options.runs))
        made.must("migrate", "-v", "0")
        kept = made.done
        made.work_until(options.runs)
        made.must("compare", BASE, NEW)
        found = json.loads(made.manage("doctor", "--repair", "--read-all", "--json").stdout)
        sick = {one["key"] for one in found if one["serious"]} - {"disk-space"}
        lost = abs(2 * (options.runs // 4) - kept) + abs(options.runs - made.done) + len(sick)
        said = f"{kept} numbers kept, {made.done - kept} runs measured since" if not lost else f"{lost}: {sick}"
    return Outcome("upgrade of the first release's data", f"1, {options.runs} runs", lost, said).print()


def _stored(made: Installation, film: Path) -> tuple[str, str]:
    digest = sha256(film.read_bytes()).hexdigest()
    name = f"screencasts/{digest[:2]}/{digest}.mp4"
    target = made.folder / "media" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(film, target)
    return name, digest


if __name__ == "__main__":
    raise SystemExit(main())
