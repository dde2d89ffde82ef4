"""Scenes that show when the user acts, and scenes that show something like it. Times are ms of the clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from analysis.options import MeasureOptions
from tests.analysis.located_scenes import drag, located, page_follows, tap_at
from tests.analysis.scenes import box, circle, tint
from tests.synthetic import Clip, Draw, Screen, every, film, on_change

SCREEN = Screen(360, 640)
DOWN_MS = 700.0
SECONDS = 2.6
SLOT = 1000 / 60
RATES: dict[str, dict[str, str]] = {
    "vfr": {"preset": "veryfast", "crf": "23", "tune": "zerolatency"},
    "cfr60": {"preset": "veryfast", "crf": "23"},
    "starved": {"preset": "veryfast", "crf": "30", "maxrate": "350k", "bufsize": "350k"},
}


@dataclass(frozen=True)
class Acted:
    """A scene: what it shows of the action (kind and instant), and the response, ms after it; None: none of it."""

    paint: Draw
    kind: str | None
    response: float | None = 200.0
    down_ms: float = DOWN_MS
    type: str = "tap"
    certain: bool = True

    def options(self, mode: str = "any", **more: object) -> MeasureOptions:
        """Return what is known of it."""
        return replace(MeasureOptions(interaction_type=self.type, find_action=mode), **more)

    def film(self, folder: Path, rate: str) -> Path:
        """Render it as a recorder at this rate would."""
        times = every(60, SECONDS)
        if rate == "vfr":
            pages = [SCREEN.page() for _ in times]
            for page, time in zip(pages, times, strict=True):
                self.paint(page, time)
            changed = [bool((one != other).any()) for one, other in pairwise(pages)]
            times = on_change(np.array(times[1:])[changed], times[-1])
        return film(folder / f"{rate}.mp4", SCREEN, self.paint, Clip(times, options=RATES[rate]))


def answer(picture: np.ndarray, time: float, at: float = DOWN_MS + 200) -> None:
    """A dialog opens."""
    if time >= at:
        box(picture, 0.1, 0.15, 0.9, 0.4, (40, 60, 90))


def dot(
    picture: np.ndarray, x: float, y: float, *, radius: float = 0.06, level: int = 120, share: float = 0.5
) -> None:
    """Blend the platform's dot over what is there."""
    tint(picture, circle(picture, x, y, radius), share, level)


def tapped(until: float, picture: np.ndarray, time: float) -> None:
    """A finger on text; the dialog comes 200 ms later."""
    answer(picture, time)
    if DOWN_MS <= time < until:
        dot(picture, 0.45, 0.62)


def small_dot(picture: np.ndarray, time: float) -> None:
    """A script's dot, 20 px across, blue."""
    answer(picture, time)
    if DOWN_MS <= time < DOWN_MS + 150:
        area = circle(picture, 0.3, 0.7, 0.028)
        picture[area] = np.rint(0.4 * picture[area] + 0.6 * np.array([30, 90, 220])).astype(np.uint8)


def pale_circle(picture: np.ndarray, time: float) -> None:
    """A simulator's grey circle, which fades in over three frames and out again."""
    answer(picture, time)
    strength = min(np.clip((time - DOWN_MS + SLOT) / 50, 0, 1), np.clip((DOWN_MS + 300 - time) / 60, 0, 1))
    if strength:
        dot(picture, 0.5, 0.75, radius=0.075, share=0.35 * float(strength), level=90)


def dot_over_ripple(picture: np.ndarray, time: float) -> None:
    """The button under the finger answers 50 ms later with a ripple, which the dot outlasts."""
    box(picture, 0.1, 0.55, 0.9, 0.72, (225, 228, 240))
    if DOWN_MS + 50 <= time < DOWN_MS + 450:
        area = circle(picture, 0.45, 0.63, 0.04 + 0.5 * (time - DOWN_MS - 50) / 350)
        area[: round(0.55 * picture.shape[0])] = False
        area[round(0.72 * picture.shape[0]) :] = False
        tint(picture, area, 0.15)
    if DOWN_MS <= time < DOWN_MS + 180:
        dot(picture, 0.45, 0.63, level=250)
        dot(picture, 0.45, 0.63, radius=0.05, level=60, share=0.3)


def swiped(picture: np.ndarray, time: float) -> None:
    """The dot goes down, moves after 80 ms and takes the page along."""
    moved = 0.3 * float(np.clip((time - DOWN_MS - 80) / 250, 0, 1))
    picture[:] = np.roll(picture, -round(moved * picture.shape[0]), axis=0)
    if DOWN_MS <= time < DOWN_MS + 350:
        dot(picture, 0.5, 0.75 - moved)


def two_taps(picture: np.ndarray, time: float) -> None:
    """Two touches, each with a dot: which is meant?"""
    answer(picture, time)
    answer(picture, time, 1e9)
    if DOWN_MS <= time < DOWN_MS + 120 or DOWN_MS + 900 <= time < DOWN_MS + 1020:
        dot(picture, 0.45, 0.62 if time < 1400 else 0.82)


def ripple_alone(picture: np.ndarray, time: float) -> None:
    """A button's ripple grows out of a small circle and goes; no dot."""
    box(picture, 0.05, 0.5, 0.95, 0.75, (235, 238, 245))
    if DOWN_MS <= time < DOWN_MS + 350:
        area = circle(picture, 0.45, 0.62, 0.04 + 0.45 * (time - DOWN_MS) / 350)
        area[: round(0.5 * picture.shape[0])] = False
        area[round(0.75 * picture.shape[0]) :] = False
        tint(picture, area, 0.2)
    answer(picture, time)


def ticked(picture: np.ndarray, time: float) -> None:
    """A round box is ticked and stays so: no finger."""
    cv2.circle(picture, (180, 400), 18, (60, 60, 60), 2)
    if time >= DOWN_MS:
        cv2.circle(picture, (180, 400), 18, (30, 120, 60), -1, cv2.LINE_AA)


def round_button(picture: np.ndarray, time: float) -> None:
    """A round button with a cross comes up for a moment and goes, as where a pointer passes: no finger."""
    answer(picture, time)
    if 250 <= time < 500:
        cv2.circle(picture, (250, 440), 24, (40, 40, 40), -1, cv2.LINE_AA)
        for way in (-1, 1):
            cv2.line(picture, (242, 440 - 8 * way), (258, 440 + 8 * way), (250, 250, 250), 3, cv2.LINE_AA)


def blinking_sign(picture: np.ndarray, time: float) -> None:
    """A round sign in the page goes on and off twice a second."""
    answer(picture, time)
    if (time // 300) % 2:
        cv2.circle(picture, (320, 500), 14, (200, 30, 30), -1, cv2.LINE_AA)


def nothing(picture: np.ndarray, time: float) -> None:
    """A dialog opens, and nothing shows why."""
    answer(picture, time)


def flashed(whole: bool, frames: int, level: int, picture: np.ndarray, time: float) -> None:
    """A marker for some frames."""
    answer(picture, time)
    if DOWN_MS - 1 <= time < DOWN_MS + frames * SLOT - 1:
        picture[(slice(None),) if whole else (slice(None, 60), slice(-60, None))] = level


def flash_at_start(picture: np.ndarray, time: float) -> None:
    """The recording begins within the flash."""
    answer(picture, time)
    if time < 60:
        picture[:] = 255


def white_page(picture: np.ndarray, time: float) -> None:
    """A new page is white for four frames and then there: an answer, no marker."""
    if DOWN_MS <= time < DOWN_MS + 66:
        picture[:] = 255
    if time >= DOWN_MS + 66:
        picture[:] = 250
        for row in range(6):
            box(picture, 0.05, 0.1 + 0.14 * row, 0.95, 0.2 + 0.14 * row, (60 + 20 * row, 90, 140))


def keyboard(picture: np.ndarray) -> None:
    """Draw a field and a keyboard."""
    box(picture, 0.05, 0.2, 0.95, 0.27, (255, 255, 255))
    box(picture, 0, 0.62, 1, 1, (210, 213, 219))
    for row in range(4):
        for key in range(10):
            box(
                picture,
                0.01 + 0.099 * key,
                0.64 + 0.09 * row,
                0.092 + 0.099 * key,
                0.715 + 0.09 * row,
                (250, 250, 250),
            )


def typed(popup: bool, picture: np.ndarray, time: float) -> None:
    """A key is lit (or its popup comes) for 110 ms; the letter appears 60 ms after the touch."""
    keyboard(picture)
    if DOWN_MS <= time < DOWN_MS + 110:
        if popup:
            box(picture, 0.28, 0.66, 0.42, 0.80, (120, 160, 240))
        else:
            box(picture, 0.307, 0.73, 0.389, 0.805, (120, 160, 240))
    if time >= DOWN_MS + 60:
        cv2.putText(picture, "h", (30, 158), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 20), 2, cv2.LINE_AA)


def button_below(picture: np.ndarray, time: float) -> None:
    """A button in the lower half is lit while it is pressed: an answer, no key."""
    box(picture, 0.1, 0.7, 0.3, 0.78, (225, 228, 240))
    if DOWN_MS <= time < DOWN_MS + 120:
        box(picture, 0.1, 0.7, 0.3, 0.78, (150, 160, 200))
    answer(picture, time)


DRAGGED = [(DOWN_MS, 180.0, 480.0), *drag((180, 480), (180, 300), DOWN_MS + 50, 250.0, 400.0)]
Paint = Callable[[np.ndarray, float], None]
ACTED: dict[str, Acted] = {
    "tap": Acted(partial(tapped, DOWN_MS + 120), "dot"),
    "short_tap": Acted(partial(tapped, DOWN_MS + 2 * SLOT), "dot"),
    "long_press": Acted(partial(tapped, DOWN_MS + 1000), "dot"),
    "held_to_the_end": Acted(partial(tapped, 1e9), "dot", certain=False),
    "small_dot": Acted(small_dot, "dot"),
    "pale_circle": Acted(pale_circle, "dot"),
    "dot_over_ripple": Acted(dot_over_ripple, "dot", response=50),
    "swipe": Acted(swiped, "dot", response=83, type="swipe"),
    "pointer_location": Acted(partial(located, nothing, tap_at(160, 400, DOWN_MS)), "cross"),
    "pointer_location_and_dot": Acted(
        partial(located, partial(tapped, DOWN_MS + 83), tap_at(162, 397, DOWN_MS)), "cross"
    ),
    "pointer_location_drag": Acted(
        partial(located, partial(page_follows, DRAGGED), DRAGGED), "cross", response=75, type="swipe"
    ),
    "corner_flash": Acted(partial(flashed, False, 3, 255), "flash"),
    "corner_flash_one_frame": Acted(partial(flashed, False, 1, 0), "flash"),
    "screen_flash": Acted(partial(flashed, True, 2, 255), "flash"),
    "black_flash": Acted(partial(flashed, True, 6, 0), "flash"),
    "flash_at_start": Acted(flash_at_start, "flash", down_ms=0.0, certain=False),
    "lit_key": Acted(partial(typed, False), "key", response=60, type="type"),
    "key_popup": Acted(partial(typed, True), "key", response=60, type="type"),
    "ripple_alone": Acted(ripple_alone, None),
    "ticked": Acted(ticked, None),
    "round_button": Acted(round_button, None),
    "blinking_sign": Acted(blinking_sign, None),
    "nothing": Acted(nothing, None),
    "white_page": Acted(white_page, None),
    "button_below": Acted(button_below, None),
}
