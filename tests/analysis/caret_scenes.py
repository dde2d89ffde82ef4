"""Text fields with carets, to be filmed: what blinks, what fades, what a letter does beside it. Times in ms."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tests.analysis.scenes import box

BLINK_MS = 530.0
FONT = (cv2.FONT_HERSHEY_SIMPLEX, 0.8)
FADES = ((0, 1.0), (537, 0.75), (575, 0.5), (612, 0.25), (650, 0.0), (887, 0.25), (925, 0.5), (962, 0.75))


def field(picture: np.ndarray, text: str, shown: float) -> None:
    """Paint a text field with a caret behind its text, which is so far shown, 0 to 1."""
    box(picture, 0.06, 0.25, 0.94, 0.33, (255, 255, 255))
    cv2.putText(picture, text, (24, 174), *FONT, (20, 20, 20), 2, cv2.LINE_AA)
    x = 27 + cv2.getTextSize(text, *FONT, 2)[0][0]
    bar = picture[150:180, x : x + 2]
    bar[:] = np.rint(bar * (1 - shown) + np.array((30, 60, 200)) * shown)


def is_shown(since: float) -> bool:
    """Return whether a caret is seen so long after it was drawn."""
    return since % (2 * BLINK_MS) < BLINK_MS


def typing(letters: Sequence[float], phase: float, picture: np.ndarray, time: float) -> None:
    """A letter appears at each of the times, the caret moves on and begins to blink anew."""
    typed = [letter for letter in letters if time >= letter]
    field(picture, "Hello" + "aiw"[: len(typed)], is_shown(time - typed[-1] if typed else time + phase))


def typing_fading(letters: Sequence[float], phase: float, picture: np.ndarray, time: float) -> None:
    """The same, with a caret that fades in and out, as iOS has them."""
    typed = [letter for letter in letters if time >= letter]
    since = (time - typed[-1] if typed else time + phase) % 1000
    field(picture, "Hello" + "aiw"[: len(typed)], next(shown for at, shown in reversed(FADES) if since >= at))


def becomes(text: str, at: float, phase: float, picture: np.ndarray, time: float) -> None:
    """The text "Hello" becomes another at a time; the caret moves there and begins to blink anew."""
    field(picture, text if time >= at else "Hello", is_shown(time - at if time >= at else time + phase))


def goes_then_letter(goes: float, letter: float, picture: np.ndarray, time: float) -> None:
    """The caret was seen from the start, goes once, and a letter comes before it is back."""
    field(
        picture, "Helloa" if time >= letter else "Hello", is_shown(time - letter) if time >= letter else time < goes
    )


def goes_then_sheet(goes: float, opens: float, picture: np.ndarray, time: float) -> None:
    """The caret goes at a time and comes back later; a sheet opens elsewhere."""
    field(picture, "Hello", not is_shown(time - goes))
    if time >= opens:
        box(picture, 0.1, 0.5, 0.9, 0.8, (40, 60, 60))


def focused(at: float, picture: np.ndarray, time: float) -> None:
    """A field was tapped: a caret comes, and blinks from then on."""
    field(picture, "", time >= at and is_shown(time - at))


def caret_comes_back(picture: np.ndarray, time: float) -> None:
    """A field loses its blinking caret as a sheet opens, and has it again later, at the line's start."""
    box(picture, 0.0, 0.1, 1.0, 0.2, (245, 245, 245))
    if time < 1400 and time % 1000 < 500:
        box(picture, 0.6, 0.13, 0.607, 0.165, (20, 60, 200))
    if time >= 1400:
        box(picture, 0.1, 0.5, 0.9, 0.8, (40, 60, 60))
    if time >= 1900 and (time - 1900) % 1000 < 500:
        box(picture, 0.1, 0.13, 0.107, 0.165, (20, 60, 200))


def narrow_letter(phase: float, picture: np.ndarray, time: float) -> None:
    """The letter takes the place of the caret, which moves on by one block: all that changes lies beside it."""
    box(picture, 0.06, 0.25, 0.94, 0.33, (255, 255, 255))
    typed = time >= 1600
    if typed:
        picture[152:176, 57:62] = (20, 20, 20)
    if is_shown(time - 1600 if typed else time + phase):
        left = 65 if typed else 57
        picture[152:176, left : left + 2] = (30, 60, 200)


def lamp(times: Sequence[float], opens: float, picture: np.ndarray, time: float) -> None:
    """A little lamp goes on and off at the times; a sheet opens."""
    if sum(time >= at for at in times) % 2:
        box(picture, 0.3, 0.25, 0.4, 0.27, (200, 40, 40))
    if time >= opens:
        box(picture, 0.1, 0.5, 0.9, 0.8, (40, 60, 60))
