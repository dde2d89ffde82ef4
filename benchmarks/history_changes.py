"""Changes over many builds against an expert's word: `python -m benchmarks.history_changes FOLDER`.

FOLDER holds SAP's public data set (hana/small_2021): 25 series of a database's tests over 27 to 471 builds with one
to 48 runs each. An expert found a regression in five of them and named the run where it begins; the other twenty
look like one: spikes, much noise, noise that comes with the build. Felt is what moved a level by 5 % at least.

Beside it two rules that need no statistics: the median of a build 5 % above that of the build before it, and the
same against the median of the ten builds before it.

``--figure FILE`` draws the five with what was found, and the look-alikes with a false alarm, as SVG.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.history.changes import Subject, find_changes
from analysis.policy.policy import Policy
from analysis.policy.thresholds import ANY_METRIC, Threshold
from analysis.verdicts.words import REGRESSION
from benchmarks.history_figure import figure

SHARE = 0.05
SUBJECT = Subject("hana", "tap", "time")
POLICY = Policy(thresholds={ANY_METRIC: Threshold(0, 100 * SHARE)})
BEFORE = 10  # builds
Runs = Sequence[NDArray[np.float64]]


def main(argv: list[str] | None = None) -> int:
    """Print a table: of the true regressions how many begin at the named run, and the alarms on the look-alikes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--figure", type=Path, help="draw what is found into this file")
    options = parser.parse_args(argv)
    found = [path.parent.parent for path in options.folder.rglob("dataset_details.csv")]
    series = list(read(found[0]))
    if options.figure:
        options.figure.write_text(figure([(truth, runs, ours(runs)) for truth, runs in series]), encoding="utf-8")
    print(
        "| rule | regressions found | at the very build | false alarms in those five | look-alikes with an alarm |"
    )
    print("|---|---|---|---|---|")
    for name, rule in RULES.items():
        print(f"| {name} | " + " | ".join(score(rule, series)) + " |")
    return 0


def read(folder: Path) -> Any:
    """Yield the place of the true change (None: there is none) and the runs of each build, of each series."""
    for row in pd.read_csv(folder / "metadata" / "dataset_details.csv", sep=";").itertuples(index=False):
        table = pd.read_csv(folder / "data" / row[1])
        firsts = table.drop_duplicates("GHC").index.tolist()
        runs = [group["Measurement"].to_numpy(float) for _, group in table.groupby("GHC", sort=False)]
        yield (firsts.index(row[2]) if row[2] else None), runs


def score(rule: Callable[[Runs], list[int]], series: Sequence[tuple[int | None, Runs]]) -> list[str]:
    """Return the cells of a row. An alarm within two builds of the true one has found it."""
    found = exact = more = wrong = 0
    for truth, runs in series:
        places = rule(runs)
        if truth is None:
            wrong += bool(places)
            continue
        near = [place for place in places if abs(place - truth) <= 2]
        found, exact, more = found + bool(near), exact + (truth in places), more + len(places) - len(near)
    true = sum(truth is not None for truth, _ in series)
    return [f"{found} of {true}", f"{exact} of {true}", str(more), f"{wrong} of {len(series) - true}"]


def ours(runs: Runs) -> list[int]:
    """Return where a regression begins that stays."""
    return [change.at for change in find_changes(runs, SUBJECT, POLICY) if change.kind == REGRESSION]


def against_one(runs: Runs) -> list[int]:
    """Return the builds whose median is 5 % above that of the one before."""
    return _above(runs, 1)


def against_ten(runs: Runs) -> list[int]:
    """Return the builds whose median is 5 % above the median of the ten before."""
    return _above(runs, BEFORE)


def _above(runs: Runs, before: int) -> list[int]:
    medians = [float(np.median(values)) for values in runs]
    return [
        place
        for place in range(1, len(medians))
        if medians[place] > (1 + SHARE) * np.median(medians[max(0, place - before) : place])
    ]


RULES = {
    "changes, judged as verdicts": ours,
    "5 % over the build before": against_one,
    "5 % over ten builds": against_ten,
}


if __name__ == "__main__":
    raise SystemExit(main())
