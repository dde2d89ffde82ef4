import re

import pytest

from tests.browser.axe import faults, faults_of, violations
from tests.browser.conftest import until
from tests.browser.scenes import decided_comparison

pytestmark = pytest.mark.browser
PAGES = [
    "/help/",
    "/help/glossary/",
    "/help/verdicts/",
    "/help/adr/0005-players/",
    "/search/",
    "/search/?q=i",
    "/search/?q=zzzz",
]
LONG = ["/help/metrics/", "/help/manifest/", "/help/operations/"]  # their colours are those of the others
ERRORS = {"/no/such/page/": 404, "/admin/": 403}


@pytest.mark.parametrize("part", range(2))  # two processes share them out
def test_help_and_search_have_no_violation_of_any_weight(visitor, part):
    decided_comparison()

    assert faults(visitor, PAGES[part::2]) == {}


def test_long_pages_of_help_have_no_violation(visitor):
    colours = {"color-contrast": {"enabled": False}}

    assert {path: violations(visitor.open(path), rules=colours) for path in LONG} == {path: [] for path in LONG}


@pytest.mark.parametrize("path", ERRORS)
def test_error_pages_have_no_violation_of_any_weight(visitor, path):
    page = visitor.open(path)

    assert faults_of(page) == []
    assert page.inner_text(".error-page > p") == str(ERRORS[path])
    visitor.expected += ["403", "404"]  # the console names each


def test_palette_and_keys_have_no_violation_of_any_weight(visitor):
    decided_comparison()
    page = visitor.open("/help/")

    page.keyboard.press("Control+k")
    page.wait_for_selector(".palette [role=option]")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.palette", state="hidden")  # a key that comes sooner is typed into its field
    page.keyboard.press("?")
    page.wait_for_selector(".keys[open]")
    assert faults_of(page) == []


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
