"""Films one interaction: the page's clock stands still while each of its pictures is taken."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx
import numpy as np
from playwright.sync_api import Browser, CDPSession, Page

from benchmarks.phones.filming import SCALE, SIZE, VISIBLE, Image, Take, changed, decoded, picture

SLOT_MS = 1000 / 60
OPENS_S, LOOKS_S, STILL = 60.0, 0.5, 4  # a page has opened once it has been looked at so often and was the same
SETTLES = 12  # slots, once the clock is ours
RESTS = 100  # slots after what led to the interaction
HELD = 4  # slots for which a finger rests on what it taps
CARET_PX = (60, 6)  # what changes within so little is a caret: of an interaction that has one, it is no answer
Actor = Callable[[int], None]  # what is done in the slot of this number since the beginning


class Staged(Protocol):
    """A page whose time is ours."""

    def picture(self) -> bytes:
        """Return what is shown, as PNG."""

    def pass_slots(self, count: int, do: Actor | None = None) -> None:
        """Let slots pass, and do something in each."""

    def actor(self, gesture: list[Any]) -> Actor:
        """Return what does a gesture, slot by slot."""


class NothingShownError(Exception):
    """The app shows nothing, or does not answer."""


@dataclass(frozen=True)
class Look:
    """How the app looks, drawn from a seed."""

    dark: bool
    ios: bool
    colour: int
    lead: int
    """Slots before the action."""

    @classmethod
    def drawn(cls, name: str, seed: int) -> Look:
        """Return the look of an interaction."""
        random = np.random.default_rng(zlib.crc32(f"{seed} {name}".encode()))
        dark, ios = (bool(random.integers(2)) for _ in range(2))
        return cls(dark, ios, int(random.integers(12)), int(random.integers(36, 61)))


class Stage:
    """A page of the app, whose time is ours."""

    def __init__(self, page: Page, address: str, ident: str) -> None:
        self._page, self._tick = page, f"{address}/tick/{ident}/{SLOT_MS}"
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._opens()
        page.evaluate("takeClock()")
        self.pass_slots(SETTLES)

    def picture(self) -> bytes:
        """Return what is shown, as PNG."""
        return picture(self._session)

    def _opens(self) -> None:
        """Wait, in the browser's own time, until a page that is not empty rests."""
        seen: list[bytes] = []
        for _ in range(round(OPENS_S / LOOKS_S)):
            time.sleep(LOOKS_S)
            seen = [*seen[1 - STILL :], self.picture()]
            if len(seen) == STILL and len(set(seen)) == 1 and np.ptp(decoded(seen[0])) > VISIBLE[1]:
                return
        raise NothingShownError(f"the app shows nothing within {OPENS_S:.0f} s")

    def pass_slots(self, count: int, do: Actor | None = None) -> None:
        """Let slots pass, and do something in each."""
        for slot in range(count):
            if do:
                do(slot)
            httpx.get(self._tick).raise_for_status()
            self._page.evaluate(f"tick({SLOT_MS})")

    def actor(self, gesture: list[Any]) -> Actor:
        """Return what does a gesture, slot by slot."""
        kind, *given = gesture
        if kind == "key":
            return lambda slot: None if slot else self._page.keyboard.type(given[0])
        if kind == "tap":
            return self._finger(lambda slot: given, HELD)
        *ends, ms = given
        slots = max(2, round(ms / SLOT_MS))
        begin, end = np.array(ends).reshape(2, 2)
        return self._finger(lambda slot: (begin + (end - begin) * slot / slots).tolist(), slots + 1)

    def _finger(self, place: Callable[[int], Any], slots: int) -> Actor:
        """Return what puts a finger down, moves it if it moves, and lifts it after so many slots."""

        def touch(kind: str, at: Any = None) -> None:
            points = [] if at is None else [{"x": at[0], "y": at[1]}]
            self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        def act(slot: int) -> None:
            if slot == 0:
                touch("touchStart", place(0))
            elif slot < slots and place(slot) != place(slot - 1):
                touch("touchMove", place(slot))
            elif slot == slots:
                touch("touchEnd")

        return act


@contextmanager
def on_stage(browser: Browser, address: str, name: str, look: Look) -> Iterator[Stage]:
    """Open a scene in a page of its own."""
    scene, ident = name.split("-")[0], f"{name}-{time.time_ns()}"
    context = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, device_scale_factor=SCALE)  # type: ignore[arg-type]
    context.add_init_script(path=Path(__file__).with_name("clock.js"))
    page = context.new_page()
    page.goto(f"{address}/show/{scene}/{look.dark:d}/{look.ios:d}/{look.colour}/{ident}")
    try:
        yield Stage(page, address, ident)
    finally:
        context.close()


def film(stage: Staged, told: dict[str, Any], look: Look) -> Take:
    """Do what leads to an interaction, then it, and take every picture that differs from the one before.

    The action comes in the middle of a slot. `told` is what the app says of the interaction. Raises
    NothingShownError if nothing answers.
    """
    for gesture in told["before"]:
        stage.pass_slots(RESTS, stage.actor(gesture))
    act = stage.actor(told["gesture"])
    action_ms = (look.lead - 0.5) * SLOT_MS
    times: list[float] = []
    pictures: list[bytes] = []
    changes: dict[str, list[float]] = {"strict": [], "visible": []}
    image: Image | None = None
    for slot in range(look.lead + round(60 * told["seconds"])):
        stage.pass_slots(1, lambda _, at=slot - look.lead: act(at) if at >= 0 else None)
        png = stage.picture()
        before, image = image, decoded(png)
        difference = changed(image, before) if before is not None else None
        if difference is not None and not difference.any():
            continue
        times.append(slot * SLOT_MS)
        pictures.append(png)
        if difference is not None and slot >= look.lead and not (told["caret"] and is_caret(difference)):
            changes["strict"].append(slot * SLOT_MS)
            if (difference > VISIBLE[1]).sum() >= VISIBLE[0]:
                changes["visible"].append(slot * SLOT_MS)
    if not changes["visible"]:
        raise NothingShownError("nothing answers where the finger is")
    about = {"action": action_ms, "outcome": "ok", "settles": 1, "type": _kind(told)}
    seconds = (look.lead + round(60 * told["seconds"])) * SLOT_MS / 1000
    return Take(times, pictures, changes["strict"], changes["visible"], seconds, about)


def _kind(told: dict[str, Any]) -> str:
    """Return the type of an interaction, as a manifest has it."""
    if told["gesture"][0] == "swipe":
        return "scroll" if told["scene"] == "scroll" else "swipe"
    return "type" if told["gesture"][0] == "key" else "tap"


def is_caret(difference: Image, most_px: tuple[int, int] = CARET_PX) -> bool:
    """Return whether all that changes, (height, width), lies within the place of a caret."""
    rows, columns = np.nonzero(difference)
    return bool(np.ptp(rows) < most_px[0] and np.ptp(columns) < most_px[1])
