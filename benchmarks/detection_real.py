"""Real pairs: recorded screencasts with true values, and UI timings of one browser before and after a reboot."""

from pathlib import Path

import pandas as pd

from analysis.metrics import METRICS
from benchmarks.measure_errors import manifest_table

TRUE_COLUMNS = {
    "response_ms": "response_time_ms",
    "finish_ms": "finish_time_ms",
    "dropped_frames": "dropped_frames",
}
NAMES = ["app", "interaction", "interaction_type"]
BEFORE, AFTER = "be1f64f0f3", "5268c0d6df"  # the same browser, the same apps, one reboot between
INTERACTIONS = r"0[1-9]_"  # benchmarks of an interaction; the others are sizes and memory


def true_values(manifest: Path, truth: Path, *, visible: bool = False) -> pd.DataFrame:
    """Return the true value of each run and metric: video, os_version, capture, names, metric, value.

    Strict values count any changed pixel; ``visible`` ones leave out what no lossy recording shows. Both are right
    for some eye.
    """
    known = pd.read_csv(truth)
    if visible:
        for name in TRUE_COLUMNS:
            known[name] = known[name.replace("_ms", "_visible_ms")]
    runs = manifest_table(manifest).merge(known, on="video", suffixes=("", "_true"))
    return _long(runs.rename(columns=TRUE_COLUMNS), [*TRUE_COLUMNS.values(), "dropped_frames"])


def measured_values(manifest: Path, measured: Path) -> pd.DataFrame:
    """Return what ``manage.py measure`` found for each run and metric, in the same form."""
    runs = manifest_table(manifest)
    found = pd.read_csv(measured)[["video", *METRICS]].assign(video=lambda table: table["video"].map(_short))
    return _long(runs.merge(found, on="video"), list(METRICS))


def pair_samples(values: pd.DataFrame, base: str, new: str) -> pd.DataFrame:
    """Return the runs of two versions as ``decide`` takes them; of two captures of one run the vfr one alone."""
    best = values.groupby("interaction")["capture"].transform("max")  # vfr sorts after cfr60
    both = values[(values["capture"] == best) & values["os_version"].isin([base, new])]
    side = both["os_version"].map({base: "base", new: "new"})
    samples = both.assign(side=side, n=0)
    complete = samples.groupby([*NAMES, "metric"])["side"].transform("nunique") == 2
    return samples[complete]


def reboot_pair(runs_csv: Path, metric: str) -> pd.DataFrame:
    """Return 1,287 cells of UI timings that are truly equal, judged as if they were ``metric``."""
    columns = ["commit", "framework", "benchmark", "kind", "value_ms"]
    parts = pd.read_csv(runs_csv, usecols=columns, chunksize=500_000)
    rows = pd.concat(part[part["commit"].isin([BEFORE, AFTER]) & (part["kind"] == "total")] for part in parts)
    rows = rows[rows["benchmark"].str.match(INTERACTIONS)]
    samples = rows.rename(columns={"framework": "app", "benchmark": "interaction", "value_ms": "value"})
    side = samples["commit"].map({BEFORE: "base", AFTER: "new"})
    return samples.assign(side=side, interaction_type="tap", metric=metric, n=0)


def bisection_pairs(pairs_csv: Path) -> pd.DataFrame:
    """Return 13 labelled pairs of commits of a browser on a real phone, in ms of rendering per frame.

    ``different`` is what the bisection concluded; the culprit took 29.7 → 35.1 ms.
    """
    rows = pd.read_csv(pairs_csv)
    side = rows["side"].map({"lower": "base", "higher": "new"})
    samples = rows.assign(interaction=rows["comparison"], side=side, different=rows["verdict"] == "Different")
    return samples.assign(app="browser", interaction_type="scroll", metric="rendering per frame", n=20)


def _long(runs: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    kept = ["video", "os_version", "capture", *NAMES]
    long = runs.melt(id_vars=kept, value_vars=metrics, var_name="metric", value_name="value")
    is_launch = (long["interaction_type"] == "launch") & (long["metric"] == "finish_time_ms")
    return long.assign(metric=long["metric"].mask(is_launch, "launch_time_ms")).dropna(subset="value")


def _short(video: str) -> str:
    """Return the path as the manifest writes it: its folder and name."""
    return "/".join(Path(video).parts[-3:])
