import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import SIZES, until
from tests.browser.scenes import decided_comparison

pytestmark = pytest.mark.browser
PAGES = [
    "/help/",
    "/help/glossary/",
    "/help/metrics/",
    "/help/verdicts/",
    "/help/manifest/",
    "/help/operations/",
    "/help/adr/0005-players/",
    "/search/",
    "/search/?q=i",
    "/search/?q=zzzz",
]
ERRORS = {"/no/such/page/": 404, "/admin/": 403}


def _violations(page):
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['target']}" for each in found for node in each["nodes"]]


def _faults(page):
    found = _violations(page)
    page.emulate_media(color_scheme="dark")
    found += _violations(page)
    page.set_viewport_size(SIZES["narrow"])
    width = page.evaluate("document.documentElement.scrollWidth")
    return [*found, *_violations(page), *([f"{width} px wide"] if width > SIZES["narrow"]["width"] else [])]


@pytest.mark.parametrize("path", PAGES)
def test_help_and_search_have_no_violation_of_any_weight(visitor, path):
    decided_comparison()

    assert _faults(visitor.open(path)) == []


@pytest.mark.parametrize("path", ERRORS)
def test_error_pages_have_no_violation_of_any_weight(visitor, path):
    page = visitor.open(path)

    assert _faults(page) == []
    assert page.inner_text(".error-page > p") == str(ERRORS[path])
    visitor.problems.clear()  # the console names every 403 and 404


def test_palette_and_keys_have_no_violation_of_any_weight(visitor):
    decided_comparison()
    page = visitor.open("/help/")

    page.keyboard.press("Control+k")
    page.wait_for_selector(".palette [role=option]")
    assert _faults(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.palette", state="hidden")  # a key that comes sooner is typed into its field
    page.keyboard.press("?")
    page.wait_for_selector(".keys[open]")
    assert _faults(page) == []


def test_contents_lead_to_their_headings_below_the_header(visitor):
    page = visitor.open("/help/verdicts/")

    page.click(".help-contents a:has-text('Release gate')")

    until(page, "location.hash === '#release-gate'")
    top = page.evaluate("document.querySelector('#release-gate').getBoundingClientRect().top")
    assert 48 <= top < 200


def test_links_between_pages_work(visitor):
    page = visitor.open("/help/metrics/")

    page.click(".doc a[href*='/help/manifest/']")

    page.wait_for_url(re.compile(r"/help/manifest/"))
    assert page.inner_text("h1") == "The manifest"
