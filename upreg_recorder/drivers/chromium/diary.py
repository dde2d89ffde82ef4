"""What happened in a page during a trial: its log, what is worth a note, and what makes the trial worthless."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from playwright.async_api import ConsoleMessage, Dialog, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from upreg_recorder.drivers.chromium.options import Web
from upreg_recorder.failures import TrialError

ABORTED = "net::ERR_ABORTED"  # the page went elsewhere meanwhile, or it was a download: no failure


class Diary:
    """Listens to a page from its beginning to its end."""

    def __init__(self, page: Page, app: str, web: Web) -> None:
        self.lines: list[str] = []
        self.notes: list[str] = []
        self.crashed = asyncio.Event()
        self._trouble = ""
        self._page, self._app, self._web = page, app, web
        self._tasks: set[asyncio.Task[Any]] = set()
        page.on("console", self._says)
        page.on("pageerror", self._fails)
        page.on("crash", self._crashes)
        page.on("dialog", self._asks)
        page.on("popup", self._opens)
        page.on("requestfailed", self._not_loaded)
        page.on("response", self._answered)

    def write(self, text: str) -> None:
        """Add a line, with the time of the host."""
        self.lines.append(f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {text}")

    def note(self, text: str) -> None:
        """Add what a person should know beside the recording, once."""
        self.write(text)
        if text not in self.notes:
            self.notes.append(text)

    def refused(self, permission: str) -> None:
        """Note that the page asked for a permission: none is given."""
        self.note(f"the page asked for permission: {permission} (denied)")

    def check(self) -> None:
        """Raise TrialError with the first thing that went wrong, if anything did."""
        if self._trouble:
            raise TrialError(self._trouble)

    def _end(self, trouble: str) -> None:
        self.write(trouble)
        self._trouble = self._trouble or trouble

    def _says(self, message: ConsoleMessage) -> None:
        place = message.location
        self.write(f"console.{message.type} {message.text} ({place.get('url', '')}:{place.get('lineNumber', 0)})")

    def _fails(self, error: PlaywrightError) -> None:
        said = (
            f"{self._app}: a script of the page failed: {error.message.splitlines()[0] if error.message else error}"
        )
        if self._web.page_errors == "note":
            self.note(said)
        else:
            self._end(f"{said}: if the app lives with it, set page_errors: note")

    def _crashes(self, _: Page) -> None:
        self._end(f"{self._app}: the page crashed: is it the app, or has the host no memory left?")
        self.crashed.set()

    def _asks(self, dialog: Dialog) -> None:
        self.note(f"the page showed a dialog ({dialog.type}): {dialog.message!r} (dismissed)")
        leave = dialog.type == "beforeunload"
        self._later(dialog.accept() if leave else dialog.dismiss())

    def _opens(self, page: Page) -> None:
        self.note("the page opened another one (closed)")
        self._later(page.close())

    def _not_loaded(self, request: Request) -> None:
        why = request.failure or "it failed"
        self.write(f"request {request.url} {why}")
        if self._of_page(request) and why != ABORTED:
            self._end(f"{self._app}: {request.url} did not load: {why}: does it open in a browser of this host?")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.write(f"response {response.status} {response.url}")
            if self._of_page(response.request):
                self._end(
                    f"{self._app}: {response.url} answers {response.status}: see url, or site and path, in the plan"
                )

    def _of_page(self, request: Request) -> bool:
        return request.is_navigation_request() and request.frame == self._page.main_frame

    def _later(self, work: Any) -> None:
        async def ended() -> None:
            try:
                await work
            except PlaywrightError as error:  # the page went away first
                self.write(f"not done: {error.message.splitlines()[0]}")

        task = asyncio.ensure_future(ended())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
