"""How far two judges agree on what they see: `python -m benchmarks.agreement FOLDER…`.

FOLDER holds cuts of `benchmarks.unprepared`. `unprepared/judged_again.csv` says what was chosen a second time in
some of them, by eye, with a count of changed pixels beside each frame and without sight of the first choice or of
what UPReg measures: response and finish (ms after the action), another frame where there was a doubt, and whether
the screen settles; no finish where the answer itself goes on to the end. They are graded as what is measured is
(devices.py).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import F64
from analysis.measure import Measured
from analysis.video.opening import open_container
from benchmarks.devices import GRADES, MOMENTS, SETTLES, grade, read_truth

AGAIN = Path(__file__).parent / "unprepared" / "judged_again.csv"
PREFERRED, EITHER = "the frame preferred", "or the other, where in doubt"


def main(argv: list[str] | None = None) -> int:
    """Print how the second choices are graded against the first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    rows = [row for folder in parser.parse_args(argv).folders for row in _of_folder(folder)]
    if not rows:
        sys.exit(f"no cut of {AGAIN.name} lies there: fetch them with `python -m benchmarks.unprepared OUT`")
    print(counted(rows).to_string())
    return 0


def counted(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Return how many choices are right, near, wrong and named: a row per moment and way to choose."""
    told = pd.DataFrame(rows)
    return pd.crosstab([told["moment"], told["chosen"]], told["grade"]).reindex(columns=GRADES, fill_value=0)


def agree(
    said: Mapping[Any, Any], again: Mapping[Any, Any], times_ms: F64, action_ms: float
) -> Iterator[dict[str, str]]:
    """Yield how both choices of each moment of a cut are graded, of EITHER the better one, and if it settles.

    `times_ms` (n,) says when each of its frames came.
    """
    words: dict[str, list[str]] = {moment: [] for moment in MOMENTS}
    for column in ("{}_ms", "{}_other_ms"):
        chosen = {moment: float(again[column.format(moment)]) for moment in MOMENTS}
        evidence = {moment: {"after_action_ms": at} for moment, at in chosen.items()}
        outcome = "ok"
        if column == "{}_ms" and np.isnan(chosen["finish"]):
            outcome = "no_response" if np.isnan(chosen["response"]) else "never_settles"
        for graded in grade(said, Measured(outcome, "", {}, None, evidence), times_ms, action_ms):
            if column == "{}_ms" or not np.isnan(chosen[graded.moment]):
                words[graded.moment].append(graded.grade)
    for moment, found in words.items():
        if found:
            yield {"moment": moment, "chosen": PREFERRED, "grade": found[0]}
            yield {"moment": moment, "chosen": EITHER, "grade": min(found, key=GRADES.index)}
    if not np.isnan(said["settles"]):
        yield {"moment": "settles", "chosen": PREFERRED, "grade": SETTLES[said["settles"] == again["settles"]]}


def _of_folder(folder: Path) -> Iterator[dict[str, str]]:
    again = {row["video"]: row for row in pd.read_csv(AGAIN).to_dict("records")}
    for said in read_truth(folder / "truth.csv").to_dict("records"):
        if said["video"] in again:
            yield from agree(said, again[said["video"]], _times_ms(folder / said["video"]), said["action_ms"])


def _times_ms(file: Path) -> F64:
    """Return (n,): when each frame of a cut comes, ms after the first."""
    with open_container(file) as container:
        times = sorted(
            float(packet.pts * packet.time_base) for packet in container.demux(video=0) if packet.pts is not None
        )
    return 1000 * (np.array(times) - times[0])


if __name__ == "__main__":
    sys.exit(main())
