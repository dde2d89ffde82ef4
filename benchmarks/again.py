"""Whether recording a plan again gives the same verdicts: `python -m benchmarks.again A/runs.csv B/runs.csv …`.

Measures every recording of each manifest, of one device, compares each version with the one before it, and the last
with the first (in the manifest's order), and prints how many metrics have the same verdict in all, and which not.
Where nothing differs, chance makes a rank test significant in up to 2 α of the metrics, α towards either side: so
not all verdicts can be the same, however well a plan is recorded. What share can is printed beside.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pandas as pd

from analysis.batch import FAILED, measure_jobs, read_jobs
from analysis.metrics import METRICS
from analysis.policy.policy import DEFAULT_POLICY
from analysis.verdicts.deciding import decide
from analysis.verdicts.summary import expected_false_alarms
from analysis.verdicts.words import REGRESSION

KEY = ["app", "interaction", "interaction_type"]
CELL = ["pair", "app", "interaction", "metric"]
RENAMED = {"os_version": "version", "package": "app"}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, compare, print."""
    options = _parser().parse_args(argv)
    tables = {str(path): decided(measured(path, options.jobs)) for path in options.manifests}
    every = agreement(tables)
    for name, table in tables.items():
        found = table["verdict"].value_counts().to_dict()
        words = ", ".join(f"{count} {word}" for word, count in found.items())
        chance = expected_false_alarms(table)
        print(f"{name}: {len(table)} metrics, {words}; up to {chance:.1f} regressions by chance")
    same, judged = int(every["same"].sum()), int(every["same_regression"].sum())
    print(f"\n{judged} of {len(every)} metrics agree whether they regressed")
    print(f"{same} of {len(every)} have the same verdict; of those that do not move, {same_by_chance():.0%} can")
    print(f"worst metric first, {order_agrees(tables)}\n")
    differ = every[~every["same"]]
    if len(differ):
        print(differ.drop(columns=["same", "same_regression"]).to_string(index=False))
    return 0


def measured(manifest: Path, workers: int) -> pd.DataFrame:
    """Return one row per run and metric: version, app, interaction, interaction_type, metric, value."""
    told = pd.read_csv(manifest, dtype=str, keep_default_na=False)
    runs = told.drop(columns="app").rename(columns=RENAMED)[["version", *KEY]]
    answers = pd.DataFrame(list(measure_jobs(read_jobs(manifest), workers)))[["outcome", *METRICS]]
    bad = answers["outcome"].isin(FAILED)
    if bad.any():
        sys.exit(
            f"{manifest}: {int(bad.sum())} recordings cannot be measured, the first in line {bad.idxmax() + 2}"
        )
    wide = pd.concat([runs, answers[list(METRICS)].astype(float)], axis=1)
    return wide.melt(id_vars=["version", *KEY], var_name="metric", value_name="value").dropna()


def decided(values: pd.DataFrame) -> pd.DataFrame:
    """Return the verdicts of each version against the one before it, and of the last against the first.

    The columns are those of `analysis.verdicts.deciding.decide`, and `pair`.
    """
    versions = list(dict.fromkeys(values["version"]))
    if len(versions) < 2:
        raise SystemExit(f"there is nothing to compare but {', '.join(versions) or 'no version'}: record two")
    pairs = [*pairwise(versions), (versions[0], versions[-1])] if len(versions) > 2 else [tuple(versions)]
    found = []
    for base, new in pairs:
        sides = values[values["version"].isin((base, new))]
        samples = sides.assign(side=(sides["version"] == new).map({True: "new", False: "base"}))
        found.append(decide(samples).assign(pair=f"{base} → {new}"))
    return pd.concat(found, ignore_index=True)


def agreement(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row per metric that all tables have: its verdict, shift and p in each, and whether they agree."""
    columns = ["verdict", "delta", "p_value"]
    parts = [
        table.set_index(CELL)[columns].add_suffix(f" {number}") for number, table in enumerate(tables.values(), 1)
    ]
    every = pd.concat(parts, axis=1, join="inner").round(3)
    verdicts = every[[name for name in every if name.startswith("verdict ")]]
    same = verdicts.nunique(axis=1) == 1
    regressed = (verdicts == REGRESSION).nunique(axis=1) == 1
    return every.assign(same=same, same_regression=regressed).reset_index()


def order_agrees(tables: dict[str, pd.DataFrame]) -> str:
    """Say whether the ranking of the last version against the first begins with the same regressions.

    Of the interactions that all tables have: one may be the recording of a part.
    """
    firsts = []
    everywhere = set.intersection(*(set(table["interaction"]) for table in tables.values()))
    for whole in tables.values():
        table = whole[whole["interaction"].isin(everywhere)]
        last = table[(table["pair"] == table["pair"].iloc[-1]) & (table["verdict"] == REGRESSION)]
        ranked = last.sort_values("times_threshold", ascending=False, kind="stable")
        firsts.append(list(dict.fromkeys(ranked["interaction"])))
    if len({tuple(names) for names in firsts}) == 1:
        return f"all rank the same: {', '.join(firsts[0]) or 'nothing regressed'}"
    return "they rank otherwise: " + " | ".join(", ".join(names) or "nothing" for names in firsts)


def same_by_chance(alpha: float = DEFAULT_POLICY.alpha) -> float:
    """Return how likely two recordings of what does not move get the same verdict: neither, or both to one side."""
    return (1 - 2 * alpha) ** 2 + 2 * alpha**2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.again", description=__doc__)
    parser.add_argument("manifests", type=Path, nargs="+", metavar="runs.csv")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="videos measured at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
