"""A real Chromium, logged in, that notes every console error and violation of the content security policy.

No test is skipped in silence: without a browser each of them fails and says how to get one.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.find_browser import CURE, find_browser

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NEVER_MS = 60_000  # what has not come by then will not come: a busy machine is slow, not wrong
SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


def until(page: Page, expression: str) -> None:
    """Wait for the page; Playwright's own waiting evaluates text, which every page's policy forbids."""
    end = time.monotonic() + NEVER_MS / 1000
    while time.monotonic() < end:
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never came true: {expression}")


@dataclass
class Visitor:
    """Someone who is logged in. ``problems`` must stay empty: the fixture checks it when the test has ended."""

    context: BrowserContext
    address: str
    problems: list[str] = field(default_factory=list)

    def open(self, path: str, *, size: str = "wide", theme: str = "light") -> Page:
        """Open a page of the product in a tab of its own."""
        page = self.context.new_page()
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=theme)
        page.on("console", lambda message: self._note(path, message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(f"{path}: {error}"))
        page.set_default_timeout(NEVER_MS)
        page.goto(self.address + path)
        return page

    def _note(self, path: str, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(f"{path}: {text}")


@pytest.fixture(scope="session")
def browser():
    """Start the Chromium of the system, else Playwright's own."""
    path = find_browser()
    assert path, CURE
    with sync_playwright() as playwright:
        # Playwright runs an event loop in this thread; Django's ORM is used outside of it.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def new_visitor(browser: Browser, live_server) -> Callable[[str], Visitor]:
    """Return a function that opens a browser profile of its own, for a user (or nobody)."""
    visitors: list[Visitor] = []

    def make(user=None) -> Visitor:
        context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
        if user:
            client = Client()
            client.force_login(user)
            cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
            context.add_cookies([cookie])
        visitors.append(Visitor(context, live_server.url))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.context.close()
    assert [problem for visitor in visitors for problem in visitor.problems] == []


@pytest.fixture
def visitor(new_visitor, engineer) -> Visitor:
    """Return a browser that is logged in as the engineer."""
    return new_visitor(engineer)
