"""What developers' tools draw over an app: where the finger is, and the number of a frame."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from benchmarks.phones.filming import Image
from benchmarks.recaptured.drawing import SLOT_MS, SOON, Making, Overlay, Scene, blend, slots, text

DRAGS_MS = 110.0  # a finger that stays longer moves
TARGET, PATH, SPEED, OVAL = (0, 0, 192), (0, 96, 255), (255, 64, 128), (200, 60, 128)  # of lines, red green blue
LINE_PX = 22  # high: the table


def crosshair(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show where the finger is, as Android's developer option *Pointer location* does.

    Lines cross under the finger over all of the screen and go when it leaves, a table at the top tells its numbers
    with each report, and its trace stays until it comes again. A finger reports all the time, a script's does not.
    """
    drags = scene.release_ms - scene.action_ms > DRAGS_MS
    until = scene.release_ms if drags else scene.action_ms + random.uniform(45, 100)
    away = random.uniform(-160, 160, 2) if drags else random.uniform(-1.5, 1.5, 2)
    former = scene.at + random.uniform(-150, 150, 2) + np.outer((0, 0.5, 1), random.uniform(-40, 40, 2))
    came_before, thick = bool(random.random() < 0.6), 1 + int(random.random() < 0.3)
    by_script = not drags and random.random() < 0.4
    meanwhile = [] if by_script else slots(scene.action_ms + 5, until)
    reports = [scene.action_ms, *meanwhile, until + SLOT_MS / 2]
    speed = away / (until - scene.action_ms)  # px a ms

    def place(ms: float) -> np.ndarray:
        return np.asarray(scene.at) + speed * np.clip(ms - scene.action_ms, 0, until - scene.action_ms)

    def draw(image: Image, ms: float, number: int) -> Image:
        image = image.copy()
        come, gone = ms >= scene.action_ms - SOON, ms >= reports[-1] - SOON
        if come:
            points = [place(at) for at in reports if at <= ms + SOON]
            cells = [f"X:{points[-1][0]:.1f}", f"Y:{points[-1][1]:.1f}", *(f"{v:.3f}" for v in speed)]
            if gone:
                cells = [f"dX:{away[0]:.1f}", f"dY:{away[1]:.1f}", *cells[2:]]
            _table(image, ["P:0/1" if gone else "P:1/1", *cells, "Prs:1.00"], red=drags and gone)
            _trace(image, points, speed)
            if not gone:
                _target(image, points[-1], thick, 26 + len(points) % 4)
        else:
            _table(image, ["P:0/1", "dX:4.2", "dY:1.7", "0.013", "0.008", "Prs:1.00"] if came_before else ["P:0/0"])
            _trace(image, former if came_before else [], speed)
        return image

    return Overlay(draw, reports)


def _table(image: Image, cells: Sequence[str], red: bool = False) -> None:
    strip, wide = image[:LINE_PX], image.shape[1] / 6
    blend(strip, lambda over: over.__setitem__(slice(None), 255), 0.5)
    for number, cell in enumerate(cells):
        first, last = round(number * wide), round((number + 1) * wide) - 1
        if cell.startswith("Prs") or (red and "d" in cell):
            blend(strip[:, first:last], lambda over: over.__setitem__(slice(None), (255, 0, 0)), 0.75)
        text(strip, cell, (first + 2, 15), 0, 0.4)


def _trace(image: Image, points: Sequence[np.ndarray], speed: np.ndarray) -> None:
    """Draw where a finger went, and how fast it was at last; nothing where it was seen once."""
    if len(points) < 2:
        return
    line = np.rint(points).astype(np.int32)
    cv2.polylines(image, [line], False, PATH, 1)
    for x, y in line.tolist():
        cv2.circle(image, (x, y), 1, (255, 0, 0), -1)
    ahead = np.rint(line[-1] + speed * SLOT_MS).astype(int).tolist()
    cv2.line(image, line[-1].tolist(), ahead, SPEED, 1)


def _target(image: Image, here: np.ndarray, thick: int, oval: int) -> None:
    x, y = (int(side) for side in here)
    cv2.line(image, (0, y), (image.shape[1], y), TARGET, thick)
    cv2.line(image, (x, 0), (x, image.shape[0]), TARGET, thick)
    cv2.circle(image, (x, y), oval, OVAL, 1, cv2.LINE_AA)
    cv2.line(image, (x, y - 20), (x, y + 20), (255, 255, 0), 1)


def stamp(scene: Scene, random: np.random.Generator) -> Overlay:
    """Write the time and the number of each frame into a corner, as `adb shell screenrecord --bugreport` does."""
    start = random.uniform(0, 1000)

    def draw(image: Image, ms: float, number: int) -> Image:
        image = image.copy()
        image[:18, :260] //= 3
        text(image, f"11:42:{(start + number * SLOT_MS) / 1000:06.3f} f={number + 40} (0)", (4, 13), 240, 0.42)
        return image

    return Overlay(draw, goes_on=True)


TOOLS: dict[str, Making] = {made.__name__: made for made in (crosshair, stamp)}
