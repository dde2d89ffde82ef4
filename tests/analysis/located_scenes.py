"""Scenes with Android's *Pointer location* on, drawn as its documentation and its pictures show it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import cv2
import numpy as np

from tests.synthetic import Draw

TABLE_PX = 12
BLUE, RED = (0, 0, 192), (255, 0, 0)
Path = Sequence[tuple[float, float, float]]  # ms, x, y: the reports of a finger, from down to up


def located(under: Draw, path: Path, picture: np.ndarray, time: float) -> None:
    """Draw what is under it, the table and the trace, and while the finger is down lines and an oval."""
    under(picture, time)
    reports = [(ms, round(x), round(y)) for ms, x, y in path if ms <= time]
    down = bool(reports) and time < path[-1][0]
    picture[:TABLE_PX] = np.rint(0.5 * picture[:TABLE_PX] + 127).astype(np.uint8)
    words = "P: 0 / 1" if not reports else f"P: {int(down)} / 1  X: {reports[-1][1]}.0  Y: {reports[-1][2]}.0"
    cv2.putText(picture, words, (2, TABLE_PX - 2), cv2.FONT_HERSHEY_PLAIN, 0.7, (0, 0, 0), 1)
    cv2.polylines(picture, [np.array([(x, y) for _, x, y in reports], np.int32).reshape(-1, 1, 2)], False, RED, 1)
    if down:
        _, x, y = reports[-1]
        picture[y], picture[:, x] = BLUE, BLUE
        cv2.ellipse(picture, (x, y), (13, 10), 0, 0, 360, (200, 60, 128), 1)


def tap_at(x: float, y: float, ms: float, lasts_ms: float = 83.0) -> Path:
    """Return the reports of a finger that trembles a little as it taps."""
    return [(ms, x, y), (ms + 0.4 * lasts_ms, x + 1, y - 1), (ms + lasts_ms, x + 1, y - 1)]


def drag(
    first: tuple[float, float], last: tuple[float, float], ms: float, lasts_ms: float, rests_ms: float
) -> Path:
    """Return the reports of a finger that drags evenly, and rests before it leaves."""
    steps = max(2, round(lasts_ms * 60 / 1000))
    moved = [
        (ms + lasts_ms * share, first[0] + (last[0] - first[0]) * share, first[1] + (last[1] - first[1]) * share)
        for share in np.linspace(0, 1, steps).tolist()
    ]
    return [*moved, (ms + lasts_ms + rests_ms, *last)]


def page_follows(path: Path, picture: np.ndarray, time: float) -> None:
    """Let the page go along with a finger that drags, down or up."""
    there = [y for ms, _, y in path if ms <= time] or [path[0][2]]
    picture[:] = np.roll(picture, round(there[-1] - path[0][2]), axis=0)


def window_opens(at: float, picture: np.ndarray, time: float) -> None:
    """Let an empty window with a rim grow from a middle to the edges: its edges are lines down and across."""
    done = float(np.clip((time - at) / 400, 0, 1))
    height, width = picture.shape[:2]
    if time >= at:
        x, y = round((0.08 - 0.08 * done) * width), round((0.08 - 0.08 * done) * height)
        cv2.rectangle(picture, (x, y), (width - 1 - x, height - 1 - y), (250, 250, 250), -1)
        cv2.rectangle(picture, (x, y), (width - 1 - x, height - 1 - y), (0, 0, 160), 1)


LEAVES_LATE = drag((140, 420), (140, 260), 500.0, 300.0, 700.0)
FOLLOWED: Draw = partial(located, partial(page_follows, LEAVES_LATE), LEAVES_LATE)
