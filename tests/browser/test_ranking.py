import pytest

from tests.browser.scenes import RANKING, small_comparison

pytestmark = pytest.mark.browser
FOCUSED = "document.activeElement.textContent"


def test_ranking_is_walked_by_keys(visitor):
    small_comparison()
    page = visitor.open(RANKING)

    page.keyboard.press("j")
    first = page.evaluate(FOCUSED)
    page.keyboard.press("j")
    second = page.evaluate(FOCUSED)
    page.keyboard.press("k")

    assert (first, page.evaluate(FOCUSED)) == ("Mail · open inbox", first)
    assert second != first
    page.route("**/org.example.mail/**", lambda route: route.fulfill(content_type="text/html", body="<p>there"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/org.example.mail/open%20inbox/**")


def test_ranking_search_key_and_help_key(visitor):
    small_comparison()
    page = visitor.open(RANKING)

    page.keyboard.press("?")
    assert page.is_visible("dialog.keys")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("inbox")
    page.keyboard.press("Enter")

    page.wait_for_url("**q=inbox**")
    assert page.locator("tbody tr").count() == 1


def test_ranking_filter_applies_at_once(visitor):
    small_comparison()
    page = visitor.open(RANKING)

    page.select_option("#f-verdict", "improvement")

    page.wait_for_url("**verdict=improvement**")
    assert page.locator("tbody tr").count() == 1


def test_ranking_rows_are_selected_acknowledged_and_taken_back_by_keys(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    assert page.is_hidden(".triage-bar")

    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.inner_text(".triage-count") == "2 selected"
    page.keyboard.press("a")

    page.wait_for_selector(".undo")
    assert page.locator(".row-state").all_inner_texts() == ["acknowledged", "acknowledged"]
    page.click(".undo button")
    page.wait_for_selector(".row-state", state="detached")
