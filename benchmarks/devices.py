"""Grades recordings of devices against moments that a person chose: right, near, wrong, or named.

A folder holds `truth.csv` with `video, action_ms` and any other column of a manifest, `response_ms, finish_ms`
(ms after the action; `response_visible_ms, finish_visible_ms` give the other end where an eye may say either)
and, where known, `outcome, settles, dropped_frames, dropped_frames_visible, class, recorded, note`. How it was
`recorded` is not told to the measuring, which has to see that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import F64
from analysis.batch import Job, read_jobs
from analysis.measure import Measured, measure_screencast
from analysis.spreadsheet import plain_cell
from benchmarks.sharing import in_order

GRADES = ("right", "near", "wrong", "named")
MOMENTS = ("response", "finish")
SETTLES = {True: "right", False: "wrong"}
EITHER = {  # the two ends between which an eye may say anything
    "response_ms": "response_visible_ms",
    "finish_ms": "finish_visible_ms",
    "dropped_frames": "dropped_frames_visible",
}
CLAIMS = ("ok", "no_response", "never_settles")  # outcomes that say something about the screen, so may be false


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a moment may lie from the one that a person chose."""

    right_ms: float = 17.0  # a slot of a screen at 60 Hz
    neighbour_ms: float = 50.0  # the frame beside the true one, up to a frame of a recorder at 20 Hz
    near_ms: float = 100.0  # what a person hardly notices


TOLERANCE = Tolerance()


@dataclass(frozen=True, slots=True)
class Graded:
    """A moment of a recording: what is true, what was measured (ms after the action), and how good that is."""

    video: str
    group: str
    recorded: str
    moment: str
    outcome: str
    true_ms: float
    measured_ms: float
    error_ms: float
    grade: str
    settles_right: bool
    note: str
    confidence: str = ""
    drops_error: float = math.nan  # measured less true dropped frames, of the recording
    within_a_picture: bool = False  # right, or the picture before or after, however far away that is


def grade_folder(folder: str | Path, only: str = "", workers: int = 1) -> pd.DataFrame:
    """Measure every recording that `truth.csv` names (whose name contains `only`); a row per moment graded."""
    file = Path(folder) / "truth.csv"
    jobs = [job for job in read_jobs(file) if only in job.name]
    untold = [replace(job, options=job.options and replace(job.options, capture="")) for job in jobs]
    return grade_jobs(untold, file, workers)


def grade_jobs(jobs: Sequence[Job], truth: str | Path, workers: int = 1) -> pd.DataFrame:
    """Measure recordings that a table of truth names; a row per moment graded."""
    said = {row["video"]: row for row in read_truth(truth).to_dict("records")}
    rows = [
        asdict(graded)
        for job, (measured, times_ms) in zip(jobs, in_order(_measure, jobs, workers), strict=True)
        for graded in grade(said[job.name], measured, times_ms, job.options.action_ms if job.options else 0.0)
    ]
    return pd.DataFrame(rows, columns=list(Graded.__dataclass_fields__))


def read_truth(file: str | Path) -> pd.DataFrame:
    """Return a table of truth with all columns that are looked at; what is not known is empty or NaN."""
    words = dict.fromkeys(("outcome", "class", "recorded", "note"), str)
    truth = pd.read_csv(file, dtype=words, converters={"video": plain_cell})
    for name in words:
        truth[name] = truth[name].fillna("") if name in truth else ""
    for name in ("settles", *EITHER):
        truth[name] = truth[name].astype(float) if name in truth else np.nan
    for strict, visible in EITHER.items():
        truth[visible] = truth[visible].astype(float).fillna(truth[strict]) if visible in truth else truth[strict]
    return truth


def grade(said: Mapping[Any, Any], measured: Measured, times_ms: F64, action_ms: float) -> Iterator[Graded]:
    """Grade both moments of a recording; one that nobody judged is left out."""
    settles_right = (
        math.isnan(said["settles"]) or measured.settles is None or measured.settles == bool(said["settles"])
    )
    drops = measured.metrics.get("dropped_frames")
    drops_off = math.nan if drops is None else _off(drops, said["dropped_frames"], said["dropped_frames_visible"])
    for moment in MOMENTS:
        found = measured.evidence.get(moment) or {}
        at = found.get("after_action_ms", math.nan)
        true, visible = said[f"{moment}_ms"], said[f"{moment}_visible_ms"]
        expected = said["outcome"] or "ok"
        if math.isnan(true) and expected == "ok":
            continue
        error = _off(at, true, visible)
        if math.isnan(at) or math.isnan(true):
            beside = measured.outcome == expected and math.isnan(at) and math.isnan(true)
            word = "right" if beside else "wrong" if measured.outcome in CLAIMS else "named"
        else:
            ends = min(true, visible), max(true, visible)
            beside = _is_beside(action_ms, ends, at, times_ms)
            word = _grade(ends, at, beside)
        yield Graded(
            said["video"], said["class"] or "all", said["recorded"] or "all", moment, measured.outcome,
            true, at, error, word, settles_right, said["note"], found.get("confidence", ""), drops_off,
            beside or word == "right",
        )  # fmt: skip


def _off(value: float, one: float, other: float) -> float:
    """Return how far a value lies outside of what is between two, NaN if any of them is."""
    return 0 * (value + one + other) + max(0.0, value - max(one, other)) + min(0.0, value - min(one, other))


def _is_beside(action_ms: float, true: tuple[float, float], at: float, times_ms: F64) -> bool:
    """Return whether a moment is in a picture that a person chose, or the one before or after."""
    first, last, chosen = (int(np.abs(times_ms - action_ms - ms).argmin()) for ms in (*true, at))
    return first - 1 <= chosen <= last + 1


def _grade(true: tuple[float, float], at: float, beside: bool) -> str:
    error = max(0.0, at - true[1], true[0] - at)
    if error <= TOLERANCE.right_ms or (beside and error <= TOLERANCE.neighbour_ms):
        return "right"
    return "near" if error <= TOLERANCE.near_ms else "wrong"


def per_class(graded: pd.DataFrame) -> pd.DataFrame:
    """Return how many recordings of each class are right, near, wrong and named, per moment."""
    rows = []
    for keys in (["group"], ["group", "recorded"]):
        if graded[keys[-1]].nunique() > 1:
            rows += [_counted(key, rows_of) for key, rows_of in graded.groupby(keys)]
    rows.append(_counted((), graded))
    return pd.DataFrame(rows).sort_values(["class", "recorded"], key=_in_order, ignore_index=True)


def per_confidence(graded: pd.DataFrame) -> pd.DataFrame:
    """Return how many answers of each word of confidence are right, near and wrong, and within a picture."""
    answers = graded[graded["confidence"] != ""]
    table = pd.crosstab(answers["confidence"], answers["grade"]).reindex(columns=GRADES[:3], fill_value=0)
    return table.assign(within_a_picture=answers.groupby("confidence")["within_a_picture"].sum())


def _counted(key: tuple[Any, ...], graded: pd.DataFrame) -> dict[str, Any]:
    group, recorded = (*key, "", "")[:2]
    row: dict[str, Any] = {
        "class": group or "all classes",
        "recorded": recorded,
        "clips": graded["video"].nunique(),
    }
    for moment in MOMENTS:
        words = graded.loc[graded["moment"] == moment, "grade"].value_counts()
        row |= {f"{moment} {word}": words.get(word, 0) for word in GRADES}
        row[f"{moment} within a picture"] = graded.loc[graded["moment"] == moment, "within_a_picture"].sum()
    wrong = graded.loc[~graded["settles_right"], "video"].nunique()
    drops = graded.groupby("video")["drops_error"].first().abs()
    return row | {"settles wrong": wrong, "drops off": round(drops.mean(), 2)}


def _in_order(column: pd.Series) -> pd.Series:
    """Sort numbers of classes as numbers; the line of all comes last."""
    return column.map(lambda text: (text == "all classes", f"{text.split()[0] if text else '':0>8}", text))


def not_right(graded: pd.DataFrame) -> pd.DataFrame:
    """Return every moment that is not right, the worst first."""
    missed = graded[(graded["grade"] != "right") | ~graded["settles_right"]]
    order = missed["error_ms"].abs().fillna(math.inf).sort_values(ascending=False).index
    names = {"group": "class", "true_ms": "true", "measured_ms": "measured", "error_ms": "error"}
    return (
        missed.loc[order]
        .drop(columns=["drops_error", "within_a_picture"])
        .rename(columns=names | {"settles_right": "settles"})
        .replace({"settles": SETTLES})
    )


def _measure(job: Job) -> tuple[Measured, F64]:
    """Return what was measured, without its series, and when the recording's frames come."""
    if job.options is None:
        return Measured("refused", job.problem, {}), np.zeros(1)
    measured = measure_screencast(job.path, job.options, threads=1)
    times_ms = np.zeros(1) if measured.series is None else measured.series.time_ms
    return replace(measured, series=None), times_ms
