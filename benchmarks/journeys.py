"""Three people's ways through the product, walked by what they read on the pages: names and roles, no markup.

A step that cannot be walked any more ends the benchmark and says which it was.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Error, Locator, Page

from benchmarks.product import BASE, NEW, SCREENS_READY, Product, until

GATE_WORDS = re.compile(r"NO-GO|GO|not enough data", re.IGNORECASE)


@dataclass(frozen=True)
class Walked:
    """What a way took."""

    way: str
    clicks: int
    seconds: float
    typed: int = 0  # fields
    waited_s: float = 0.0  # of the seconds: while nothing could be done but wait


class Walker:
    """Someone at the first page, whose clicks and typed fields are counted, and how long they have to wait."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.typed = 0
        self.waited_s = 0.0

    def click(self, target: Locator) -> None:
        """Click on it."""
        self.clicks += 1
        target.click()

    def choose(self, name: str, value: str) -> None:
        """Choose in a list, unless it is chosen already: a click to open it and one to choose."""
        field = self.page.get_by_role("combobox", name=name, exact=True)
        if field.input_value() != value:
            self.clicks += 2
            field.select_option(value)

    def type(self, name: str, text: str) -> None:
        """Type into a field; the click into it belongs to it."""
        self.typed += 1
        self.page.get_by_label(name, exact=True).fill(text)

    def send(self, name: str, *files: Path) -> None:
        """Choose files or a folder: a click for the system's dialog, one for what is wanted, one to close it."""
        self.clicks += 3
        self.page.get_by_label(name).set_input_files(files[0] if len(files) == 1 else files)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time as waiting for the machine: nothing is clicked meanwhile."""
        start = time.perf_counter()
        yield
        self.waited_s += time.perf_counter() - start

    def press(self, key: str) -> None:
        """Press a key."""
        self.clicks += 1
        self.page.keyboard.press(key)


def engineer(walker: Walker) -> None:
    """Choose two versions, compare, see the worst interaction on top of the ranking."""
    walker.choose("Baseline", BASE)
    walker.choose("Updated", NEW)
    walker.click(walker.page.get_by_role("button", name="Compare", exact=True))
    walker.page.wait_for_url(re.compile(rf"/compare/{re.escape(BASE)}/{re.escape(NEW)}/"))
    rows(walker.page).first.wait_for()


def developer(walker: Walker) -> None:
    """Open the worst interaction, see both response frames side by side, take the bug report along."""
    page = walker.page
    walker.click(rows(page.get_by_role("region", name="Last comparison")).first)
    until(page, SCREENS_READY)
    walker.press("r")
    with page.expect_download() as download:
        walker.click(page.get_by_role("link", name="Bug report").or_(page.get_by_role("button", name="Bug report")))
    download.value.path()


def manager(walker: Walker) -> None:
    """Read GO or NO-GO on the first page, open its reasons."""
    page = walker.page
    walker.click(page.get_by_role("region", name="Last comparison").get_by_role("link", name=GATE_WORDS))
    page.get_by_role("region", name="Reasons").get_by_role("listitem").first.wait_for()


JOURNEYS: dict[str, tuple[str, Callable[[Walker], None]]] = {
    "test engineer": ("the worst interaction of two versions", engineer),
    "developer": ("the response frames of the worst, and its bug report", developer),
    "manager": ("the reasons of the release gate", manager),
}


def walk(product: Product, who: str) -> Walked:
    """Walk one way from the first page, in a browser with an empty cache."""
    way, steps = JOURNEYS[who]
    return walk_steps(product, way, steps)


def walk_steps(product: Product, way: str, steps: Callable[[Walker], None], *, logged_in: bool = True) -> Walked:
    """Walk steps from the first page, which leads whoever is not logged in to the login."""
    with product.visitor(logged_in=logged_in) as context:
        page = context.new_page()
        page.goto("/")
        walker = Walker(page)
        start = time.perf_counter()
        try:
            steps(walker)
        except Error as error:
            raise SystemExit(f"{way}: after {walker.clicks} clicks, at {page.url}: {error}") from error
        return Walked(way, walker.clicks, time.perf_counter() - start, walker.typed, walker.waited_s)


def rows(place: Page | Locator) -> Locator:
    """Return the links of the rows of the table: in each row the first leads to its interaction."""
    return place.get_by_role("rowheader").get_by_role("link")
