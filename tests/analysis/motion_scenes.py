"""Motions of known slots at 60 Hz, some of which may be lost, to be filmed. Times in ms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from tests.analysis.scenes import SLOT, box, tint
from tests.synthetic import Screen

Motion = Callable[[np.ndarray, int], None]
START, SLOTS = 36, 36  # a motion's first slot and how many it takes
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
