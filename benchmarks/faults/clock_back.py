"""A clock that is set back by a day: `python -m benchmarks.faults.clock_back [--runs 40]`.

A worker is killed while it measures, and everything that was written so far is put a day ahead, which is what the
next worker sees whose clock was set back by a day: claims, signs of life, the queue, the schedules. Prints how many
runs were lost, and after how many seconds all were measured.
"""

import argparse
import time

from benchmarks.faults.installation import Outcome, installation, recordings

COLUMNS = {
    "reports_run": ("claimed_at", "measured_at", "created_at"),
    "reports_comparison": ("claimed_at", "computed_at", "requested_at"),
    "reports_workerheartbeat": ("seen_at", "started_at"),
    "django_q_ormq": ("lock",),
    "django_q_schedule": ("next_run",),
}


def main() -> int:
    """Print the figure; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    with installation() as made:
        made.must("import_runs", str(recordings(made.folder / "films", options.runs)))
        made.work_until(options.runs // 4)
        for table, columns in COLUMNS.items():
            for column in columns:
                made.ask(f"update {table} set {column} = datetime({column}, '+1 day') where {column} is not null")
        started = time.monotonic()
        made.work_until(options.runs)
        lost = options.runs - made.done
        said = (
            f"all measured {time.monotonic() - started:.0f} s after the next start" if not lost else f"{lost} runs"
        )
    return Outcome("clock set back by a day", f"1, {options.runs} runs", lost, said).print()


if __name__ == "__main__":
    raise SystemExit(main())
