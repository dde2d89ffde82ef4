"""Bisections with a known culprit: `python -m benchmarks.bisection [--pinpoint FOLDER]`.

Each is drawn: 8 to 512 builds (evenly on the scale of their logarithm), one of them slower by 1 to 4 θ from then
on, one build in ten that cannot be tested, run times that are lognormal (5 to 25 %) with one in twenty that takes
two to four times as long, and a level that wanders from build to build by 0.15 θ and comes back. The metric is a
finish time, θ 100 ms or 10 %. All rules get the same runs of the good and the bad build.

* plain: a build is bad if its mean is nearer to the bad build's mean than to the good one's; as `git bisect`, it
  goes on beside a build that cannot be tested. Once with the runs of one look of ours, and once with as many runs
  a build that it needs about as many in all as ours; and that once more by the median.
* right: ends at the culprit. Range: ends with several builds, of which the culprit is one. Wrong: anything else.
  Refused: finds no regression that people feel between the good and the bad build, and says so.

FOLDER holds a bisection of Chromium on a phone (pinpoint_bisect_comparisons.csv): eight commits with some twenty
runs each, whose culprit is known, and a good one with a run that took three times as long.
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from graphlib import TopologicalSorter
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.history.bisection import OPEN, REFUSED, Standing, standing
from analysis.history.changes import Subject
from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.policy.thresholds import ANY_METRIC, Threshold

SUBJECT = Subject("org.example.app", "tap", "finish_time_ms")
THETA = DEFAULT_POLICY.thresholds["finish_time_ms"]
UNTESTABLE, OUTLIERS = 0.1, 0.05
WANDERS, COMES_BACK = 0.15, 0.9  # θ; share of the way that is left from one build to the next
RIGHT, IN_RANGE, WRONG, NOT_FELT = "right", "range", "wrong", "refused"
Values = NDArray[np.float64]
PLAIN: dict[str, tuple[bool, Callable[[Values], float]]] = {  # with as many runs in all or a look, by what
    "mean, as many runs a look": (False, np.mean),
    "mean, as many runs in all": (True, np.mean),
    "median, as many runs in all": (True, np.median),
}


@dataclass(frozen=True)
class Case:
    """A line of builds with its culprit. ``levels`` are their true medians, ``broken`` those without any run."""

    levels: Values
    culprit: int
    broken: frozenset[int]
    spread: float
    seed: int

    def film(self, build: int, runs: int, *, of: int) -> Values:
        """Return that many runs of a build; ``of`` tells one drawing of it from another."""
        rng = np.random.default_rng([self.seed, build, of])
        slow = np.where(rng.random(runs) < OUTLIERS, rng.uniform(2.0, 4.0, runs), 1.0)
        return self.levels[build] * np.exp(self.spread * rng.standard_normal(runs)) * slow


def main(argv: list[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bisections", type=int, default=2000)
    parser.add_argument("--pinpoint", type=Path, metavar="FOLDER")
    options = parser.parse_args(argv)
    simulate(options.bisections)
    if options.pinpoint:
        known_answer(options.pinpoint)
    return 0


def simulate(bisections: int) -> None:
    """Print how the simulated bisections end."""
    ends: dict[str, list[tuple[str, int]]] = {name: [] for name in ("three-valued", *PLAIN)}
    beside = 0
    for seed in range(bisections):
        case = draw(seed)
        stands, runs = ours(case)
        ends["three-valued"].append((outcome(case, stands), total(runs)))
        beside += bool(case.broken & {case.culprit - 1, case.culprit})
        if stands.state == REFUSED:
            continue
        last = len(case.levels) - 1
        good, bad = runs[0], runs[last]
        asked = max(1, sum(build not in (0, last) for build in runs))
        same = math.ceil(sum(len(values) for build, values in runs.items() if build not in (0, last)) / asked)
        for name, (all_in_all, middle) in PLAIN.items():
            each = same if all_in_all else stands.runs_each
            low, high, used = plain(partial(case.film, of=0), case.broken, (good, bad), last, each, middle)
            ends[name].append((told(case, low, high), used + len(good) + len(bad)))
    print("| rule | bisections | right | range with the culprit | wrong | refused | runs, median | runs, 95 % |")
    print("|---|---|---|---|---|---|---|---|")
    for name, rows in ends.items():
        print(f"| {name} | {len(rows):,} | " + " | ".join(shares(rows)) + " |")
    share = 100 * beside / bisections
    print(f"\nIn {share:.1f} % the culprit or the build before it cannot be tested: no rule can name it.")


def draw(seed: int) -> Case:
    """Draw a line of builds."""
    rng = np.random.default_rng([7, seed])
    builds = round(math.exp(rng.uniform(math.log(8), math.log(512))))
    culprit = int(rng.integers(1, builds))
    base = math.exp(rng.uniform(math.log(300), math.log(3000)))
    theta = float(THETA.at(np.array([base]))[0])
    wander = [rng.standard_normal()]
    while len(wander) < builds:
        wander.append(COMES_BACK * wander[-1] + math.sqrt(1 - COMES_BACK**2) * rng.standard_normal())
    levels = base + WANDERS * theta * np.array(wander)
    levels[culprit:] += rng.uniform(1.0, 4.0) * theta
    broken = frozenset(at for at in range(1, builds - 1) if rng.random() < UNTESTABLE)
    return Case(levels, culprit, broken, spread=rng.uniform(0.05, 0.25), seed=seed)


def ours(case: Case) -> tuple[Standing, dict[int, Values]]:
    """Do what is asked until nothing is; returns how it ends and all runs."""
    names = [str(build) for build in range(len(case.levels))]
    runs: dict[int, Values] = {}
    skipped: set[str] = set()
    while True:
        known = {str(at): values for at, values in runs.items()}
        stands = standing(names, known, SUBJECT, DEFAULT_POLICY, skipped=skipped)
        if stands.state != OPEN:
            return stands, runs
        for asked in stands.asked:
            build = int(asked.build)
            if build in case.broken:
                skipped.add(asked.build)
                continue
            have = runs.get(build, np.empty(0))
            runs[build] = np.concatenate([have, case.film(build, asked.runs, of=len(have))])


def plain(
    film: Callable[[int, int], Values],
    broken: Collection[int],
    ends: tuple[Values, Values],
    last: int,
    each: int,
    middle: Callable[[Values], float] = np.mean,
) -> tuple[int, int, int]:
    """Bisect by the mean; returns the last good build, the first bad one and the runs it took between."""
    bound = (middle(ends[0]) + middle(ends[1])) / 2
    low, high, used = 0, last, 0
    while left := [at for at in range(low + 1, high) if at not in broken]:
        build = min(left, key=[abs(2 * at - low - high) for at in range(high)].__getitem__)
        used += each
        if middle(film(build, each)) > bound:
            high = build
        else:
            low = build
    return low, high, used


def outcome(case: Case, stands: Standing) -> str:
    """Say how a bisection of ours ended."""
    return NOT_FELT if stands.state == REFUSED else told(case, stands.last_good, stands.first_bad)


def told(case: Case, low: int, high: int) -> str:
    """Say what an answer is worth: the culprit lies after ``low`` and not after ``high``."""
    if not low < case.culprit <= high:
        return WRONG
    return RIGHT if high == low + 1 else IN_RANGE


def total(runs: dict[int, Values]) -> int:
    """Count all runs."""
    return sum(len(values) for values in runs.values())


def shares(rows: list[tuple[str, int]]) -> Iterator[str]:
    """Yield the cells of a row of the table."""
    counts = Counter(word for word, _ in rows)
    for word in (RIGHT, IN_RANGE, WRONG, NOT_FELT):
        yield f"{100 * counts[word] / len(rows):.1f} %"
    used = [runs for word, runs in rows if word != NOT_FELT]
    yield from (f"{np.quantile(used, q):.0f}" for q in (0.5, 0.95))


def known_answer(folder: Path) -> None:
    """Print where the real bisection ends, by both rules. Runs are taken in the order in which they were made."""
    builds, runs = read(folder / "pinpoint_bisect_comparisons.csv")
    policy = Policy(thresholds={ANY_METRIC: Threshold(0, 10)})
    have: dict[str, int] = dict.fromkeys(builds, 0)
    skipped: set[str] = set()
    while True:
        taken = {build: runs[build][:count] for build, count in have.items()}
        stands = standing(builds, taken, SUBJECT, policy, skipped=skipped)
        if stands.state != OPEN:
            break
        for asked in stands.asked:
            if have[asked.build] + asked.runs > len(runs[asked.build]):
                skipped.add(asked.build)
            have[asked.build] += asked.runs
    print(f"\nChromium on a phone, {len(builds)} commits: {stands.state} {', '.join(stands.suspects)}, ", end="")
    print(f"{sum(have.values())} runs of {sum(map(len, runs.values()))}")
    ends = runs[builds[0]], runs[builds[-1]]
    low, high, _ = plain(lambda at, _: runs[builds[at]], (), ends, len(builds) - 1, 0)
    print(f"By the mean, with all runs: {', '.join(builds[low + 1 : high + 1])}")


def read(path: Path) -> tuple[list[str], dict[str, Values]]:
    """Return the commits in their order, and the runs of each."""
    table = pd.read_csv(path)
    sides = table["side"] == "lower"
    table["commit"] = table["lower_commit"].where(sides, table["higher_commit"])
    earlier: dict[str, set[str]] = {}
    for low, high in table[["lower_commit", "higher_commit"]].drop_duplicates().itertuples(index=False):
        earlier.setdefault(high, set()).add(low)
    first = table.drop_duplicates(["comparison", "commit"]).drop_duplicates("commit")
    runs = {
        commit: table[(table["comparison"] == comparison) & (table["commit"] == commit)]["value"].to_numpy(float)
        for comparison, commit in first[["comparison", "commit"]].itertuples(index=False)
    }
    return list(TopologicalSorter(earlier).static_order()), runs


if __name__ == "__main__":
    raise SystemExit(main())
