"""Scenes in which a click or a touch shows: rings that spread and go along, a window that comes to the front."""

from __future__ import annotations

import cv2
import numpy as np

from tests.analysis.scenes import box
from tests.synthetic import Draw

SPREADS_MS = 250.0
EDGE, TITLE = 14, 18  # px around a window, and of its title


def ring_spreads(under: Draw, at: tuple[int, int, float], picture: np.ndarray, time: float) -> None:
    """Let a ring spread from where the user clicks (x, y, ms), and pale."""
    under(picture, time)
    x, y, ms = at
    gone = (time - ms) / SPREADS_MS
    if 0 <= gone < 1:
        over = picture.copy()
        cv2.circle(over, (x, y), round(8 + 20 * gone), (210, 40, 40), 3, cv2.LINE_AA)
        picture[:] = cv2.addWeighted(over, 0.9 * (1 - gone), picture, 1 - 0.9 * (1 - gone), 0)


def ring_goes_along(under: Draw, at: tuple[int, int, float], picture: np.ndarray, time: float) -> None:
    """Show a ring under a finger that rests for 300 ms and then moves up, until it leaves 300 ms later."""
    under(picture, time)
    x, y, ms = at
    since = time - ms
    if 0 <= since < 600:
        cv2.circle(picture, (x, y - round(0.3 * max(0.0, since - 300))), 17, (90, 90, 110), 2, cv2.LINE_AA)


def window(under: Draw, at_ms: float, picture: np.ndarray, time: float) -> None:
    """Show the app in a window on a desktop that comes to the front: its title and its shadow darken."""
    under(picture, time)
    height, width = picture.shape[:2]
    app = cv2.resize(picture, (width - 2 * EDGE, height - 2 * EDGE - TITLE), interpolation=cv2.INTER_AREA)
    active = time >= at_ms
    depth = np.zeros(picture.shape[:2], np.float32)
    depth[EDGE : height - EDGE, EDGE : width - EDGE] = 1
    shade = cv2.GaussianBlur(depth, (0, 0), 5)[..., None] * (0.5 if active else 0.15)
    picture[:] = (220 * (1 - shade)).astype(np.uint8)
    picture[EDGE : EDGE + TITLE, EDGE : width - EDGE] = 205 if active else 246
    picture[EDGE + TITLE : height - EDGE, EDGE : width - EDGE] = app


def modal(at_ms: float, picture: np.ndarray, time: float) -> None:
    """Let a dialog nearly as large as the screen come, and then the page around it dim for 400 ms more."""
    if time < at_ms:
        return
    dark = min(1.0, (time - at_ms) / 400)
    picture[:] = np.rint(picture * (1 - 0.5 * dark)).astype(np.uint8)
    box(picture, 0.06, 0.05, 0.94, 0.95, (250, 250, 245))
