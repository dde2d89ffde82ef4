import pytest

from tests import factories
from tests.browser.conftest import SIZES, until
from tests.browser.scenes import NEW, RANKING, small_comparison

pytestmark = pytest.mark.browser
CHOSEN = "document.querySelector('.palette [aria-selected=true]')?.textContent"
OPEN = "document.querySelector('.palette').open"


def _open_palette(page, words=""):
    page.keyboard.press("Control+k")
    page.wait_for_selector(".palette [role=option]")
    if words:
        page.keyboard.type(words)


def test_palette_finds_while_typing_and_opens_by_keys_alone(visitor):
    small_comparison()
    page = visitor.open("/runs/")

    _open_palette(page, "inb")
    page.wait_for_selector(".palette mark:has-text('inb')")
    page.keyboard.press("Enter")

    page.wait_for_url("**/org.example.mail/open%20inbox/")


def test_palette_waits_for_the_answer_when_enter_comes_first(visitor):
    small_comparison()
    page = visitor.open("/runs/")

    _open_palette(page)
    page.keyboard.type("policy")
    page.keyboard.press("Enter")

    page.wait_for_url("**/gate/policy/")


def test_palette_tells_a_screen_reader_which_hit_is_chosen(visitor):
    small_comparison()
    page = visitor.open("/")

    _open_palette(page, "mail")
    page.wait_for_selector(".palette mark:has-text('Mail')")
    first = page.evaluate(CHOSEN)
    page.keyboard.press("ArrowDown")

    active = page.get_attribute(".palette input", "aria-activedescendant")
    assert page.evaluate(CHOSEN) != first
    assert page.evaluate("document.querySelector('.palette [aria-selected=true]').id") == active
    page.keyboard.press("ArrowUp")
    assert page.evaluate(CHOSEN) == first


def test_palette_closes_on_escape_and_gives_the_focus_back(visitor):
    page = visitor.open("/runs/")
    page.focus(".brand")

    _open_palette(page)
    page.keyboard.press("Escape")

    until(page, f"!{OPEN}")
    assert page.evaluate("document.activeElement.className") == "brand"


def test_palette_opens_from_the_field_of_the_header_and_on_slash(visitor):
    page = visitor.open("/")

    page.click("#top-search")
    assert page.evaluate(OPEN)
    page.keyboard.press("Escape")
    page.focus("#top-search")
    page.keyboard.type("g")
    until(page, OPEN)
    assert page.input_value(".palette input") == "g"
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    until(page, OPEN)


def test_palette_offers_the_pages_visited_last(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    page.goto(visitor.address + "/runs/")

    _open_palette(page)

    recent = page.inner_text(".palette-group:first-child")
    assert "Recent" in recent
    assert f"→ {NEW}" in recent


def test_palette_says_when_nothing_is_found_and_enter_goes_nowhere_wrong(visitor):
    page = visitor.open("/")

    _open_palette(page, "zzzz")

    page.wait_for_selector(".palette-empty:has-text('Nothing has all these words')")
    assert page.get_attribute(".palette input", "aria-expanded") == "false"


def test_keys_of_the_page_are_silent_while_the_palette_is_open(visitor):
    small_comparison()
    page = visitor.open(RANKING)

    page.keyboard.press("?")
    page.wait_for_selector(".keys h3:has-text('On this page')")
    page.keyboard.press("j")

    assert page.evaluate("document.activeElement.closest('.keys') !== null")


def test_palette_fits_a_phone(visitor):
    factories.interaction("a very long name of an interaction that nobody could read on a phone")
    page = visitor.open("/", size="narrow")

    assert page.locator(".top").bounding_box()["height"] < 100
    page.click("[data-find]")
    page.keyboard.type("very")
    page.wait_for_selector(".palette mark")

    assert page.evaluate("document.querySelector('.palette').scrollWidth") <= SIZES["narrow"]["width"]


def test_search_of_a_phone_without_a_script_is_a_page(visitor, browser):
    context = browser.new_context(java_script_enabled=False, base_url=visitor.address, viewport=SIZES["narrow"])
    context.add_cookies(visitor.context.cookies())
    page = context.new_page()
    page.goto("/")

    page.get_by_role("link", name="Find anything").click()

    page.wait_for_url("**/search/")
    context.close()


def test_palette_closes_with_one_key_whatever_was_typed(visitor):
    page = visitor.open("/help/")
    page.keyboard.press("Control+k")
    page.wait_for_selector("dialog.palette[open]")
    page.keyboard.type("inbox")

    page.keyboard.press("Escape")

    page.wait_for_selector("dialog.palette", state="hidden")
