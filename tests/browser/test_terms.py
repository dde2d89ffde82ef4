import pytest

from tests.browser.axe import violations
from tests.browser.conftest import SIZES, until
from tests.browser.scenes import RANKING, small_comparison

pytestmark = pytest.mark.browser
MARK = "thead .term-mark"
SHOWN = "document.querySelector('.term-note:popover-open')"


def test_note_opens_and_closes_by_keyboard_beside_its_word(visitor):
    small_comparison()
    page = visitor.open(RANKING)

    page.focus(MARK)
    page.keyboard.press("Enter")

    until(page, f"{SHOWN} !== null")
    word, note = page.locator(MARK).first.bounding_box(), page.locator(".term-note:popover-open").bounding_box()
    assert abs(note["y"] - (word["y"] + word["height"])) < 16
    assert note["x"] - 16 < word["x"] < note["x"] + note["width"]
    page.keyboard.press("Escape")
    until(page, f"{SHOWN} === null")
    assert page.evaluate(f"document.activeElement === document.querySelector('{MARK}')")


def test_note_stays_on_a_phone(visitor):
    small_comparison()
    page = visitor.open(RANKING, size="narrow")

    page.click(".verdict .term-mark")

    note = page.locator(".term-note:popover-open").bounding_box()
    assert note["x"] >= 0
    assert note["x"] + note["width"] <= SIZES["narrow"]["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == SIZES["narrow"]["width"]


def test_note_has_no_violation_of_any_weight(visitor):
    small_comparison()
    page = visitor.open(RANKING)

    page.click(MARK)

    assert violations(page, context=".term-place:has(:popover-open)") == []


def test_note_leads_to_the_glossary_without_a_script(browser, visitor, live_server):
    small_comparison()
    context = browser.new_context(java_script_enabled=False, storage_state=visitor.context.storage_state())
    page = context.new_page()
    page.goto(live_server.url + RANKING)

    page.click(MARK)
    page.click(".term-note:popover-open a")

    page.wait_for_url("**/help/glossary/**")
    context.close()
