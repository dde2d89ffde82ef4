"""A disk that is full at import and at extraction: `python -m benchmarks.faults.disk_full`. Needs root.

A file system in memory is made small, filled, and given room again. Prints what was lost: a command that did not
say so, a traceback, a run that was judged by the disk, a recording that is not whole, anything that did not go on
once there was room.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.faults.installation import Installation, Outcome, recordings

RUNS = 40
SAYS = ("No space left on device", "is full", "make room")


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Mount a file system of this size."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def grow(folder: Path, size: str) -> None:
    """Give it room."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)


def said(made: Installation, *command: str) -> tuple[int, str]:
    """Run a command that meets the full disk; return 1 if it did not say so in words, and what it said."""
    done = made.manage(*command)
    told = done.stderr + done.stdout
    fine = done.returncode != 0 and any(sign in told for sign in SAYS) and "Traceback" not in told
    return int(not fine), told.strip().splitlines()[-1] if told.strip() else "nothing"


def at_import(scratch: Path) -> int:
    """Import onto a disk with room for some of the recordings; return what was lost."""
    films = recordings(scratch / "films", RUNS, different=True)
    room = sum(file.stat().st_size for file in films.parent.glob("*.mp4")) // 3 // 1024
    with small_disk(scratch / "media", f"{room}k") as media:
        made = Installation(scratch / "var", media)
        made.must("migrate", "-v", "0")
        wrong, words = said(made, "import_runs", str(films), "--no-queue")
        print(f"  import: {words}")
        named = made.count()
        grow(media, "64m")
        made.must("import_runs", str(films), "--no-queue")
        made.must("extract")
        return wrong + abs(RUNS - made.done) + int(named > RUNS)


def at_extraction(scratch: Path) -> int:
    """Measure on a disk whose database can no longer grow; return what was lost."""
    with small_disk(scratch / "disk", "24m") as disk:
        made = Installation(disk / "var")
        made.must("migrate", "-v", "0")
        made.must("import_runs", str(recordings(scratch / "films", RUNS, different=True)), "--no-queue")
        with (disk / "filler").open("wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass
        wrong, words = said(made, "extract")
        print(f"  extract: {words}")
        (disk / "filler").unlink()
        judged = made.count(where="status = 'failed'")
        made.must("extract")
        return wrong + judged + abs(RUNS - made.done)


def main() -> int:
    """Print the figures; 1 if anything was lost."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    code = 0
    for name, fault in (("import", at_import), ("extraction", at_extraction)):
        with TemporaryDirectory(prefix="upreg-fault-") as folder:
            lost = fault(Path(folder))
        told = "said in words; goes on once there is room" if not lost else "see above"
        code |= Outcome(f"disk full at {name}", f"1, {RUNS} runs", lost, told).print()
    return code


if __name__ == "__main__":
    raise SystemExit(main())
