"""Three people's ways through the product, walked by what they read on the pages: names and roles, no markup.

A step that cannot be walked any more ends the benchmark and says which it was.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Error, Locator, Page

from benchmarks.product import BASE, NEW, SCREENS_READY, Product, until

GATE_WORDS = re.compile(r"NO-GO|GO|not enough data", re.IGNORECASE)


@dataclass(frozen=True)
class Walked:
    """What a way took."""

    way: str
    clicks: int
    seconds: float


class Walker:
    """Someone at the first page, whose clicks are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

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
    _rows(walker.page).first.wait_for()


def developer(walker: Walker) -> None:
    """Open the worst interaction, see both response frames side by side, take the bug report along."""
    page = walker.page
    walker.click(_rows(page.get_by_role("region", name="Last comparison")).first)
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
    with product.visitor() as context:
        page = context.new_page()
        page.goto("/")
        walker = Walker(page)
        start = time.perf_counter()
        try:
            steps(walker)
        except Error as error:
            raise SystemExit(f"{who}, after {walker.clicks} clicks, at {page.url}: {error}") from error
        return Walked(way, walker.clicks, time.perf_counter() - start)


def _rows(place: Page | Locator) -> Locator:
    """Return the links of the rows of the table: in each row the first leads to its interaction."""
    return place.get_by_role("rowheader").get_by_role("link")
