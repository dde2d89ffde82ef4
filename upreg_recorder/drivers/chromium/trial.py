"""One trial: a page in a profile of its own, from the home screen to the end of the film."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import Browser, BrowserContext, CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from upreg_recorder.drivers.chromium.diary import Diary
from upreg_recorder.drivers.chromium.filming import Film, Screencast
from upreg_recorder.drivers.chromium.finding import WITHIN_MS, place_of, seen
from upreg_recorder.drivers.chromium.hand import KEY_MS, Hand, Place, stroke
from upreg_recorder.drivers.chromium.options import Phone, Web
from upreg_recorder.failures import SettledTrialError, TrialError
from upreg_recorder.plans.model import App, Interaction, Step, Target

LOAD_MS = 30_000.0
# A page that is loaded has drawn nothing yet: a finger that moves on it now may lose its first move.
DRAWN, DRAWN_S = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))", 5.0
TELLS = "upregTells"
# The wall clock less the age of the event: performance.timeOrigin may be off by what the clock was corrected since.
LISTEN = """(() => {
  const tell = said => window.upregTells && upregTells(JSON.stringify(said))
  for (const kind of ['touchstart', 'keydown']) addEventListener(kind, event =>
    tell({acted: Date.now() - (performance.now() - event.timeStamp)}), {capture: true, passive: true})
  const asking = [
    [window.Geolocation?.prototype, 'getCurrentPosition', 'geolocation'],
    [window.Geolocation?.prototype, 'watchPosition', 'geolocation'],
    [window.MediaDevices?.prototype, 'getUserMedia', 'camera or microphone'],
    [window.Notification, 'requestPermission', 'notifications'],
  ]
  for (const [owner, name, what] of asking) if (owner?.[name]) {
    const answer = owner[name]
    owner[name] = function (...said) { tell({asks: what}); return answer.apply(this, said) }
  }
})()
"""
FLOOR_MS = 0.5  # Date.now() leaves out what is less than 1 ms: half of it is added again
PAGE_MS = 0.6  # that half, and performance.now() and timeStamp, which are told in steps of 0.1 ms
T = TypeVar("T")
Act = Callable[[], Awaitable[Any]]
STEP_MS = 5.0  # what the host's clock may be corrected during a film: as much as a slewing NTP client does in 10 s
BY_PAGE = "the timeStamp of the input as the page got it, on the wall clock of the host, as the pictures"
BY_HOST = (
    "when the input was sent and answered, as no page told of it, on the wall clock of the host, as the pictures"
)


@dataclass(frozen=True)
class Addresses:
    """Where an app begins, and the home screen with its icon."""

    app: str
    home: str


@dataclass(frozen=True)
class Filmed:
    """A film, the second of the action, good to ± `uncertain_ms`, and where the finger went down, CSS px."""

    film: Film
    action: float
    uncertain_ms: float
    clock: str
    finger: Place | None


class Trial:
    """A page with an empty cache and nothing stored, on the home screen."""

    def __init__(
        self, context: BrowserContext, page: Page, session: CDPSession, phone: Phone, app: App, web: Web
    ) -> None:
        self._context, self._page, self._session, self._phone, self._app = context, page, session, phone, app
        self._hand = Hand(session)
        self._acted: list[float] = []
        self._addresses = Addresses("", "")
        self.diary = Diary(page, app.name, web)
        session.on("Runtime.bindingCalled", self._told)

    @classmethod
    async def begin(cls, browser: Browser, phone: Phone, app: App, web: Web, addresses: Addresses) -> Trial:
        """Open the home screen in a profile that was never used."""
        width, height = phone.size
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=phone.scale,
            has_touch=True,
            is_mobile=phone.mobile,
            user_agent=phone.user_agent,
            accept_downloads=False,
            locale="en-US",
        )
        try:
            await context.grant_permissions([])  # what is not granted is denied, without a question on the screen
            for script in (LISTEN, phone.script, web.start_script()):  # one after the other, each by itself
                if script:
                    await context.add_init_script(script)
            page = await context.new_page()
            trial = cls(context, page, await context.new_cdp_session(page), phone, app, web)
            await trial._listen()
            trial._addresses = addresses
            await trial._open(addresses.home)
        except BaseException:
            await context.close()
            raise
        return trial

    async def close(self) -> None:
        """Close the page and forget its profile."""
        await self._context.close()

    async def unless_crashed(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work returns; raises TrialError once the page has crashed: it answers no more."""
        task, crash = asyncio.ensure_future(work), asyncio.ensure_future(self.diary.crashed.wait())
        await asyncio.wait({task, crash}, return_when=asyncio.FIRST_COMPLETED)
        crash.cancel()
        if not task.done():
            task.cancel()
            self.diary.check()
        return await task

    async def picture(self) -> bytes:
        """Return the screen as PNG."""
        shot = await self._session.send("Page.captureScreenshot", {"format": "png"})
        return base64.b64decode(shot["data"])

    async def do(self, step: Step) -> None:
        """Do a step and wait until it is done."""
        if step.kind == "launch":
            await self._open(self._addresses.app)
        elif step.kind == "home":
            await self._open(self._addresses.home)
        elif step.kind == "back":
            await self._page.go_back(timeout=LOAD_MS)
        elif step.kind == "wait":
            await self._wait(step)
        else:
            await self._into(step)
            act, _ = await self._aimed(step, gap_ms=0)
            await act()
        self.diary.check()

    async def film(self, interaction: Interaction, folder: Path) -> Filmed:
        """Film an action; raises TrialError where it cannot be done, or nothing tells when it was."""
        step = interaction.action
        if step.kind == "launch" and self._page.url != self._addresses.home:
            await self._open(self._addresses.home)
        await self._into(step)
        act, finger = await self._aimed(step, gap_ms=KEY_MS)
        await self._session.send("Emulation.setCPUThrottlingRate", {"rate": self._phone.slowdown})
        await asyncio.sleep(self._phone.settle_ms / 1000)
        screencast, ahead = Screencast(self._session, self._phone, folder), _wall_clock()
        try:
            filmed = await self._filmed(interaction, screencast, act, finger)
            self._check(filmed, step)
            corrected_ms = abs(_wall_clock() - ahead) * 1000
            if corrected_ms > STEP_MS:
                said = f"the clock of the host was set by {corrected_ms:.0f} ms"
                raise TrialError(f"{said} during the film: it is tried again")
        except BaseException:
            screencast.drop()
            raise
        await self._session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        return replace(filmed, uncertain_ms=round(filmed.uncertain_ms + corrected_ms, 2))

    async def _filmed(
        self,
        interaction: Interaction,
        screencast: Screencast,
        act: Callable[[], Awaitable[Any]],
        finger: Place | None,
    ) -> Filmed:
        first = await screencast.start()
        await _until(first + interaction.lead_ms / 1000)
        self._acted.clear()
        self.diary.write(f"action: {interaction.action.kind}")
        sent = time.time()
        await act()
        done = time.time()
        action, uncertain_ms, clock = self._instant(sent, done)
        await _until(done + interaction.watch_ms / 1000)
        film = await screencast.stop(time.time())
        self.diary.write("the film ends")
        return Filmed(film, action, uncertain_ms, clock, finger)

    async def _listen(self) -> None:
        await self._session.send("Runtime.enable")
        await self._session.send("Runtime.addBinding", {"name": TELLS})

    async def _open(self, address: str) -> None:
        try:
            await self._page.goto(address, timeout=LOAD_MS)
        except PlaywrightError as error:
            self.diary.check()
            said = error.message.splitlines()[0]
            raise TrialError(
                f"{self._app.name}: {address} does not open: {said}: does it in a browser of this host?"
            ) from error
        with suppress(PlaywrightError, TimeoutError):  # it goes elsewhere, or hangs: the next step tells
            await asyncio.wait_for(self._page.evaluate(DRAWN), DRAWN_S)
        self.diary.check()

    async def _wait(self, step: Step) -> None:
        if step.target is None:
            await asyncio.sleep(step.ms / 1000)
        elif step.target.at is None:
            await seen(self._page, step, step.target, step.ms or WITHIN_MS)

    async def _into(self, step: Step) -> None:
        """Tap the field that a step types into, before it is filmed."""
        if step.kind == "type" and step.target is not None:
            await self._hand.tap(await place_of(self._page, step, self._phone))

    async def _aimed(self, step: Step, gap_ms: float) -> tuple[Act, Place | None]:
        """Return what does a step once it is called, and where the finger goes down."""
        hand, phone = self._hand, self._phone
        if step.kind in ("tap", "launch"):
            icon = replace(step, target=Target(id=self._app.package)) if step.kind == "launch" else step
            at = await place_of(self._page, icon, phone)
            return partial(hand.tap, at), at
        if step.kind in ("swipe", "draw"):
            path = [phone.place(share) for share in step.path]
            return partial(hand.drag, path, step.ms), path[0]
        if step.kind == "scroll":
            by = step.by[0] * phone.size[0], step.by[1] * phone.size[1]
            at = stroke(await place_of(self._page, step, phone), by, phone.size)
            return partial(hand.scroll, at, by, step.ms), at
        if step.kind == "type":
            return partial(hand.type, step.text, gap_ms), None
        if step.kind in ("back", "home"):
            way = "history.back()" if step.kind == "back" else f"location.href = {json.dumps(self._addresses.home)}"
            script = f"{TELLS}(JSON.stringify({{acted: Date.now()}})); {way}"
            return partial(self._session.send, "Runtime.evaluate", {"expression": script}), None
        raise SettledTrialError(f"{step.kind} is nothing that a film shows: name another action")

    def _instant(self, sent: float, answered: float) -> tuple[float, float, str]:
        """Return the second of the action, how uncertain it is in ms, and by which clock it is known."""
        if not self._acted:
            return (sent + answered) / 2, (answered - sent) * 500, BY_HOST
        action = self._acted[0] + FLOOR_MS / 1000
        slack = (FLOOR_MS + PAGE_MS) / 1000
        if not sent - slack <= action <= answered + slack:
            raise TrialError(
                "the page and the host do not agree when the input was: was the clock set? It is tried again"
            )
        return action, PAGE_MS, BY_PAGE

    def _check(self, filmed: Filmed, step: Step) -> None:
        self.diary.check()
        if filmed.film.seconds[0] > filmed.action:
            raise TrialError("no picture came before the action: it is tried again; a longer lead_ms may help")
        if step.kind == "launch" and self._page.url == self._addresses.home:
            said = f"{self._app.name}: its icon was tapped, and nothing opened in the film"
            raise TrialError(f"{said}: is watch_ms too short?")

    def _told(self, event: dict[str, Any]) -> None:
        said = json.loads(event["payload"])
        if "acted" in said:
            self._acted.append(said["acted"] / 1000)
        else:
            self.diary.refused(said["asks"])


def _wall_clock() -> float:
    """Return how far the wall clock is ahead of one that nobody sets, s."""
    return time.time() - time.monotonic()


async def _until(second: float) -> None:
    await asyncio.sleep(max(second - time.time(), 0))
