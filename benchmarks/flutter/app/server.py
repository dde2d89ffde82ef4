"""Serves the app: `python -m benchmarks.flutter.app.server`, in the environment that has Flet.

`/show/SCENE/DARK/IOS/COLOUR/IDENT` shows a scene, `/interactions` lists what is done in each, and `/tick/IDENT/MS`
lets so much time pass for what a page waits for: its clock is ours, as the browser's is (clock.js).
"""

from __future__ import annotations

import asyncio
import socket
from collections import defaultdict
from dataclasses import asdict
from typing import Any

import flet as ft
import uvicorn
from fastapi import FastAPI

from benchmarks.flutter.app import cupertino, material, motion
from benchmarks.flutter.app.scenes import SCENES

SEEDS = ("indigo", "teal", "deeporange", "green", "purple", "brown")
OPENINGS = (
    ft.PageTransitionTheme.ZOOM,
    ft.PageTransitionTheme.FADE_UPWARDS,
    ft.PageTransitionTheme.OPEN_UPWARDS,
    ft.PageTransitionTheme.PREDICTIVE,
)
LETS_ANSWER_S = 0.02  # so long a page may take over what it waited for
KITS = (material, cupertino, motion)  # importing them fills SCENES


class Clock:
    """What a page waits for, in ms that are left."""

    def __init__(self) -> None:
        self._left: list[tuple[float, asyncio.Future[None]]] = []

    async def wait(self, ms: float) -> None:
        """Return once so much time has passed."""
        over = asyncio.get_running_loop().create_future()
        self._left.append((ms, over))
        await over

    def passes(self, ms: float) -> None:
        """Let time pass."""
        before, self._left = self._left, []
        for left, over in before:
            if left > ms:
                self._left.append((left - ms, over))
            else:
                over.set_result(None)


CLOCKS: defaultdict[str, Clock] = defaultdict(Clock)


async def show(page: Any) -> None:
    """Show the scene that the address names."""
    _, name, dark, ios, colour, ident = page.route.strip("/").split("/")
    page.theme_mode = ft.ThemeMode.DARK if dark == "1" else ft.ThemeMode.LIGHT
    opening = ft.PageTransitionTheme.CUPERTINO if ios == "1" else OPENINGS[int(colour) % len(OPENINGS)]
    systems = dict.fromkeys(("android", "ios", "linux", "macos", "windows"), opening)
    seed = SEEDS[int(colour) % len(SEEDS)]
    page.theme = ft.Theme(color_scheme_seed=seed, page_transitions=ft.PageTransitionsTheme(**systems))
    page.dark_theme = page.theme
    build, _ = SCENES[name]
    build(page, CLOCKS[ident].wait)


def application() -> FastAPI:
    """Return what is served."""
    app = FastAPI()

    @app.get("/interactions")
    async def interactions() -> list[dict[str, Any]]:
        return [{"scene": name, **asdict(one)} for name, (_, several) in SCENES.items() for one in several]

    @app.get("/tick/{ident}/{ms}")
    async def tick(ident: str, ms: float) -> None:
        CLOCKS[ident].passes(ms)
        await asyncio.sleep(LETS_ANSWER_S)

    app.mount("/", ft.run(show, view=None, no_cdn=True, export_asgi_app=True))
    return app


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        server = uvicorn.Server(uvicorn.Config(application(), log_level="warning"))
        server.run(sockets=[listening])
