"""Motions of known slots at 60 Hz, some of which may be lost, to be filmed. Times in ms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import cv2
import numpy as np

from tests.analysis.scenes import SLOT, box, tint
from tests.synthetic import Screen

Motion = Callable[[np.ndarray, int], None]
START, SLOTS = 36, 36  # a motion's first slot and how many it takes
WAY = "270 200 150 110 80 58 42 30 21 15 10 7 5 4 3 2 1.5 1 1 0.5 0.5 0.5 0.25 0.25 0.25 0"
GLIDES = [float(left) for left in WAY.split()]  # px that are left in each slot
LOST = (40, 41, 47, 53, 54, 55, 60)  # slots that show the picture before once more


def thin_spinner(picture: np.ndarray, slot: int) -> None:
    """An arc, two pixels wide, turns on a card."""
    box(picture, 0.25, 0.4, 0.75, 0.55, (255, 255, 255))
    cv2.ellipse(picture, (135, 278), (20, 20), 7.0 * slot, 0, 90, (60, 120, 220), 2, cv2.LINE_AA)


def shimmer(picture: np.ndarray, slot: int) -> None:
    """A faint band of light travels over the grey bars of a page that is being loaded."""
    light = 18 * np.exp(-(((np.arange(picture.shape[1]) - 12 * (slot - START)) / 45) ** 2))
    for top in range(100, 500, 100):
        picture[top : top + 50, 20:250] = (225 + light).astype(np.uint8)[None, 20:250, None]


def fades(picture: np.ndarray, slot: int) -> None:
    """The page dims."""
    tint(picture, slice(None), 0.6 * (slot - START + 1) / SLOTS)


def slides(picture: np.ndarray, slot: int) -> None:
    """Another page slides in and slows down."""
    page = Screen(seed=2).page()
    left = round(picture.shape[1] * (1 - (slot - START + 1) / SLOTS) ** 2)
    picture[:, left:] = page[:, : page.shape[1] - left]


def changes_colour(picture: np.ndarray, slot: int) -> None:
    """A card's colour fades by two thirds of a level in every slot."""
    box(picture, 0.1, 0.3, 0.9, 0.7, (245, 240, 225))
    shade = round(24 * (slot - START + 1) / SLOTS)
    box(picture, 0.1, 0.3, 0.9, 0.7, (245 - shade, 240 - shade, 225 - shade))


def losing(motion: Motion, lost: Sequence[int], picture: np.ndarray, time: float) -> None:
    """Paint a motion that loses slots."""
    slot = round(time / SLOT)
    while slot in lost:
        slot -= 1
    if slot >= START:
        motion(picture, min(slot, START + SLOTS - 1))


def slides_in(picture: np.ndarray, time: float) -> None:
    """A card slides in over 400 ms."""
    if time >= 600:
        left = 0.9 * max(0.0, 1 - (time - 600) / 400)
        box(picture, 0.05 + left, 0.3, 0.95, 0.6, (30, 90, 160))


def mark_after_slide(marks: bool, picture: np.ndarray, time: float) -> None:
    """A page slides in and stops, and the encoder corrects the slide; 83 ms later a mark may appear on it."""
    slot = round(time / SLOT)
    if slot >= START:
        slides(picture, START + min(3 * (slot - START), SLOTS - 1))
    if marks and slot >= START + 17:
        box(picture, 0.3, 0.5, 0.42, 0.53, (225, 225, 225))


def small_step_beside_a_large_one(picture: np.ndarray, time: float) -> None:
    """The whole page lights up, one row goes back, the page slides: none of the three is a repeat."""
    slot = round(time / SLOT)
    if slot >= START:
        box(picture, 0.0, 0.2, 1.0, 0.9, (190, 200, 230))
    if slot >= START + 1:
        box(picture, 0.1, 0.3, 0.35, 0.33, (205, 212, 236))
    if slot >= START + 2:
        slides(picture, min(slot, START + SLOTS - 1))


def comes_to_rest(picture: np.ndarray, time: float) -> None:
    """A dark sheet with grey text slides in from 600 ms on; its text takes the last steps, by parts of a pixel."""
    slot = round((time - 600) / SLOT)
    if slot < 0:
        return
    left = GLIDES[min(slot, len(GLIDES) - 1)]
    edge = round(left) if left > 3 else 0
    shift = np.array([[1, 0, left], [0, 1, 0]], np.float32)
    height, width = picture.shape[:2]
    sheet = cv2.warpAffine(_written_sheet(), shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
    picture[:, edge:] = sheet[:, edge:]


def marked_page(picture: np.ndarray, time: float) -> None:
    """A page of small marks slides in from 600 ms on, by whole pixels, slower and slower, until 960 ms."""
    if time >= 600:
        left = round(270 * (1 - float(np.clip((time - 600) / 400, 0, 1))) ** 3)
        left -= left == 270
        picture[:, left:] = _marks()[:, : 270 - left]


@cache
def _marks() -> np.ndarray:
    page, chance = np.full((584, 270, 3), 245, np.uint8), np.random.default_rng(4)
    for row in range(10, 572, 14):
        for column in np.flatnonzero(chance.random(43) < 0.75) * 6 + 8:
            page[row : row + 8, column : column + 2] = chance.integers(20, 90)
            page[row + 3 : row + 5, column : column + 2 + 3 * int(chance.integers(2))] = 40
    return page


@cache
def _written_sheet() -> np.ndarray:
    sheet, letters = np.full((584, 270, 3), 30, np.uint8), np.random.default_rng(5)
    for base in range(60, 560, 14):
        line = "".join(letters.choice(list("abcdeghimnorstuvw    "), 60))
        cv2.putText(sheet, line, (8, base), cv2.FONT_HERSHEY_SIMPLEX, 0.32, (160, 160, 160), 1, cv2.LINE_AA)
    return sheet


def waits_to_the_end(picture: np.ndarray, time: float) -> None:
    """A card comes at 600 ms, on which a spinner turns on."""
    if time >= 600:
        thin_spinner(picture, round(time / SLOT))


def thumb_glides(picture: np.ndarray, time: float) -> None:
    """The white thumb of a switch goes over from 600 ms on; of what it goes each slot leaves four fifths.

    The last 0.4 px are left 450 ms after the action, and 24 px differ by more than 12 levels until 533 ms.
    """
    left = 45 * 0.8 ** max(0, round((time - 600) / SLOT))
    box(picture, 0.3, 0.45, 0.7, 0.5, (225, 228, 232))
    shift = np.array([[1, 0, -left if time >= 600 - 1 else -45], [0, 1, 0]], np.float32)
    thumb = cv2.warpAffine(_thumb(), shift, (100, 30), borderMode=cv2.BORDER_REPLICATE)
    picture[262:292, 84:184] = thumb


@cache
def _thumb() -> np.ndarray:
    track = np.full((30, 100, 3), (225, 228, 232), np.uint8)
    cv2.rectangle(track, (50, 4), (95, 25), (250, 250, 250), -1, cv2.LINE_AA)
    cv2.rectangle(track, (50, 4), (95, 25), (120, 130, 140), 1, cv2.LINE_AA)
    return track
