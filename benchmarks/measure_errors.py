"""Errors of measured rows against a truth table, and their summaries."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.events.confidence import DOUBT
from analysis.manifest.columns import TO_MEASURE
from analysis.manifest.reader import ManifestError, open_manifest
from analysis.manifest.rows import ManifestRow, parse_row

# metric → (truth column, column of the other end of the interval)
TRUTH_OF = {
    "response_time_ms": ("response_ms", "response_visible_ms"),
    "finish_time_ms": ("finish_ms", "finish_visible_ms"),
    "launch_time_ms": ("finish_ms", "finish_visible_ms"),
    "dropped_frames": ("dropped_frames", "dropped_frames"),
}
ERRORS = {metric: f"error_{metric}" for metric in TRUTH_OF}

FRAME_MS = 20.0  # a frame at 60 Hz, and what rounding adds
# moment → (its metrics, what people notice in ms)
CONFIDENCE_OF = {
    "response": (("response_time_ms",), DOUBT.response_ms),
    "finish": (("finish_time_ms", "launch_time_ms"), DOUBT.finish_ms),
}


def manifest_table(path: str | Path) -> pd.DataFrame:
    """Return a manifest as a table, with a column per column of a manifest.

    Raises ManifestError if a line is refused: figures of what is left would pass for figures of the whole.
    """
    with open_manifest(Path(path), TO_MEASURE) as lines:
        parsed = [parse_row(line, TO_MEASURE) for line in lines]
    wrong = [problem.text for _, problems in parsed for problem in problems]
    if wrong:
        raise ManifestError(f"{path}: {'; '.join(wrong[:5])}: mend the manifest")
    columns = [field.name for field in fields(ManifestRow)]
    return pd.DataFrame([asdict(row) for row, _ in parsed if row], columns=columns)


def add_errors(measured: pd.DataFrame, manifest: pd.DataFrame, truth: pd.DataFrame) -> pd.DataFrame:
    """Return one row per measured video with `error_*` columns (signed) and `right` (the outcome is right)."""
    inputs = manifest[
        [name for name in ("video", "interaction", "interaction_type", "capture") if name in manifest]
    ]
    known = _complete(truth).rename(columns=lambda name: name if name == "video" else f"true_{name}")
    frame = measured.merge(inputs, on="video").merge(known, on="video")
    for name in ("interaction", "interaction_type", "capture"):
        if name not in frame:
            frame[name] = "all"
    for metric, (strict, visible) in TRUTH_OF.items():
        frame[ERRORS[metric]] = interval_error(frame[metric], frame[f"true_{strict}"], frame[f"true_{visible}"])
    frame["right"] = _right(frame)
    return frame


def interval_error(value: pd.Series, one: pd.Series, other: pd.Series) -> pd.Series:
    """Return how far a value lies outside [one, other], whichever is lower; NaN where either is missing."""
    value = value.astype(float)
    low, high = np.fmin(one, other), np.fmax(one, other)
    return (value - high).clip(lower=0) + (value - low).clip(upper=0)


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Return MAE, median, p95 of the absolute errors per metric: overall, per capture, type and interaction."""
    rows = []
    for metric, column in ERRORS.items():
        for by in (None, "capture", "interaction_type", "interaction"):
            if by is not None and frame[by].nunique() < 2:
                continue
            groups = [("all", frame)] if by is None else frame.groupby(by)
            rows += [_row(metric, name, group, column) for name, group in groups if group[column].notna().any()]
    return pd.DataFrame(rows)


def worst(frame: pd.DataFrame, count: int) -> pd.DataFrame:
    """Return the rows with the largest absolute errors per metric, and every wrong outcome."""
    parts = []
    for metric, column in ERRORS.items():
        top = frame.reindex(frame[column].abs().sort_values(ascending=False).index)[:count]
        strict, visible = TRUTH_OF[metric]
        part = top[["video", metric, f"true_{strict}", f"true_{visible}", column]].set_axis(
            ["video", "measured", "strict", "visible", "error"], axis=1
        )
        parts.append(part.dropna(subset="error").assign(what=metric))
    wrong = frame.loc[~frame["right"], ["video", "outcome"]]
    return pd.concat([*parts, wrong.assign(what="outcome")], ignore_index=True)


def calibration(frame: pd.DataFrame) -> pd.DataFrame:
    """Return per moment and word of confidence how many answers were right, near and wrong.

    Right is within a frame of the truth, wrong is further off than people notice.
    """
    lines = []
    for moment, (metrics, noticed_ms) in CONFIDENCE_OF.items():
        error = frame[[ERRORS[metric] for metric in metrics]].bfill(axis=1).iloc[:, 0].abs()
        for word, errors in error.dropna().groupby(frame[f"{moment}_confidence"]):
            right, wrong = int((errors <= FRAME_MS).sum()), int((errors > noticed_ms).sum())
            counts = {"n": len(errors), "right": right, "near": len(errors) - right - wrong, "wrong": wrong}
            lines.append({"moment": moment, "word": word, **counts, "right_pct": 100 * right / len(errors)})
    return pd.DataFrame(lines)


def capture_difference(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how far two captures of the same run differ, per metric: absolute differences in ms or frames."""
    scene = frame["video"].str.replace(r"_(vfr|cfr60)(?=\.)", "", regex=True)
    lines = {}
    for metric in TRUTH_OF:
        sides = frame.assign(scene=scene).pivot_table(index="scene", columns="capture", values=metric)
        if sides.shape[1] == 2:
            gap = (sides.iloc[:, 0] - sides.iloc[:, 1]).abs().dropna()
            lines[metric] = {"n": len(gap), "median": gap.median(), "p95": gap.quantile(0.95), "max": gap.max()}
    return pd.DataFrame(lines).T.rename_axis("two captures of one run")


def _complete(truth: pd.DataFrame) -> pd.DataFrame:
    truth = truth.copy()
    for strict, visible in TRUTH_OF.values():
        for name, fallback in ((strict, np.nan), (visible, truth.get(strict, np.nan))):
            if name not in truth:
                truth[name] = fallback
            truth[name] = truth[name].astype(float)
    if "settles" not in truth:
        truth["settles"] = np.nan
    if "outcome" not in truth:
        truth["outcome"] = "ok"
    return truth


def _right(frame: pd.DataFrame) -> pd.Series:
    same = frame["outcome"] == frame["true_outcome"]
    settles, true = frame["settles"].astype(float), frame["true_settles"].astype(float)
    return same & ((settles == true) | true.isna() | settles.isna())


def _row(metric: str, name: str, group: pd.DataFrame, column: str) -> dict[str, object]:
    errors = group[column].dropna()
    size = errors.abs()
    return {
        "metric": metric,
        "group": name,
        "n": len(errors),
        "MAE": size.mean(),
        "median_error": errors.median(),
        "p95": size.quantile(0.95),
        "max": size.max(),
        "outcomes_right_pct": 100 * group["right"].mean(),
    }
