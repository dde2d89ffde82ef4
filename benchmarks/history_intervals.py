"""What 5, 10, 20 and 50 runs can tell: `python -m benchmarks.history_intervals FOLDER`.

FOLDER holds the raw timings of js-framework-benchmark (runs.csv.gz: commit, date, chrome, framework, benchmark,
kind, run, value_ms): interactions of web apps under some seventy releases of Chrome. Cells of 25 runs are drawn
from: 5, 10 and 20 runs without putting back, 50 with putting back, as nobody has recorded so many, and so are two
samples of one cell that would share runs.

* width: of the interval of a median, in percent of the median, over all cells;
* false: deviations between two samples of one and the same cell, which differ by chance alone;
* marked: neighbouring releases that are marked as a deviation;
* agrees: of the pairs that all 25 runs mark, how many so few runs mark as well.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.statistics.intervals import median_interval
from analysis.statistics.medians import difference_interval, olive_interval

RUNS = (5, 10, 20, 50)
FULL = 25
Matrix = NDArray[np.float64]


def main(argv: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(argv)
    cells, before, after = read(options.folder / "runs.csv.gz")
    rng = np.random.default_rng(3)
    whole = marked(cells[before], cells[after])
    print(f"{len(cells):,} cells of {FULL} runs, {len(before):,} pairs of neighbouring releases, ", end="")
    print(f"{100 * whole.mean():.1f} % marked with all {FULL} runs")
    print("| runs | width, Olive | width, as verdicts | false | false, difference alone | marked | agrees |")
    print("|---|---|---|---|---|---|---|")
    for runs in RUNS:
        row = figures(cells, before, after, whole, runs, rng)
        print(f"| {runs} | " + " | ".join("–" if np.isnan(value) else f"{value:.1f} %" for value in row) + " |")
    return 0


def read(path: Path) -> tuple[Matrix, NDArray[np.intp], NDArray[np.intp]]:
    """Return the cells with 25 runs, shape (cells, 25), and the places of neighbouring releases in them."""
    columns = ["commit", "date", "chrome", "framework", "benchmark", "kind", "value_ms"]
    table = pd.read_csv(path, usecols=columns, dtype={"chrome": str})
    table = table[table["kind"] == "total"]
    newest = table.groupby("chrome")["date"].transform("max") == table["date"]  # one measurement of each release
    keys = ["framework", "benchmark", "date"]
    groups = table[newest].groupby(keys, sort=True)["value_ms"]
    full = groups.transform("size") == FULL
    kept = table[newest][full].sort_values(keys, kind="stable")
    cells = kept["value_ms"].to_numpy().reshape(-1, FULL)
    names = kept[keys].iloc[::FULL].reset_index(drop=True)
    same = names[["framework", "benchmark"]].eq(names[["framework", "benchmark"]].shift()).all(axis=1).to_numpy()
    after = np.flatnonzero(same)
    return cells, after - 1, after


def figures(
    cells: Matrix,
    before: NDArray[np.intp],
    after: NDArray[np.intp],
    whole: Matrix,
    runs: int,
    rng: np.random.Generator,
) -> list[float]:
    """Return a row of the table, in percent."""
    drawn = sample(cells, runs, rng)
    one, other = twins(cells, runs, rng)
    middle = np.median(drawn, axis=1)
    widths = [np.median((high - low) / middle) for low, high in (olive_interval(drawn), median_interval(drawn))]
    low, high = difference_interval(one, other)
    found = marked(drawn[before], drawn[after])
    shares = [marked(one, other).mean(), ((low > 0) | (high < 0)).mean(), found.mean(), found[whole].mean()]
    return [100.0 * float(value) for value in (*widths, *shares)]


def twins(cells: Matrix, runs: int, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """Draw two samples of each cell, sorted, that share no run, or where that cannot be, each with putting back."""
    if 2 * runs <= FULL:
        both = rng.permuted(cells, axis=1)[:, : 2 * runs]
        return np.sort(both[:, :runs], axis=1), np.sort(both[:, runs:], axis=1)
    return put_back(cells, runs, rng), put_back(cells, runs, rng)


def sample(cells: Matrix, runs: int, rng: np.random.Generator) -> Matrix:
    """Draw runs of each cell, sorted: shape (cells, runs)."""
    if runs <= FULL:
        return np.sort(rng.permuted(cells, axis=1)[:, :runs], axis=1)
    return put_back(cells, runs, rng)


def put_back(cells: Matrix, runs: int, rng: np.random.Generator) -> Matrix:
    """Draw runs of each cell with putting back, sorted: shape (cells, runs)."""
    return np.sort(np.take_along_axis(cells, rng.integers(0, FULL, (len(cells), runs)), axis=1), axis=1)


def marked(base: Matrix, new: Matrix) -> NDArray[np.bool_]:
    """Tell which pairs are deviations."""
    base, new = np.sort(base, axis=1), np.sort(new, axis=1)
    low, high = difference_interval(base, new)
    (base_low, base_high), (new_low, new_high) = olive_interval(base), olive_interval(new)
    return ((low > 0) & (new_low > base_high)) | ((high < 0) & (new_high < base_low))


if __name__ == "__main__":
    raise SystemExit(main())
