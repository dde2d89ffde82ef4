"""A finger on the screen and a keyboard, as input events of the DevTools protocol.

What belongs together is sent without waiting for answers: a page that is busy does not hold a finger up.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from playwright.async_api import CDPSession

MOVE_S = 1 / 60  # between two places of a finger that moves: phones report it once per refresh, or more often
KEY_MS = 60.0  # between two keys of a filmed text: a fast typist
KEYS = {
    "\n": {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
    "\t": {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9},
    "\b": {"key": "Backspace", "code": "Backspace", "windowsVirtualKeyCode": 8},
}
REST_S = 0.2  # of a finger that does not fling: velocity is taken from less than that
TOUCH, KEY = "Input.dispatchTouchEvent", "Input.dispatchKeyEvent"

Place = tuple[float, float]  # CSS px


class Hand:
    """The hand of one page."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session

    async def tap(self, at: Place) -> None:
        """Touch a place and lift the finger at once."""
        await asyncio.gather(self._touch("touchStart", at), self._touch("touchEnd"))

    async def drag(self, path: Sequence[Place], ms: float, rest_s: float = 0.0) -> None:
        """Move a finger along places in that time, evenly, let it rest, and lift it."""
        sent = [asyncio.ensure_future(self._touch("touchStart", path[0]))]
        steps = max(math.ceil(ms / 1000 / MOVE_S), len(path))
        began = time.monotonic()
        for step in range(1, steps + 1):
            await asyncio.sleep(max(began + ms / 1000 * step / steps - time.monotonic(), 0))
            sent.append(asyncio.ensure_future(self._touch("touchMove", along(path, step / steps))))
        await asyncio.sleep(rest_s)
        sent.append(asyncio.ensure_future(self._touch("touchEnd")))
        await asyncio.gather(*sent)

    async def scroll(self, at: Place, by: Place, ms: float) -> None:
        """Drag the content so many CSS px to the right and down, and lift the finger when it rests: no fling."""
        await self.drag([at, (at[0] + by[0], at[1] + by[1])], ms, REST_S)

    async def type(self, text: str, gap_ms: float) -> None:
        """Press the keys of a text one after another."""
        sent = []
        for number, sign in enumerate(text):
            if number and gap_ms:
                await asyncio.sleep(gap_ms / 1000)
            key = KEYS.get(sign, {"key": sign, "text": sign})
            for kind in ("keyDown", "keyUp"):
                sent.append(asyncio.ensure_future(self._session.send(KEY, {"type": kind, **key})))
        await asyncio.gather(*sent)

    async def _touch(self, kind: str, *at: Place) -> Any:
        points = [{"x": x, "y": y} for x, y in at]
        return await self._session.send(TOUCH, {"type": kind, "touchPoints": points})


def along(path: Sequence[Place], share: float) -> Place:
    """Return the place after that share (0 to 1) of a way along straight lines."""
    lengths = [math.dist(one, other) for one, other in pairwise(path)]
    left = share * sum(lengths)
    for ((x0, y0), (x1, y1)), length in zip(pairwise(path), lengths, strict=True):
        if length and left <= length:
            return x0 + (x1 - x0) * left / length, y0 + (y1 - y0) * left / length
        left -= length
    return path[-1]


def stroke(at: Place, by: Place, size: tuple[int, int]) -> Place:
    """Return where a finger begins that moves by so much about a place and stays on the screen, CSS px."""
    x, y = (
        min(max(middle - way / 2, max(0, -way) + 1), side - 1 - max(0, way))
        for middle, way, side in zip(at, by, size, strict=True)
    )
    return x, y
