"""One recording of an app, recorded once more: by another kind of recorder, with something drawn over it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pandas as pd

from analysis.video.opening import open_container
from benchmarks.phones.__main__ import truth
from benchmarks.phones.captures import CAPPED, GOOD, Capture, on_screen, recorded_times, shown, write
from benchmarks.phones.filming import VISIBLE, Image, Take, changed
from benchmarks.recaptured.clicks import CLICKS
from benchmarks.recaptured.drawing import SLOT_MS, Scene
from benchmarks.recaptured.overlays import OVERLAYS
from benchmarks.recaptured.tools import TOOLS

TIGHT = {"preset": "veryfast", "tune": "zerolatency", "b": "3M", "maxrate": "3M", "bufsize": "1M"}
REALTIME = {"deadline": "realtime", "cpu-used": "6", "b": "2M"}
RECORDERS = (
    Capture("vfr", None, GOOD),
    Capture("adb", None, {"preset": "ultrafast", "tune": "zerolatency", "b": "8M", "g": "600"}, jitter_ms=2.0),
    Capture("repeating", None, {"preset": "veryfast", "b": "4M", "bf": "0"}, repeats_ms=200),
    Capture("hevc", None, {"preset": "ultrafast", "crf": "26", "x265-params": "log-level=none"}, codec="libx265"),
    Capture("cfr60", 60, CAPPED),
    Capture("refreshing", 60, {**TIGHT, "intra-refresh": "1", "g": "60"}),
    Capture("jittery", 60, GOOD, lost=0.15, jitter_ms=3.0),
    Capture("quicktime30", 30, {"preset": "medium", "crf": "23"}),
    Capture("uploaded30", 30, {"preset": "medium", "crf": "30"}, scale=0.6667),
    Capture("small", 60, {"preset": "fast", "crf": "27"}, scale=0.4),
    Capture("large", 60, {"preset": "ultrafast", "b": "10M"}, scale=2),
    Capture("vp8", 25, {**REALTIME, "b": "1M"}, codec="libvpx", suffix=".webm"),
    Capture("vp9", None, REALTIME, codec="libvpx-vp9", suffix=".webm"),
    Capture("av1", 30, {"preset": "10", "crf": "38", "svtav1-params": "lp=1"}, codec="libsvtav1"),
    Capture("mpeg4", 30, {"b": "3M", "g": "30"}, codec="mpeg4", suffix=".avi"),
    Capture("mjpeg", 30, {"qmin": "5", "qmax": "5"}, codec="mjpeg", suffix=".mov"),
    Capture("gif25", 25, codec="gif", suffix=".mkv", scale=0.6667),
    Capture("gif10", 10, codec="gif", suffix=".mkv", scale=0.6667),
)  # fmt: skip
DRAWN = {**OVERLAYS, **TOOLS, **CLICKS}
ROUNDING_MS = 1.0  # of the moments in TRUTH
TAP, TAP_MS = (270.0, 600.0), 60.0  # px, ms: where and how long, where nothing is said of it
WAYS = {"scroll": (0.0, -0.4), "swipe": (-0.5, 0.0)}  # of a finger, as shares of width and height: to the left, up
Areas = Sequence[Sequence[int]]  # left, top, right, bottom of each, px


@dataclass(frozen=True)
class Filmed(Take):
    """A recording as a take: its pictures are kept as they are."""

    held: tuple[np.ndarray, ...] = ()

    def images(self) -> Any:
        """Yield the pictures in order, (height, width, 3) RGB."""
        yield from self.held


def record_again(
    folder: Path, out: Path, job: tuple[pd.Series, Capture, str, np.random.Generator]
) -> dict[str, Any]:
    """Write one recording into `out` and return its line of the truth.

    `job` is the row of the recording in `folder`, what records it, a name of `DRAWN`, and what draws the rest.
    """
    row, recorder, name, random = job
    making = DRAWN[name]
    take = _taken(folder / row["video"], row)
    overlay = making(_scene(take, row), random)
    changes = slotted(overlay.changes_ms, take.times_ms)
    video = f"videos/{making.__name__}+{recorder.name}{recorder.suffix}"
    write(take, recorder, out / video, overlay.draw, changes)
    times_ms = recorded_times(take, recorder, changes)
    size, silent = overlay.scale * min(1.0, recorder.scale), json.loads(row.get("ignored_px", "[]"))
    seen = visible(take, times_ms, size, silent)
    strict = [min(at, times_ms[-1]) for at in take.strict_ms]  # a slow recorder may end before the last change
    said = truth(replace(take, strict_ms=strict, visible_ms=seen or take.visible_ms), times_ms, recorder.hz or 60)
    unknown = ["dropped_frames", "dropped_frames_visible"]
    if overlay.goes_on:
        unknown.append("settles")
    if not row["settles"]:
        unknown += ["finish_ms", "finish_visible_ms"]
    return {"video": video, **said, **dict.fromkeys(unknown)} | {
        "class": name,
        "interaction_type": row["interaction_type"],
        "recorded": recorder.name,
        "note": Path(row["video"]).with_suffix("").as_posix(),
    }


def _taken(file: Path, row: pd.Series) -> Filmed:
    with open_container(file) as container:
        frames = [
            (1000 * float(frame.time), frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)
        ]
    times, images = zip(*frames, strict=True)
    moments = [row[f"{moment}_ms"] for moment in ("response", "finish")]
    visible = [row[f"{moment}_visible_ms"] for moment in ("response", "finish")]
    about = {
        "action": row["action_ms"],
        "outcome": "ok",
        "settles": int(row["settles"]),
        "type": row["interaction_type"],
    }
    since = [time - times[0] for time in times]
    strict, seen = (
        [since[int(np.searchsorted(since, row["action_ms"] + at - ROUNDING_MS))] for at in ats if at == at]
        for ats in (moments, visible)
    )
    return Filmed(since, (), strict, seen, times[-1] / 1000, about, held=images)


def visible(take: Filmed, times_ms: Sequence[float], size: float, silent: Areas) -> list[float]:
    """Return the first and the last recorded time at which an eye sees the app change, ms; none if it sees nothing.

    A small recording loses what is seen in full size, and shows nothing besides. In full size the truth stays.
    """
    known = [shown(times_ms, min(at, times_ms[-1])) for at in take.visible_ms]
    if size == 1 or not known:
        return known
    seen = []
    for (_, before), (time, image) in pairwise(zip(times_ms, on_screen(take, times_ms), strict=True)):
        if not known[0] <= time <= known[-1] or image is before:
            continue
        one, other = (_recorded(each, size, silent) for each in (before, image))
        if (changed(one, other) > VISIBLE[1]).sum() >= VISIBLE[0]:
            seen.append(time)
    return [seen[0], seen[-1]] if seen else []


def _recorded(image: Image, size: float, silent: Areas) -> Image:
    """Return the app's picture at the size at which it is recorded, black where its truth is silent."""
    kept = image.copy() if silent else image
    for left, top, right, bottom in silent:
        kept[top:bottom, left:right] = 0
    return np.asarray(cv2.resize(kept, None, fx=size, fy=size, interpolation=cv2.INTER_AREA))


def slotted(changes_ms: Sequence[float], times_ms: Sequence[float]) -> list[float]:
    """Return the frames that a screen at 60 Hz shows besides, for changes that come between those that are there.

    A change that comes just before one of them is shown with it; one that comes just after, a slot later.
    """
    there = list(times_ms)
    for change in sorted(changes_ms):
        near = min(there, key=lambda time: abs(time - change))
        at = near + SLOT_MS if near < change < near + SLOT_MS / 2 else change
        if min(abs(time - at) for time in there) >= SLOT_MS / 2:
            there.append(at)
    return sorted(at for at in set(there) - set(times_ms) if 0 < at < times_ms[-1] - SLOT_MS)


def _scene(take: Filmed, row: pd.Series) -> Scene:
    at = (row["x"], row["y"]) if row["x"] == row["x"] else TAP
    first, last = take.strict_ms[0], take.strict_ms[-1]
    held_ms = row.get("action_end_ms", TAP_MS)
    released = take.action_ms + (held_ms if held_ms == held_ms else TAP_MS)
    high, wide = take.held[0].shape[:2]
    right, down = WAYS.get(row["interaction_type"], (0.0, 0.0))
    way = right * wide, down * high
    return Scene(take.action_ms, first, last, 1000 * take.seconds, at, (high, wide), released, way)
