"""How right the verdicts are: `python -m benchmarks.detection [--corpus DIR [--measured CSV]] [--series DIR]`.

Simulated pairs with a known shift, pairs without any change, and real ones, each judged by the product's rule
and by a rank test alone. DIR of the corpus holds runs.csv and truth.csv; CSV is what `manage.py measure --manifest`
wrote for it; DIR of the series holds ui_benchmark and pinpoint.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.detection_real import (
    bisection_pairs,
    measured_values,
    pair_samples,
    reboot_pair,
    true_values,
)
from benchmarks.detection_score import alarms, judge_both, scores
from benchmarks.detection_simulated import KINDS, UNCLEAR, simulate

SIZES = (5, 10, 20, 50)
TRUTH = ["is_verdict", "times_threshold"]
REBOOT_METRICS = ("response_time_ms", "finish_time_ms", "any other (10 %)")


def main(argv: list[str] | None = None) -> int:
    """Print both tables."""
    options = _parser().parse_args(argv)
    rng = np.random.default_rng(options.seed)
    found = [*_simulated(options.pairs, rng)]
    quiet = [*_quiet_simulated(options.pairs, rng)]
    if options.corpus:
        found += _corpus(options.corpus, options.measured)
        quiet += _corpus_quiet(options.corpus, options.measured)
    if options.series:
        found += _bisection(options.series)
        quiet += _reboot(options.series)
    print("Regressions found (shifts within 0.75–1.25 θ left out)")
    print(_table(found, "%.3f"))
    print("\nPairs without a change: false alarms in percent, either order of the pair averaged")
    print(_table(quiet, "%.2f"))
    return 0


def _simulated(pairs: int, rng: np.random.Generator) -> Iterator[dict[str, object]]:
    for kind in KINDS:
        for n in SIZES:
            samples = simulate(kind, n, pairs, rng, changed=True)
            rows = judge_both(samples)
            truth = (samples.groupby("interaction")["true_multiple"].first() > 1).reset_index(drop=True)
            yield {"pairs of": "simulated", "metric": kind.metric, "n": n, **scores(rows, truth)}


def _quiet_simulated(pairs: int, rng: np.random.Generator) -> Iterator[dict[str, object]]:
    for kind in KINDS:
        for n in SIZES:
            rows = judge_both(simulate(kind, n, pairs, rng, changed=False))
            yield {"pairs of": "simulated", "metric": kind.metric, "n": n, **alarms(rows)}


def _corpus(corpus: Path, measured: Path | None) -> Iterator[dict[str, object]]:
    """Score against the same rule on the true values, where strict and visible ones clearly agree."""
    manifest, truth = corpus / "runs.csv", corpus / "truth.csv"
    strict = _judged(true_values(manifest, truth), "slow")
    seen = _judged(true_values(manifest, truth, visible=True), "slow")
    said = _judged(measured_values(manifest, measured), "slow") if measured else strict
    both = said.join(strict[TRUTH].add_suffix("_true"), how="inner").join(seen[TRUTH].add_suffix("_seen"))
    unclear = both["times_threshold_true"].between(*UNCLEAR) | both["times_threshold_seen"].between(*UNCLEAR)
    clear = both[~unclear & (both["is_verdict_true"] == both["is_verdict_seen"])]
    name = "corpus, measured" if measured else "corpus, true values"
    for metric, rows in clear.groupby("metric"):
        yield {"pairs of": name, "metric": metric, "n": 10, **scores(rows, rows["is_verdict_true"])}


def _corpus_quiet(corpus: Path, measured: Path | None) -> Iterator[dict[str, object]]:
    manifest = corpus / "runs.csv"
    values = measured_values(manifest, measured) if measured else true_values(manifest, corpus / "truth.csv")
    name = "corpus base/same, measured" if measured else "corpus base/same"
    yield {"pairs of": name, "metric": "all", "n": 10, **alarms(_judged(values, "same"))}


def _judged(values: pd.DataFrame, new: str) -> pd.DataFrame:
    return judge_both(pair_samples(values, "base", new)).set_index(["interaction", "metric"])


def _reboot(series: Path) -> Iterator[dict[str, object]]:
    for metric in REBOOT_METRICS:
        rows = judge_both(reboot_pair(series / "ui_benchmark" / "runs.csv.gz", metric))
        yield {"pairs of": "browser before/after reboot", "metric": metric, "n": 10, **alarms(rows)}


def _bisection(series: Path) -> Iterator[dict[str, object]]:
    samples = bisection_pairs(series / "pinpoint" / "pinpoint_bisect_comparisons.csv")
    rows = judge_both(samples)
    truth = samples.groupby("interaction")["different"].first().reset_index(drop=True)
    yield {"pairs of": "bisection on a phone", "metric": "any other (10 %)", "n": 20, **scores(rows, truth)}


def _table(rows: list[dict[str, object]], number: str) -> str:
    return pd.DataFrame(rows).to_string(index=False, float_format=number, na_rep="–")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="folder with runs.csv and truth.csv")
    parser.add_argument("--measured", type=Path, help="CSV of `manage.py measure` for that corpus")
    parser.add_argument("--series", type=Path, help="folder with ui_benchmark and pinpoint")
    parser.add_argument("--pairs", type=int, default=2000, help="simulated pairs per metric and size")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
