"""Film a scene in a page of its own: the pictures that the browser delivers, the input as the page gets it."""

import asyncio
import base64
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import av
from PIL import Image
from playwright.async_api import Browser, CDPSession, Page

from benchmarks.recorder.scenes import Scene, start_script

SIZE = {"width": 412, "height": 892}
SLOWDOWN = 4
SETTLE_MS, LEAD_MS = 300, 400  # before the film; from its first picture to the input
TICK = Fraction(1, 90_000)  # s
QUALITY = {"crf": "28", "preset": "veryslow", "g": "240", "bf": "0"}
# The wall clock less the age of the event: performance.timeOrigin may be off by what the clock was corrected since.
LISTEN = """for (const kind of ['touchend', 'keydown']) addEventListener(kind, event => {
  if (window.acted) acted(String(Date.now() - (performance.now() - event.timeStamp)))
}, {capture: true, passive: true})"""


@dataclass(frozen=True)
class Film:
    """What a run left: its pictures (PNG) in order with their second, the second of the input, when it was made."""

    pictures: tuple[tuple[float, bytes], ...]
    action: float
    recorded_at: str

    @property
    def action_ms(self) -> float:
        """Return the instant of the input after the first picture."""
        return round((self.action - self.pictures[0][0]) * 1000, 2)


async def film(browser: Browser, address: str, scene: Scene) -> Film:
    """Do the scene in a fresh page with an empty cache."""
    context = await browser.new_context(viewport=SIZE, device_scale_factor=1, has_touch=True)  # type: ignore[arg-type]
    try:
        await context.add_init_script(start_script() + LISTEN)
        page = await context.new_page()
        await page.goto(address + scene.path)
        await scene.prepare(page)
        return await _filmed(page, await context.new_cdp_session(page), scene)
    finally:
        await context.close()


async def _filmed(page: Page, session: CDPSession, scene: Scene) -> Film:
    pictures: dict[float, bytes] = {}
    inputs: list[float] = []
    waiting: set[asyncio.Task[Any]] = set()

    def take(event: dict[str, Any]) -> None:
        pictures[event["metadata"]["timestamp"]] = base64.b64decode(event["data"])
        task = asyncio.ensure_future(session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]}))
        waiting.add(task)
        task.add_done_callback(waiting.discard)

    session.on("Page.screencastFrame", take)
    session.on("Runtime.bindingCalled", lambda event: inputs.append(float(event["payload"]) / 1000))
    await session.send("Runtime.enable")
    await session.send("Runtime.addBinding", {"name": "acted"})
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    await page.wait_for_timeout(SETTLE_MS)
    recorded_at = datetime.now(UTC)
    size = {"maxWidth": SIZE["width"], "maxHeight": SIZE["height"]}
    await session.send("Page.startScreencast", {"format": "png", **size})
    await page.wait_for_timeout(LEAD_MS)
    await scene.act(page, session)
    await page.wait_for_timeout(scene.after_ms)
    end = time.time()
    await session.send("Page.stopScreencast")
    await asyncio.gather(*waiting)
    if len(inputs) != 1:
        raise RuntimeError(f"the page got {len(inputs)} inputs, not one")
    in_order = sorted(pictures.items())  # they are coded side by side and may overtake one another
    if not in_order or in_order[0][0] > inputs[0]:
        raise RuntimeError("no picture came before the input")
    last = max(end, in_order[-1][0] + 1 / 60), in_order[-1][1]  # the film goes on as long as the screen was watched
    return Film((*in_order, last), inputs[0], recorded_at.strftime("%Y-%m-%dT%H:%M:%SZ"))


def keep(file: Path, film: Film) -> None:
    """Write a run as it came: a zip of its pictures and what else is known."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    with ZipFile(part, "w") as archive:
        for number, (_, png) in enumerate(film.pictures):
            archive.writestr(f"{number:04}.png", png)
        facts = {"seconds": [at for at, _ in film.pictures], "action": film.action, "at": film.recorded_at}
        archive.writestr("facts.json", json.dumps(facts))
    part.rename(file)


def kept(file: Path) -> Film:
    """Read what was written of a run."""
    with ZipFile(file) as archive:
        facts = json.loads(archive.read("facts.json"))
        pictures = [(at, archive.read(f"{number:04}.png")) for number, at in enumerate(facts["seconds"])]
    return Film(tuple(pictures), facts["action"], facts["at"])


def write_video(film: Film, file: Path) -> None:
    """Encode a run, each picture at its own instant."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(file), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=60, options=QUALITY)
        stream.width, stream.height, stream.pix_fmt = SIZE["width"], SIZE["height"], "yuv420p"
        stream.codec_context.time_base = TICK
        for at, png in film.pictures:
            frame = av.VideoFrame.from_image(Image.open(BytesIO(png)).convert("RGB"))
            frame.pts, frame.time_base = round((at - film.pictures[0][0]) / TICK), TICK
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
