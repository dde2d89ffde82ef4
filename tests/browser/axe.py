"""What axe-core finds on a page, and what else is looked at on every page."""

from collections.abc import Iterable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import SIZES, Visitor

_AXE = Axe().axe_script  # its own run() sends it for each question, and brings back all that was right
_ALIKE = {"exclude": [["tbody > tr:nth-child(n + 21)"], [".api-each:nth-of-type(n + 4)"]]}  # loops make them all
_RUN = "([context, options]) => axe.run(context ?? document, options).then((found) => found.violations)"


def violations(page: Page, *, context: object = None, **options: object) -> list[str]:
    """Return each violation of any weight in the page, or in axe's `context`, with the element that has it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found = page.evaluate(_RUN, [context, {"resultTypes": ["violations"], **options}])
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
        for violation in found
        for node in violation["nodes"]
    ]


def faults_of(page: Page) -> list[str]:
    """Return what is wrong with a page: all rules in light, in dark the colours, on a phone its width."""
    found = violations(page, context=_ALIKE)
    page.emulate_media(color_scheme="dark")
    found += violations(page, context=_ALIKE, runOnly=["color-contrast"])
    page.set_viewport_size(SIZES["narrow"])
    width = page.evaluate("document.documentElement.scrollWidth")
    return [*found, *([f"{width} px wide on a phone"] if width > SIZES["narrow"]["width"] else [])]


def faults(visitor: Visitor, paths: Iterable[str]) -> dict[str, list[str]]:
    """Look at one page after the other in one tab; returns {path: what is wrong with it} of those with faults."""
    found, page = {}, None
    for path in paths:
        if page is None:
            page = visitor.open(path)
            page.add_init_script(_AXE)  # half a megabyte that need not be sent again to each page
        else:
            page.set_viewport_size(SIZES["wide"])
            page.emulate_media(color_scheme="light")
            page.goto(visitor.address + path)
        found[path] = faults_of(page)
    return {path: wrong for path, wrong in found.items() if wrong}
