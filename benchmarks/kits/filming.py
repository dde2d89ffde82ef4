"""A stage of a kit's page, whose time is ours: what it has to be for `benchmarks.flutter.filming.film`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from benchmarks.flutter.filming import HELD, SLOT_MS, Actor, Look, NothingShownError
from benchmarks.kits.browser import Page, opened
from benchmarks.phones.filming import SCALE, SIZE

OPENS = 600  # slots within which a page has to open
RESTS, STILL = 240, 30  # a page has come to rest after so many slots, or once so many were the same
NEEDED = ("dark", "ios", "colour")


class Stage:
    """A page of a kit."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._shown = b""
        self.pressed: tuple[float, float] | None = None
        """Where a finger came down last, in px of the film."""
        page.go(address)
        for _ in range(OPENS):
            self.pass_slots(1)
            if page.evaluate("window.built === true"):
                break
        else:
            raise NothingShownError(f"the page has not opened within {OPENS} slots")
        same = 0
        for _ in range(RESTS):
            before = self._shown
            self.pass_slots(1)
            same = same + 1 if self._shown == before else 0
            if same == STILL:
                break

    def interactions(self) -> list[dict[str, Any]]:
        """Return what is done in which scene of the kit."""
        return list(self._page.evaluate("told()"))

    def picture(self) -> bytes:
        """Return what is shown, as PNG."""
        return self._shown

    def pass_slots(self, count: int, do: Actor | None = None) -> None:
        """Let slots pass, and do something in each."""
        for slot in range(count):
            if do:
                do(slot)
            self._shown = self._page.tick(SLOT_MS) or self._shown

    def place(self, selector: str, right: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """Return a place within an element, told in parts of its size, in CSS px."""
        x, y = self._page.evaluate(f"place({json.dumps(selector)}, {right}, {down})")
        return float(x), float(y)

    def actor(self, gesture: list[Any]) -> Actor:
        """Return what does a gesture, slot by slot; where its element lies is asked as it begins."""
        kind, *given = gesture
        if kind == "key":
            return lambda slot: None if slot else self._page.key(given[0])
        if kind == "tap":
            return self._finger(self.place(*given), HELD)
        selector, dx, dy, ms = given
        self._page.evaluate("scrollNothing()")
        return self._finger(self.place(selector), max(2, round(ms / SLOT_MS)), (dx, dy))

    def _finger(self, at: tuple[float, float], slots: int, way: tuple[float, float] | None = None) -> Actor:
        """Return what puts a finger down, moves it along its way, if any, and lifts it after so many slots."""
        self.pressed = SCALE * at[0], SCALE * at[1]

        def act(slot: int) -> None:
            if slot == 0:
                self._page.touch("touchStart", *at)
            elif way and slot <= slots:
                part = slot / slots
                self._page.touch("touchMove", at[0] + way[0] * part, at[1] + way[1] * part)
            elif slot == slots + bool(way):
                self._page.touch("touchEnd")

        return act


@contextmanager
def on_stage(executable: str, address: str, look: Look, scene: str = "") -> Iterator[Stage]:
    """Open a scene of the kit at an address in a browser of its own; none, to ask for what there is."""
    asked = {name: int(asdict(look)[name]) for name in NEEDED} | ({"scene": scene} if scene else {})
    with opened(executable, SCALE) as browser:
        page = Page(browser, SIZE["width"], SIZE["height"], SCALE)
        yield Stage(page, f"{address}?{urlencode(asked)}")
