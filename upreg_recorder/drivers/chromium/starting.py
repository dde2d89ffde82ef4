"""Find the browser that a plan names, and start it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Browser, Playwright
from playwright.async_api import Error as PlaywrightError

from upreg_recorder.drivers.chromium import npm
from upreg_recorder.drivers.chromium.options import Phone
from upreg_recorder.failures import DeviceGoneError, RecorderError

SYSTEM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--disable-gpu", "--hide-scrollbars")  # pictures are composed by software, the same on each host
# Else a scroll goes where the browser foresees the finger: up to 200 px off for a fast one, other each time.
OFF = "--disable-features=ResamplingScrollEvents"
LISTS = ("--disable-features=", "--enable-features=")  # of which the browser heeds the last one only
START_MS = 60_000


def executable(phone: Phone, cache: Path, own: str) -> Path:
    """Return the browser's path; `own` is that of Playwright's own. Raises DeviceGoneError where there is none."""
    if phone.browser.startswith(npm.SIGN):
        try:
            return npm.browser(phone.browser.removeprefix(npm.SIGN), cache)
        except RecorderError as error:
            raise DeviceGoneError(str(error)) from error
    if phone.browser == "system":
        found = next((path for name in SYSTEM if (path := shutil.which(name))), None) or own
        cure = "install it (Debian: apt-get install chromium), or run python -m playwright install chromium"
    else:
        found = str(Path(phone.browser).expanduser())
        cure = "name the browser's file, system, or npm:@sparticuz/chromium@VERSION"
    if not os.access(found, os.X_OK):
        raise DeviceGoneError(f"browser {phone.browser!r}: there is no Chromium at {found or 'any place'}: {cure}")
    return Path(found)


async def start(playwright: Playwright, path: Path, phone: Phone) -> Browser:
    """Return the browser, started; raises DeviceGoneError with what it said where it does not start."""
    try:
        ours = [*FLAGS, OFF, f"--force-device-scale-factor={phone.scale:g}", *phone.flags]  # or films have CSS px
        return await _launch(playwright, path, joined(await _switches(playwright, path), ours))
    except PlaywrightError as error:
        said = error.message.strip().splitlines()[0]
        raise DeviceGoneError(
            f"browser {phone.browser!r} does not start: {said}: does {path} run by itself?"
        ) from error


def joined(given: Sequence[str], ours: Sequence[str]) -> list[str]:
    """Return our switches for a browser that is given some: lists of features hold what each of both named."""
    kept = [switch for switch in ours if not switch.startswith(LISTS)]
    for start in LISTS:
        named = [switch.removeprefix(start).split(",") for switch in (*given, *ours) if switch.startswith(start)]
        if named:
            kept.append(start + ",".join(dict.fromkeys(name for names in named for name in names if name)))
    return kept


async def _switches(playwright: Playwright, path: Path) -> list[str]:
    """Return the switches that Playwright gives a browser; none of one that does not tell them."""
    browser = await _launch(playwright, path, ["--enable-automation"])
    try:
        session = await browser.new_browser_cdp_session()
        with suppress(PlaywrightError):
            return [str(each) for each in (await session.send("Browser.getBrowserCommandLine"))["arguments"]]
        return []
    finally:
        await browser.close()


async def _launch(playwright: Playwright, path: Path, switches: Sequence[str]) -> Browser:
    return await playwright.chromium.launch(
        executable_path=path,
        args=switches,
        timeout=START_MS,
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )


async def process_of(browser: Browser) -> int | None:
    """Return the process id of a browser; None where it does not tell."""
    session = await browser.new_browser_cdp_session()
    try:
        found = await session.send("SystemInfo.getProcessInfo")
    except PlaywrightError:
        return None
    finally:
        await session.detach()
    return next((each["id"] for each in found["processInfo"] if each["type"] == "browser"), None)
