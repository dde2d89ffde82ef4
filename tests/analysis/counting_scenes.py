"""Screens on which something goes on by itself, to be filmed: digits, a clock, a light. Times in ms."""

from __future__ import annotations

import cv2
import numpy as np

from tests.analysis.scenes import box
from tests.synthetic import Draw


def digits(picture: np.ndarray, time: float) -> None:
    """A page opens; then its download counts up, now faster, now slower, to the end of the recording."""
    if time >= 600:
        box(picture, 0.1, 0.2, 0.9, 0.5, (20, 60, 60))
    done = sum(time >= at for at in (1000, 1350, 2050, 2600, 3000, 3700))
    box(picture, 0.4, 0.7, 0.6, 0.76, (245, 245, 245))
    cv2.putText(picture, f"{17 * done} %", (112, 435), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)


def seconds_pass(picture: np.ndarray, time: float) -> None:
    """A player's bar and its digits go on once a second, each by itself; a sheet opens between them."""
    played = sum(time >= at for at in (200, 1200))
    box(picture, 0.1, 0.2, 0.9, 0.21, (225, 225, 225))
    box(picture, 0.1, 0.2, 0.4 + 0.02 * played, 0.21, (200, 40, 40))
    box(picture, 0.1, 0.22, 0.3, 0.26, (245, 245, 245))
    digits_at = sum(time >= at for at in (620, 1620))
    cv2.putText(picture, f"0:1{digits_at}", (30, 148), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    if time >= 900:
        box(picture, 0.1, 0.5, 0.9, 0.8, (40, 60, 60))


def status_bar(picture: np.ndarray, time: float) -> None:
    """An arrow of the status bar comes, a dialog opens half a second later; a second later the clock goes on."""
    if time >= 540:
        box(picture, 0.86, 0.012, 0.885, 0.026, (250, 250, 250))
    if time >= 1000:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    box(picture, 0.06, 0.012, 0.085 if time < 2000 else 0.095, 0.03, (250, 250, 250))


def framed(paint: Draw, picture: np.ndarray, time: float) -> None:
    """Show a phone smaller, in a dark rim with round corners, before one colour."""
    paint(picture, time)
    height, width = picture.shape[:2]
    phone = cv2.resize(picture, (round(0.7 * width), round(0.7 * height)), interpolation=cv2.INTER_AREA)
    picture[:] = (214, 222, 235)
    top, left = (height - phone.shape[0]) // 2, (width - phone.shape[1]) // 2
    cv2.rectangle(
        picture, (left - 2, top - 2), (left + phone.shape[1] + 1, top + phone.shape[0] + 1), (15, 15, 15), 18
    )
    picture[top : top + phone.shape[0], left : left + phone.shape[1]] = phone


def recording_light(picture: np.ndarray, time: float) -> None:
    """A red light in the status bar fades and comes back, before the action and right after a dialog opens."""
    if time >= 1600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    since = [time - at for at in (300, 1750) if 0 <= time - at <= 600]
    out = 0.5 - 0.5 * np.cos(2 * np.pi * since[0] / 600) if since else 0.0
    box(picture, 0.03, 0.008, 0.15, 0.032, tuple(int(level) for level in np.array((230, 50, 40)) * (1 - 0.5 * out)))
