"""Two imports and two comparisons of the same at once: `python -m benchmarks.faults.two_at_once [--times 10]`.

Prints what was lost: a command that failed, a run that is there twice or not at all, a result that is not what one
comparison alone gives.
"""

import argparse

from benchmarks.faults.installation import BASE, NEW, Outcome, installation, recordings

RUNS = 40
RESULTS = "select metric, n_base, n_new, delta, p_value, verdict from reports_result order by metric"


def main() -> int:
    """Print the figure; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    lost = 0
    with installation() as made:
        films = str(recordings(made.folder / "films", RUNS))
        for _ in range(options.times):
            made.ask("delete from reports_run")
            both = [made.start("import_runs", films, "--no-queue") for _ in range(2)]
            lost += sum(bool(process.wait()) for process in both) + abs(made.count() - RUNS)
        made.must("extract")
        made.must("compare", BASE, NEW)
        alone = made.ask(RESULTS)
        for _ in range(options.times):
            made.ask("update reports_comparison set fingerprint = '', stale = 1")
            both = [made.start("compare", BASE, NEW) for _ in range(2)]
            lost += sum(bool(process.wait()) for process in both) + int(made.ask(RESULTS) != alone)
        lost += RUNS - made.done
    said = "each run once, each result as one gives it" if not lost else f"{lost} differences"
    return Outcome("two imports, two comparisons of the same at once", f"{2 * options.times}", lost, said).print()


if __name__ == "__main__":
    raise SystemExit(main())
