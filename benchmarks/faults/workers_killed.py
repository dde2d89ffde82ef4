"""Workers that are killed while they measure: `python -m benchmarks.faults.workers_killed [--runs 100 --kills 20]`.

The worker and all its processes are killed (SIGKILL) after every few runs and started again. Prints how many runs
were lost: not measured, failed, or measured to another number than is right.
"""

import argparse

from benchmarks.faults.installation import Outcome, installation, recordings


def main() -> int:
    """Print the figure; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    with installation() as made:
        made.must("import_runs", str(recordings(made.folder / "films", options.runs)))
        for number in range(options.kills):
            made.work_until((number + 1) * options.runs // (options.kills + 1))
        made.work_until(options.runs)
        lost = options.runs - made.done
        doubled = made.count("reports_measurement", "metric = 'response_time_ms'") - made.done
    said = f"{options.runs} runs measured, {doubled} twice" if not lost else f"{lost} runs"
    return Outcome("worker killed while it measures", f"{options.kills} kills", lost, said).print()


if __name__ == "__main__":
    raise SystemExit(main())
