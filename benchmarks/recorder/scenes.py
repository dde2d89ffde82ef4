"""What is filmed: four interactions of three web apps, each prepared in a fresh page and done by one input."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession, Page

Prepare = Callable[[Page], Awaitable[None]]
Act = Callable[[Page, CDPSession], Awaitable[None]]
ITEMS = (
    *("Buy milk", "Water the plants", "Call mum", "Read a book", "Clean the desk", "Mend the bike", "Pay the rent"),
    *("Write to Anna", "Book a table", "Wash the car"),
)
TODOS = [{"id": f"item-{number}", "title": title, "completed": False} for number, title in enumerate(ITEMS)]
BOARD = [[2, 2, 4, 4], [8, 0, 8, 2], [4, 4, 16, 16], [2, 0, 2, 32]]  # rows; many tiles move and merge to the left
# What a page starts with: the same items, the same board, and the same new tiles.
START = """
if (!localStorage.getItem('gameState')) {
  localStorage.setItem('react-todos', '%(todos)s');
  localStorage.setItem('gameState', '%(game)s');
}
let seed = 7; Math.random = () => (seed = (seed * 16807) %% 2147483647) / 2147483647;
"""
HOME = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Home screen</title><style>
body { margin: 0; min-height: 100vh; background: #2c4a5a; font: 14px sans-serif; color: #fff }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 40px 0; padding: 120px 24px; text-align: center }
a { color: inherit; text-decoration: none; -webkit-tap-highlight-color: transparent }
i { display: block; width: 64px; height: 64px; margin: 0 auto 8px; border-radius: 16px; background: var(--of) }
</style><main>
<a id="todos" href="/todomvc/examples/react/index.html" style="--of: #b83f45"><i></i>Todos</a>
<a id="game" href="/2048/index.html" style="--of: #edc22e"><i></i>2048</a>
<a id="form" href="/framework7/dist/index.html" style="--of: #007aff"><i></i>My app</a>
</main></html>
"""


async def nothing(page: Page) -> None:
    """Prepare nothing."""


@dataclass(frozen=True)
class Scene:
    """An interaction: the words of the manifest, the page that it starts on, what is done, how long is filmed."""

    app: str
    app_version: str
    package: str
    category: str
    interaction: str
    type: str
    scenario: str
    path: str
    act: Act
    after_ms: int  # filmed after the input
    prepare: Prepare = nothing

    @property
    def slug(self) -> str:
        """Return the name of its folder."""
        return self.interaction.replace(" ", "_")


def start_script() -> str:
    """Return what every page runs before its own scripts."""
    cells = [
        [{"position": {"x": x, "y": y}, "value": BOARD[y][x]} if BOARD[y][x] else None for y in range(len(BOARD))]
        for x in range(len(BOARD))
    ]
    game: dict[str, Any] = {"grid": {"size": 4, "cells": cells}, "score": 0, "over": False, "won": False}
    return START % {"todos": json.dumps(TODOS), "game": json.dumps(game | {"keepPlaying": False})}


async def type_a_title(page: Page) -> None:
    """Type the title of an item, which Enter then adds."""
    await page.locator("#new-todo").click()
    await page.keyboard.type("Call the bank")


def tap(selector: str) -> Act:
    """Return what taps the middle of an element."""

    async def act(page: Page, session: CDPSession) -> None:
        x, y = await middle(page, selector)
        await touch(session, "touchStart", x, y)
        await touch(session, "touchEnd")

    return act


async def swipe_left(page: Page, session: CDPSession) -> None:
    """Swipe over the board to the left and lift the finger."""
    x, y = await middle(page, ".game-container")
    await touch(session, "touchStart", x + 100, y)
    for step in range(1, 6):
        await touch(session, "touchMove", x + 100 - 40 * step, y)
    await touch(session, "touchEnd")


async def press_enter(page: Page, session: CDPSession) -> None:
    """Press Enter."""
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
    await session.send("Input.dispatchKeyEvent", {"type": "keyDown", **key})
    await session.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})


async def touch(session: CDPSession, kind: str, *at: float) -> None:
    """Send a touch event at CSS px, without any when the finger leaves."""
    points = [{"x": at[0], "y": at[1]}] if at else []
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return the middle of an element in CSS px."""
    box = await page.locator(selector).bounding_box()
    if box is None:
        raise RuntimeError(f"{page.url} shows no {selector}")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


GAME = ("2048", "npm 1.0.0", "com.gabrielecirulli.g2048", "game")
SCENES = (
    Scene(
        *GAME,
        interaction="launch",
        type="launch",
        scenario="Tap the icon on the home screen, the board of the last game is there",
        path="/home.html",
        act=tap("#game"),
        after_ms=1900,
    ),
    Scene(
        *GAME,
        interaction="swipe tiles",
        type="swipe",
        scenario="Swipe the tiles left",
        path="/2048/index.html",
        act=swipe_left,
        after_ms=1300,
    ),
    Scene(
        *("TodoMVC React", "2014 (npm 0.1.1)", "com.todomvc.react", "productivity"),
        interaction="add item",
        type="type",
        scenario="Press Enter, the typed item is added",
        path="/todomvc/examples/react/index.html",
        act=press_enter,
        after_ms=2400,  # so that a caret which goes on blinking is known by it
        prepare=type_a_title,
    ),
    Scene(
        *("Framework7 starter app", "1.7.1", "io.framework7.starter", "productivity"),
        interaction="open form",
        type="tap",
        scenario="Tap Form in the list, the page slides in",
        path="/framework7/dist/index.html",
        act=tap("a[href='form.html']"),
        after_ms=1300,
    ),
)
