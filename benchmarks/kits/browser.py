"""Chromium, driven frame by frame: the time of its scripts and of its animations passes as we say.

Speaks the DevTools protocol over a pipe, as Playwright holds no page whose frames are begun from outside: see
HeadlessExperimental.beginFrame and Emulation.setVirtualTimePolicy at chromedevtools.github.io/devtools-protocol.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.find_browser import SHELL

FLAGS = (
    "--remote-debugging-pipe",
    "--enable-begin-frame-control",  # a frame is drawn when it is asked for
    "--run-all-compositor-stages-before-draw",  # and holds all that is known by then
    "--disable-threaded-animation",
    "--disable-threaded-scrolling",
    "--disable-checker-imaging",
    "--disable-image-animation-resync",
    "--disable-new-content-rendering-timeout",
    "--disable-gpu",
    "--no-sandbox",
    "--no-first-run",
    "--hide-scrollbars",  # with them some frames never end
    "--disable-features=DeferRendererTasksAfterInput",  # else the frame after a click may never end
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# The pipe's ends have to be numbers 3 and 4 of a process.
PLUG = """import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD_CLOEXEC, 10) for end in sys.argv[1:3]]
for number, end in enumerate(ends, 3):
    os.dup2(end, number)
os.execv(sys.argv[3], sys.argv[3:])"""
READ_AT_ONCE = 1 << 20
ANSWERS_S = 20
PLAYWRIGHT = "~/Library/Caches/ms-playwright" if sys.platform == "darwin" else "~/.cache/ms-playwright"
PAUSES = "pauseIfNetworkFetchesPending"  # what is fetched comes at once, as if it had been there


NEEDED = (
    "Chromium's headless shell is needed, as no other draws frames when it is asked to: install it (Debian: "
    "apt-get install chromium-headless-shell) or let Playwright (python -m playwright install chromium)."
)


def find_shell() -> str | None:
    """Return the path of a Chromium whose frames can be begun from outside: the system's, else Playwright's."""
    if found := next(filter(None, map(shutil.which, SHELL)), None):
        return found
    browsers = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", PLAYWRIGHT)
    downloaded = Path(browsers).expanduser().glob("chromium_headless_shell-*/*/*headless[-_]shell")
    newest = max(downloaded, key=lambda path: int(path.parents[1].name.rpartition("-")[2]), default=None)
    return str(newest) if newest else None


class BrowserError(Exception):
    """The browser does not do what it is asked for."""


class Browser:
    """A Chromium that is talked to; one call after the other."""

    def __init__(self, says: int, hears: int) -> None:
        self._says, self._hears = says, hears
        self._rest, self._last = b"", 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._events: list[str] = []

    def send(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        """Ask for something and return the answer; raises BrowserError if it refuses."""
        number = self.post(method, session, **given)
        while number not in self._answers:
            self._read()
        answer = self._answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return dict(answer["result"])

    def post(self, method: str, session: str | None = None, **given: Any) -> int:
        """Ask for something whose answer needs frames of which none would come while we waited for it."""
        self._last += 1
        said = {"id": self._last, "method": method, "params": given} | ({"sessionId": session} if session else {})
        try:
            os.write(self._hears, json.dumps(said).encode() + b"\0")
        except BrokenPipeError as error:
            raise BrowserError("Chromium has ended") from error
        return self._last

    def wait_for(self, event: str) -> None:
        """Return once an event has come that had not come before."""
        while event not in self._events:
            self._read()
        self._events.remove(event)

    def _read(self) -> None:
        while b"\0" not in self._rest:
            if not select.select([self._says], [], [], ANSWERS_S)[0]:
                raise BrowserError(f"Chromium has said nothing for {ANSWERS_S} s")
            more = os.read(self._says, READ_AT_ONCE)
            if not more:
                raise BrowserError("Chromium has ended")
            self._rest += more
        message, self._rest = self._rest.split(b"\0", 1)
        told = json.loads(message)
        if "id" in told:
            self._answers[told["id"]] = told
        else:
            self._events.append(told["method"])


@contextmanager
def opened(executable: str, scale: float) -> Iterator[Browser]:
    """Start a Chromium that shows `scale` pixels for each CSS px, with a profile of its own, and end it."""
    hears, to_it = os.pipe()
    from_it, says = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = (*FLAGS, f"--force-device-scale-factor={scale}", f"--user-data-dir={profile}")
        plugged = [sys.executable, "-c", PLUG, str(hears), str(says), executable, *flags]
        with subprocess.Popen(plugged, pass_fds=(hears, says), stderr=subprocess.DEVNULL) as process:
            os.close(hears)
            os.close(says)
            try:
                yield Browser(from_it, to_it)
            finally:
                process.kill()
                os.close(from_it)
                os.close(to_it)


class Page:
    """A page of a phone's size that stands still unless `tick` is called."""

    def __init__(self, browser: Browser, width: int, height: int, scale: float) -> None:
        self._browser = browser
        asked = {"url": "about:blank", "width": width, "height": height, "enableBeginFrameControl": True}
        target = browser.send("Target.createTarget", **asked)["targetId"]
        self._session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for name in ("Page", "Runtime"):
            self._ask(f"{name}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": scale}
        self._ask("Emulation.setDeviceMetricsOverride", mobile=True, **size)
        self._ask("Emulation.setTouchEmulationEnabled", enabled=True)
        self._begin_s, self._begin_ms = time.time(), time.monotonic() * 1000
        self._ask("Emulation.setVirtualTimePolicy", policy="pause", initialVirtualTime=self._begin_s)
        self._passed_ms = 0.0

    def go(self, address: str) -> None:
        """Begin to load a page."""
        self._ask("Page.navigate", url=address)

    def evaluate(self, script: str) -> Any:
        """Return what an expression is; raises BrowserError if it throws."""
        answer = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"]["exception"].get("description", script))
        return answer["result"].get("value")

    def tick(self, ms: float) -> bytes | None:
        """Let time pass, draw the frame at its end, and return it as PNG; None if nothing new was drawn."""
        self._ask("Emulation.setVirtualTimePolicy", policy=PAUSES, budget=ms)
        self._browser.wait_for("Emulation.virtualTimeBudgetExpired")
        self._passed_ms += ms
        asked = {"frameTimeTicks": self._begin_ms + self._passed_ms, "interval": ms}
        shot = {"format": "png", "optimizeForSpeed": True}
        drawn = self._ask("HeadlessExperimental.beginFrame", screenshot=shot, **asked)
        return base64.b64decode(drawn["screenshotData"]) if "screenshotData" in drawn else None

    def touch(self, kind: str, x: float = 0.0, y: float = 0.0) -> None:
        """Put a finger down (touchStart), move it (touchMove) or lift it (touchEnd), at the page's own time."""
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        at = self._begin_s + self._passed_ms / 1000
        self._post("Input.dispatchTouchEvent", type=kind, touchPoints=points, timestamp=at)

    def key(self, letter: str) -> None:
        """Press a key and let it go."""
        self._post("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
        self._post("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def _ask(self, method: str, **given: Any) -> dict[str, Any]:
        return self._browser.send(method, self._session, **given)

    def _post(self, method: str, **given: Any) -> None:
        self._browser.post(method, self._session, **given)
