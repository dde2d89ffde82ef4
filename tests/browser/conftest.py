"""A real Chromium, logged in, that notes every console error and violation of the content security policy.

No test is skipped in silence: without a browser each of them fails and says how to get one.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from json import dumps

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from tests.find_browser import CURE, find_browser

# Playwright's own, for the last such flag is the one that counts; and large scripts are compiled anew for each page
# while they are fetched, though the profile that stays open has them compiled.
NOT_WANTED = (
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ScriptStreaming",
    "ThirdPartyStoragePartitioning",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(NOT_WANTED)}",
    "--process-per-site",  # with the tab that stays open: scripts are compiled once, not for each test
]
NEVER_MS = 60_000  # what has not come by then will not come: a busy machine is slow, not wrong
SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


def until(page: Page, expression: str) -> None:
    """Wait within the page; Playwright's own waiting evaluates text, which every page's policy forbids.

    What is asked in short intervals from here costs two processes more than the page itself.
    """
    end = time.monotonic() + NEVER_MS / 1000
    while time.monotonic() < end:
        try:
            if page.evaluate(_UNTIL % expression, 1000):
                return
        except Error as error:
            if "context was destroyed" not in error.message:  # the page goes to another address
                raise
    raise AssertionError(f"never came true: {expression}")


_UNTIL = """async (ms) => {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (%s) return true;
    await scheduler.postTask(() => {}, { delay: 20 }); // no timer: some tests let time stand
  }
  return false;
}"""


@dataclass
class Visitor:
    """Someone who is logged in. ``problems`` must stay empty: the fixture checks it when the test has ended.

    What a test does to a page on purpose it names in ``expected``, by a part of the message, before or after: the
    browser tells of it when it comes to it.
    """

    context: BrowserContext
    address: str
    scripts: list[str] = field(default_factory=list)  # run in every page that is opened, before its own
    problems: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    answers: dict[str, dict] = field(default_factory=dict)

    def answer(self, path: str, *, json: object = None, **answer: object) -> None:
        """Let the server give this answer to requests for a path (* stands for anything), instead of its own.

        To do it in the browser takes it its cache: each page would ask for all its static files again, one by one.
        """
        if json is not None:
            answer |= {"content": dumps(json), "content_type": "application/json"}
        self.answers[path] = answer

    @property
    def unexpected(self) -> list[str]:
        """Return the problems that no part of ``expected`` names."""
        return [problem for problem in self.problems if not any(part in problem for part in self.expected)]

    def open(self, path: str, *, size: str = "wide", theme: str = "light") -> Page:
        """Open a page of the product in a tab of its own."""
        page = self.context.new_page()
        for script in self.scripts:
            page.add_init_script(script)
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=theme)
        page.on("console", lambda message: self._note(page.url, message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(f"{page.url}: {error}"))
        page.set_default_timeout(NEVER_MS)
        page.goto(self.address + path)
        return page

    def _note(self, address: str, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(f"{address}: {text}")


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


@pytest.fixture(scope="session")
def made_up() -> dict[str, dict]:
    """Return the answers that the server gives instead of its own, by path: see Visitor.answer."""
    return {}


@pytest.fixture(scope="session")
def _files_are_kept(made_up) -> Iterator[None]:
    """Let browsers keep static files, as those of the product: they are the same for each test."""
    answer, is_file = StaticFilesHandler.serve, StaticFilesHandler._should_handle

    def made_up_for(path: str) -> dict | None:
        return next((found for asked, found in list(made_up.items()) if fnmatchcase(path, asked)), None)

    def should_handle(handler: StaticFilesHandler, path: str) -> bool:
        return made_up_for(path) is not None or is_file(handler, path)

    def serve(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
        other = made_up_for(request.path)
        if other is not None:
            return HttpResponse(**other)
        found = answer(handler, request)
        found["Cache-Control"] = "max-age=86400, immutable"
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve)
        patch.setattr(StaticFilesHandler, "_should_handle", should_handle)
        yield


@pytest.fixture(scope="session")
def profile(browser: Browser, live_server, _files_are_kept) -> Iterator[BrowserContext]:
    """Keep one browser profile with a tab open: a new one compiles all scripts anew, a second of work each time."""
    context = browser.new_context(**_options(live_server))
    context.new_page().goto(f"{live_server.url}/healthz")
    yield context
    context.close()


@pytest.fixture
def new_visitor(
    browser: Browser, profile: BrowserContext, live_server, made_up
) -> Iterator[Callable[..., Visitor]]:
    """Return a function that opens a browser for a user (or nobody): the kept profile, then new ones."""
    visitors: list[Visitor] = []

    def make(user=None) -> Visitor:
        context = browser.new_context(**_options(live_server)) if visitors else profile
        if user:
            client = Client()
            client.force_login(user)
            cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
            context.add_cookies([cookie])
        visitors.append(Visitor(context, live_server.url, answers=made_up))
        return visitors[-1]

    yield make
    made_up.clear()
    for visitor in visitors[1:]:
        visitor.context.close()
    _make_new(profile)
    assert [problem for visitor in visitors for problem in visitor.unexpected] == []


def _options(live_server) -> dict[str, str]:
    return {"base_url": live_server.url, "reduced_motion": "reduce"}


def _make_new(profile: BrowserContext) -> None:
    """Leave nothing of a test in the profile that is kept, but for its cache.

    That holds static files, and of a test what carries the number of a row: no later row has the same.
    """
    first, *others = profile.pages
    for page in others:
        page.close()
    profile.unroute_all(behavior="ignoreErrors")
    profile.clear_cookies()
    session = profile.new_cdp_session(first)
    origin = first.evaluate("location.origin")
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()


@pytest.fixture
def visitor(new_visitor, engineer) -> Visitor:
    """Return a browser that is logged in as the engineer."""
    return new_visitor(engineer)
