"""Pictures with grain, screens before a camera, and a page that a finger drags, to be filmed. Times in ms."""

from __future__ import annotations

import cv2
import numpy as np

from tests.analysis.scenes import box
from tests.synthetic import Draw


def opens(picture: np.ndarray, time: float) -> None:
    """A dialog opens."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))


def ticked(picture: np.ndarray, time: float) -> None:
    """A box is ticked."""
    if time >= 600:
        box(picture, 0.3, 0.4, 0.4, 0.43, (90, 90, 90))


def grainy(levels: float, paint: Draw, picture: np.ndarray, time: float) -> None:
    """The picture has grain of so many levels."""
    paint(picture, time)
    rng = np.random.default_rng(round(time))
    picture[:] = np.clip(picture + rng.normal(0, levels, (*picture.shape[:2], 1)), 0, 255)


def filmed_by(shake: float, flicker: float, drift: float, picture: np.ndarray, time: float) -> None:
    """A camera films the screen on which a dialog opens: it shakes by px, and bands or its exposure come and go."""
    opens(picture, time)
    height, width = picture.shape[:2]
    x, y = (shake * np.sin(2 * np.pi * rate * time / 1000 + rate) for rate in (5.3, 3.9))
    seen = np.float32([[0.86, 0.02, 0.07 * width + x], [-0.02, 0.86, 0.07 * height + y]])
    film = cv2.warpAffine(picture, seen, (width, height), borderValue=(40, 40, 40)).astype(float)
    film *= 1 + flicker * np.sin(2 * np.pi * (1.5 * np.arange(height) / height + 7.3 * time / 1000))[:, None, None]
    film *= 1 + drift * np.sin(2 * np.pi * 0.4 * time / 1000 - 1.2)
    rng = np.random.default_rng(round(time))
    picture[:] = np.clip(film + rng.normal(0, 2, (height, width, 1)), 0, 255)


def dragged(picture: np.ndarray, time: float) -> None:
    """A finger drags the page to and fro before the action; a dialog opens."""
    if time < 300:
        picture[:] = np.roll(picture, round(30 * np.sin(time / 40)), axis=0)
    opens(picture, time)
