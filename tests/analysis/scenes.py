"""Scenes with known truth. The user acts at 500 ms; times are ms of the clip, areas fractions of the screen.

Each scene paints the state of the screen at a time. `response` and `finish` are when the first and the last visible
change happen; a frame shows a change at the first capture at or after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ACTION_MS = 500.0
SLOT = 1000 / 60
Paint = Callable[[np.ndarray, float], None]


@dataclass(frozen=True)
class Scene:
    """A scene and what a person says about it. `slack_ms` widens what a person may say."""

    paint: Paint
    response: float | None
    finish: float | None
    outcome: str = "ok"
    settles: bool = True
    seconds: float = 3.0
    slack_ms: float = 0.0


def box(picture: np.ndarray, x0: float, y0: float, x1: float, y1: float, colour: tuple[int, int, int]) -> None:
    """Fill a rectangle given in fractions."""
    height, width = picture.shape[:2]
    picture[round(y0 * height) : round(y1 * height), round(x0 * width) : round(x1 * width)] = colour


def tint(picture: np.ndarray, area: np.ndarray | slice, share: float, level: int = 0) -> None:
    """Blend an area towards a grey level."""
    picture[area] = np.rint(picture[area] * (1 - share) + level * share).astype(np.uint8)


def circle(picture: np.ndarray, x: float, y: float, radius: float) -> np.ndarray:
    """Return the mask of a circle; the radius is in fractions of the width."""
    height, width = picture.shape[:2]
    rows, columns = np.ogrid[:height, :width]
    return (rows - y * height) ** 2 + (columns - x * width) ** 2 <= (radius * width) ** 2


def dialog(at: float, picture: np.ndarray, time: float) -> None:
    """A dialog opens."""
    if time >= at:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))


def ripple(picture: np.ndarray, time: float) -> None:
    """A button answers with a faint circle that grows and goes."""
    box(picture, 0.06, 0.3, 0.94, 0.38, (225, 228, 240))
    if 550 <= time < 900:
        area = circle(picture, 0.5, 0.34, 0.05 + 0.3 * (time - 550) / 350)
        area[: round(0.3 * picture.shape[0])] = False
        area[round(0.38 * picture.shape[0]) :] = False
        tint(picture, area, 0.12)


def ease_out(picture: np.ndarray, time: float) -> None:
    """A card slides in and slows down towards its place."""
    if time >= 560:
        left = max(0.0, (1 - (time - 560) / 500)) ** 3
        box(picture, 0.1 + 0.8 * left, 0.4, min(1.0, 0.8 + 0.8 * left), 0.6, (30, 90, 160))


def caret(picture: np.ndarray, time: float) -> None:
    """A caret blinks in a field from the start; a word appears."""
    box(picture, 0.06, 0.2, 0.94, 0.26, (255, 255, 255))
    if (time + 130) % 1060 < 530:
        box(picture, 0.1, 0.21, 0.11, 0.25, (20, 20, 20))
    if time >= 600:
        box(picture, 0.1, 0.4, 0.5, 0.46, (20, 20, 20))


def _spin(picture: np.ndarray, time: float, x: float, y: float) -> None:
    angle = 2 * np.pi * time / 900
    height, width = picture.shape[:2]
    dx, dy = 0.04 * np.cos(angle), 0.04 * np.sin(angle) * width / height
    box(picture, x + dx - 0.02, y + dy - 0.01, x + dx + 0.02, y + dy + 0.01, (240, 240, 240))


def spinner_in_corner(picture: np.ndarray, time: float) -> None:
    """A spinner turns all the time; a dialog opens."""
    _spin(picture, time, 0.9, 0.035)
    if time >= 600:
        share = min(1.0, (time - 600) / 250)
        box(picture, 0.2, 0.4, 0.8, 0.4 + 0.2 * share, (120, 60, 60))


def spinner_that_ends(picture: np.ndarray, time: float) -> None:
    """A spinner turns until the content is there."""
    if 560 <= time < 1500:
        box(picture, 0.3, 0.45, 0.7, 0.55, (90, 90, 90))
        _spin(picture, time, 0.5, 0.5)
    elif time >= 1500:
        box(picture, 0.1, 0.3, 0.9, 0.8, (200, 220, 200))


def slow_fade(picture: np.ndarray, time: float) -> None:
    """The whole screen dims over 1.5 s, in steps that nobody sees one by one."""
    tint(picture, slice(None), 0.5 * float(np.clip((time - 560) / 1500, 0, 1)))


def flash(picture: np.ndarray, time: float) -> None:
    """A button lights up for four frames."""
    box(picture, 0.06, 0.3, 0.94, 0.38, (255, 220, 60) if 600 <= time < 666 else (225, 228, 240))


def progressive_load(picture: np.ndarray, time: float) -> None:
    """Three parts arrive half a second apart."""
    for part, start in enumerate((600, 1100, 1600)):
        if time >= start:
            box(picture, 0.1, 0.2 + 0.25 * part, 0.9, 0.4 + 0.25 * part, (60 + 50 * part, 120, 90))


def toast(picture: np.ndarray, time: float) -> None:
    """A toast comes, and leaves after two seconds."""
    if 600 <= time < 2600:
        box(picture, 0.06, 0.9, 0.94, 0.96, (50, 50, 50))


def carousel(picture: np.ndarray, time: float) -> None:
    """Slides move every 800 ms all the time; a page opens above them."""
    phase = (time + 300) % 800
    left = 1.0 - min(1.0, phase / 300)
    count = int((time + 300) // 800)
    box(picture, 0.06, 0.7, 0.94, 0.85, (200 - 60 * (count % 3), 120, 90 + 50 * (count % 3)))
    box(
        picture,
        0.06 + 0.88 * left,
        0.7,
        0.94,
        0.85,
        (200 - 60 * ((count + 1) % 3), 120, 90 + 50 * ((count + 1) % 3)),
    )
    if time >= 620:
        box(picture, 0.1, 0.2, 0.9, 0.4, (20, 60, 60))


def game(picture: np.ndarray, time: float) -> None:
    """After the tap most of the screen moves for ever."""
    if time >= 560:
        for row in range(10):
            for column in range(5):
                shade = int(127 + 120 * np.sin(time / 90 + row * 1.7 + column * 2.3))
                box(picture, column / 5, row / 10, column / 5 + 0.19, row / 10 + 0.095, (shade, 255 - shade, 90))


def seconds_clock(picture: np.ndarray, time: float) -> None:
    """A clock ticks in the status bar; a page opens."""
    tick = int((time + 200) // 1000)
    box(picture, 0.85, 0.005, 0.97, 0.025, (57, 73, 171))
    box(picture, 0.86, 0.008, 0.90 + 0.03 * (tick % 3), 0.022, (255, 255, 255))
    if time >= 600:
        box(picture, 0.1, 0.3, 0.9, 0.6, (20, 60, 60))


def nothing(picture: np.ndarray, time: float) -> None:
    """Nobody answers."""


SCENES = {
    "ripple": Scene(ripple, 550, 900),
    "ease_out": Scene(ease_out, 560, 1060, slack_ms=85),
    "caret": Scene(caret, 600, 600),
    "spinner_in_corner": Scene(spinner_in_corner, 600, 850, settles=False),
    "spinner_that_ends": Scene(spinner_that_ends, 560, 1500),
    "slow_fade": Scene(slow_fade, 560, 2060, slack_ms=70),
    "flash": Scene(flash, 600, 666),
    "progressive_load": Scene(progressive_load, 600, 1600),
    "toast": Scene(toast, 600, 2600, seconds=4.0),
    "carousel": Scene(carousel, 620, 620, settles=False, seconds=4.5),
    "game": Scene(game, 560, None, outcome="never_settles", settles=False),
    "seconds_clock": Scene(seconds_clock, 600, 600, settles=False, seconds=4.5),
    "nothing": Scene(nothing, None, None, outcome="no_response"),
}
