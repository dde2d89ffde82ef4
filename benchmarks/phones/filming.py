"""Films the scenes: Chromium paints slot by slot of a clock that is ours, so that what is true of it is known."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import CDPSession, Page, sync_playwright

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><style>
html, body { margin: 0; overflow: hidden; height: 780px } div { position: absolute; box-sizing: border-box }
.alone .self { visibility: hidden !important }
</style><body></body></html>"""
SCALE = 1.5  # pixels of the film per CSS px: 540 × 1170
SIZE = {"width": 360, "height": 780}
FLAGS = ["--disable-gpu", "--no-sandbox", f"--force-device-scale-factor={SCALE}"]
SCRIPTS = tuple(Path(__file__).with_name(name) for name in ("stage.js", "scenes.js", "late.js", "loaders.js"))
VISIBLE = (24, 12)  # so many pixels change by more than so many levels
Image = np.ndarray


@dataclass(frozen=True)
class Take:
    """A scene as it was on the screen: its pictures as PNG, ms at which each came, and what is true of it.

    `strict_ms` are the times of the interaction's changes, of any pixel; `visible_ms` those that an eye sees.
    """

    times_ms: Sequence[float]
    pictures: Sequence[bytes]
    strict_ms: Sequence[float]
    visible_ms: Sequence[float]
    seconds: float
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def action_ms(self) -> float:
        """Return when the user acts, ms after the first picture."""
        return float(self.about["action"])

    def images(self) -> Iterator[Image]:
        """Yield the pictures in order, (height, width, 3) RGB."""
        for png in self.pictures:
            yield decoded(png)


@contextmanager
def stage(executable: str | None) -> Iterator[Page]:
    """Open a page on which scenes are laid out."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.set_content(PAGE)
        for script in SCRIPTS:
            page.add_script_tag(path=script)
        yield page
        browser.close()


def film(page: Page, name: str, seed: int, hz: float = 60.0) -> Take:
    """Paint a scene slot by slot; a picture is taken where the page changed."""
    session = page.context.new_cdp_session(page)
    about = page.evaluate("([name, seed]) => build(name, seed)", [name, seed])
    times: list[float] = []
    pictures: list[bytes] = []
    changes: dict[str, list[float]] = {"strict": [], "visible": []}
    state = own = ""
    image: Image | None = None  # what was on the screen last, and without what goes on beside the interaction
    alone: Image | None = None
    for slot in range(round(about["seconds"] * hz)):
        ms = 1000 * slot / hz
        shown = page.evaluate("ms => show(ms)", ms)
        if shown["state"] == state:
            continue
        png = picture(session)
        before, image = image, decoded(png)
        if before is None or (image != before).any():
            times.append(ms)
            pictures.append(png)
        if shown["own"] != own:
            before, alone = alone, _alone(page, session) if shown["others"] else image
            difference = changed(before, alone) if before is not None else np.zeros(1)
            if difference.any():
                changes["strict"].append(ms)
            if (difference > VISIBLE[1]).sum() >= VISIBLE[0]:
                changes["visible"].append(ms)
        state, own = shown["state"], shown["own"]
    session.detach()
    return Take(times, pictures, changes["strict"], changes["visible"], about["seconds"], about)


def changed(one: Image, other: Image) -> Image:
    """Return (height, width): by how many levels each pixel differs."""
    return np.asarray(np.abs(one.astype(np.int16) - other.astype(np.int16)).max(axis=2))


def _alone(page: Page, session: CDPSession) -> Image:
    """Return the interaction's own picture, without what goes on beside it."""
    page.evaluate("alone(true)")
    png = picture(session)
    page.evaluate("alone(false)")
    return decoded(png)


def decoded(png: bytes) -> Image:
    """Return a PNG's picture as RGB."""
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR))[..., ::-1]


def picture(session: CDPSession) -> bytes:
    """Return what a page shows, as PNG."""
    shot = session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    return base64.b64decode(shot["data"])
