"""Pictures that an encoder has to correct, or that look as if it had, to be filmed. Times in ms."""

from __future__ import annotations

import cv2
import numpy as np

from tests.analysis.scenes import box, dialog


def sharpened_late(since: float, phases: int, picture: np.ndarray, time: float) -> None:
    """A dialog opens at 600 ms; from `since` on a faint patch sways, as an encoder does after a key frame."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    sways = time >= since - 5
    picture[400:416, 80:96] = 200 + (4 * (round(time * 60 / 1000) % phases) if sways else 0)


def begins_coarsely(picture: np.ndarray, time: float) -> None:
    """The first picture is coded coarsely, and sharpened for 300 ms, here more, there less; then a dialog opens."""
    fine = np.random.default_rng(3).integers(-12, 13, (37, 17)).repeat(16, axis=0).repeat(16, axis=1)
    off = fine[: picture.shape[0], : picture.shape[1], None] * max(0.0, 1 - time / 300)
    picture[:] = np.clip(picture + np.rint(off).astype(int), 0, 255)
    dialog(400, picture, time)


def stirs_by_itself(picture: np.ndarray, time: float) -> None:
    """Of a camera's light an encoder draws a level or two now and then, and so just before a dialog opens there."""
    for at, top in ((100, 0.1), (250, 0.7), (520, 0.4)):
        rows = slice(round(top * picture.shape[0]), round((top + 0.1) * picture.shape[0]))
        picture[rows, 64:192] += 2 * sum(time >= since - 1 for since in (at, at + 33))
    dialog(600, picture, time)


def tooltip_goes(picture: np.ndarray, time: float) -> None:
    """A dark tooltip came 200 ms before the tap, is corrected for as long as an encoder does, and goes with it."""
    if 300 <= time < 600:
        left = max(0.0, 1 - (time - 300) / 160)
        box(picture, 0.3, 0.4, 0.7, 0.46, (round(20 + 40 * left**2),) * 3)


def spinner_around_a_key_frame(began: float, picture: np.ndarray, time: float) -> None:
    """A spinner turns before the action at 1000 ms, or began with the key frame just before it; a bar comes."""
    if time >= began - 5:
        turn = 2 * np.pi * time / 800
        y, x = round(300 + 24 * np.sin(turn)), round(135 + 24 * np.cos(turn))
        picture[y - 6 : y + 6, x - 6 : x + 6] = (60, 60, 60)
    if time >= 1200:
        box(picture, 0.2, 0.75, 0.8, 0.9, (40, 60, 60))


def held_frame(picture: np.ndarray, time: float) -> None:
    """A dialog opens; in the frame that the recorder writes once more when it is stopped, text is coded anew."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    picture[400:424, 80:120] = 208 if time >= 2000 else 200


def refined(picture: np.ndarray, time: float) -> None:
    """An encoder refines a photograph, block by block and level by level; one neighbourhood goes the same way."""
    rows, columns = (length // 16 for length in picture.shape[:2])
    rng = np.random.default_rng(5)
    error, when = rng.integers(-3, 4, (rows, columns)), rng.uniform(0, 1000, (3, rows, columns))
    error[20:23, 6:9], when[:2, 20:23, 6:9] = 2, np.linspace(250, 560, 18).reshape(2, 3, 3)
    left = error - np.sign(error) * np.sum((when < time) & (np.arange(3)[:, None, None] < np.abs(error)), axis=0)
    coarse = np.kron(left, np.ones((16, 16), np.int64))[..., None] + np.full(picture.shape[2], 120)
    picture[: 16 * rows, : 16 * columns] = coarse
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.5, (40, 60, 60))


def coded_anew(picture: np.ndarray, time: float) -> None:
    """A dialog opens; 800 ms later all of the picture stirs at once, as where an encoder changes its quality."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.5, (40, 60, 60))
    if time >= 1400:
        noise = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 1, picture.shape[:2]), (0, 0), 1.5)
        picture[:] = np.clip(picture + (9 * noise / noise.std())[..., None], 0, 255)
