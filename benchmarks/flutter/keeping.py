"""Keeps films of interactions whose moments are known: their videos, and what the tables say of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.phones.__main__ import keep_truth, truth
from benchmarks.phones.captures import Capture, write
from benchmarks.phones.filming import Take

LOSSLESS = Capture("vfr", None, {"preset": "veryfast", "qp": "0", "bf": "0", "g": "250"})
UNKNOWN = ("dropped_frames", "dropped_frames_visible")  # a widget may well rest for a slot
Rows = dict[str, dict[str, Any]]  # a line of each table


def keep_film(out: Path, take: Take, name: str, kind: str, of: str, at: Iterable[float] | None = None) -> Rows:
    """Write a film without loss, and return its lines of the tables.

    `kind` is the type of the interaction, as a manifest has it, `of` the class that it is counted with, and `at`
    where a finger came down, (x, y) in px of the film, if one did.
    """
    video = f"videos/{name}.mp4"
    write(take, LOSSLESS, out / video)
    said = {"video": video, **truth(take, list(take.times_ms)), **dict.fromkeys(UNKNOWN)}
    about = {"interaction_type": kind, "class": of, "recorded": "lossless"}
    note = {"note": name.replace("-", " ").replace("_", " ")}
    x, y = at or (None, None)
    row = {"video": video, "capture": "vfr", "interaction": name, "x": x, "y": y}
    return {"truth.csv": said | about | note, "runs.csv": row}


def keep_all(
    out: Path, films: Iterable[tuple[str, Callable[[], Rows]]], failures: tuple[type[Exception], ...]
) -> int:
    """Write the tables as films come, each with its name; return how many fail, which are named."""
    failed = 0
    for name, film in films:
        try:
            rows = film()
        except failures as error:
            failed += 1
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        for file, row in rows.items():
            keep_truth(out / file, [row])
        print(rows["truth.csv"]["video"], flush=True)
    return failed
