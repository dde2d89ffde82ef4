"""Screens with a cursor or a finger on them, and what resembles a cursor, to be filmed. Times in ms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import cv2
import numpy as np

from tests.analysis.scenes import ACTION_MS, SLOT, box, circle, dialog, tint
from tests.synthetic import Draw

ARROW = np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)])
Way = Sequence[tuple[float, float, float]]  # ms, and where a hand is by then, in pixels; it pauses at each
LEAPS = ((0, 20, 560), (450, 140, 390), (900, 140, 390), (1700, 235, 60))  # it leaves while the key still fades
RESTS = ((0, 140, 310), (1200, 140, 310), (1700, 230, 90))  # where it clicks, until long after
OVER = ((0, 60, 540), (400, 140, 310), (1100, 140, 310), (1800, 120, 425))


def at_hand(way: Way, bend: float, time: float) -> tuple[float, float]:
    """Return where a hand is that goes from place to place, each time with a bend to one side."""
    x, y = way[0][1:]
    for (since, x0, y0), (until, x1, y1) in pairwise(way):
        if time >= since:
            done = min(1.0, (time - since) / (until - since))
            eased, aside = done**3 * (10 - 15 * done + 6 * done**2), bend * np.sin(np.pi * done)
            x, y = x0 + eased * (x1 - x0) - aside * (y1 - y0), y0 + eased * (y1 - y0) + aside * (x1 - x0)
    return float(x), float(y)


def with_cursor(
    way: Way, shows: Draw, picture: np.ndarray, time: float, body: tuple[int, int, int] = (20, 20, 20)
) -> None:
    """A computer's arrow, black or as its user likes it, with a white rim, moves over what a screen shows."""
    shows(picture, time)
    outline = np.rint((ARROW + at_hand(way, 0.1, time)) * 16).astype(np.int32)
    cv2.fillPoly(picture, [outline], body, cv2.LINE_AA, 4)
    cv2.polylines(picture, [outline], True, (255, 255, 255), 1, cv2.LINE_AA, 4)


def with_disc(way: Way, shows: Draw, radius: float, picture: np.ndarray, time: float) -> None:
    """A grey disc goes along, as emulated touch screens have it; one sees through it."""
    shows(picture, time)
    (x, y), (height, width) = at_hand(way, 0.1, time), picture.shape[:2]
    tint(picture, circle(picture, x / width, y / height, radius / width), 0.4, 200)


def with_halo(way: Way, shows: Draw, radius: float, picture: np.ndarray, time: float) -> None:
    """A computer's arrow moves in a disc that screencast software draws around it."""
    with_cursor(way, partial(with_disc, way, shows, radius), picture, time)


def touch_mark(opens_at: float, picture: np.ndarray, time: float) -> None:
    """A recorder draws a ring where the user acts, until the finger is up; a dialog opens elsewhere."""
    dialog(opens_at, picture, time)
    if ACTION_MS <= time + 0.5 < ACTION_MS + 150:
        cv2.circle(picture, (135, 470), 14, (90, 90, 90), 3, cv2.LINE_AA)


def swiped(answers: bool, picture: np.ndarray, time: float) -> None:
    """A finger with the platform's dot goes 14 px to the left in every slot; the page follows, or does not."""
    if answers and time >= 700:
        place = min((time - 700) / 300, 1) * 0.5
        box(picture, 0.55 - place, 0.1, 0.95 - place, 0.5, (40, 60, 120))
    if 500 <= time < 700:
        tint(picture, circle(picture, 0.8 - 14 / 270 * (time - 500) / SLOT, 0.8, 0.055), 0.5)


def tick(at: float, picture: np.ndarray, time: float) -> None:
    """A box of 16 px is ticked."""
    box(picture, 0.3, 0.5, 0.36, 0.53, (255, 255, 255))
    if time >= at:
        box(picture, 0.31, 0.505, 0.35, 0.525, (30, 60, 200))


def switch(at: float, picture: np.ndarray, time: float) -> None:
    """The knob of a switch goes to the other side."""
    done = float(np.clip((time - at) / 150, 0, 1))
    cv2.rectangle(picture, (100, 290), (140, 304), (170, 170, 170), -1)
    cv2.circle(picture, (round((108 + 18 * done) * 16), 297 * 16), 9 * 16, (250, 250, 250), -1, cv2.LINE_AA, 4)


def fading_key(since: float, until: float, picture: np.ndarray, time: float) -> None:
    """A dialog opens; the key that was pressed is lit since then, and fades until another time."""
    dialog(since, picture, time)
    left = 1 - min(1.0, (time - since) / (until - since)) if time >= since else 0.0
    box(picture, 0.4, 0.64, 0.62, 0.72, (240 - round(150 * left),) * 3)


def row_lights_up(way: Way, picture: np.ndarray, time: float) -> None:
    """A dialog opens; later a row lights up as long as an arrow is on it."""
    dialog(600, picture, time)
    box(picture, 0.2, 0.7, 0.8, 0.76, (245, 245, 245))
    x, y = at_hand(way, 0.1, time)
    if 54 <= x <= 216 and 0.7 * 584 <= y <= 0.76 * 584:
        box(picture, 0.2, 0.7, 0.8, 0.76, (170, 200, 240))


def key_pressed(picture: np.ndarray, time: float) -> None:
    """A key is pressed and let go: three steps, and the recording ends with the second picture after them."""
    for at, light in ((600, 120), (700, 180), (800, 225)):
        if time >= at - 1:
            box(picture, 0.3, 0.7, 0.5, 0.76, (light,) * 3)


def thumb_slides(picture: np.ndarray, time: float) -> None:
    """A grey thumb as small as a cursor slides along its bar."""
    box(picture, 0.2, 0.5, 0.8, 0.505, (150, 150, 150))
    x = 80 + 100 * (1 - (1 - float(np.clip((time - 600) / 500, 0, 1))) ** 2)
    cv2.circle(picture, (round(x * 16), 293 * 16), 9 * 16, (90, 90, 90), -1, cv2.LINE_AA, 4)


def red_ball(way: Way, bend: float, picture: np.ndarray, time: float) -> None:
    """A ball as small as a cursor goes its way."""
    x, y = at_hand(way, bend, time)
    cv2.circle(picture, (round(x * 16), round(y * 16)), 9 * 16, (200, 40, 40), -1, cv2.LINE_AA, 4)


def card_swings(picture: np.ndarray, time: float) -> None:
    """A card as wide as a disc swings to its place."""
    x, y = at_hand([(600, 60, 150), (1000, 200, 450)], 0.1, time)
    cv2.rectangle(picture, (round(x) - 30, round(y) - 30), (round(x) + 30, round(y) + 30), (120, 120, 120), -1)


def ball_after_dialog(picture: np.ndarray, time: float) -> None:
    """A ball rolls straight away when a dialog has opened and come to rest."""
    dialog(600, picture, time)
    red_ball([(1200, 60, 90), (1600, 230, 90)], 0.0, picture, time)
