import pytest

pytestmark = pytest.mark.browser
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(19, 22, 25)"


def test_theme_follows_the_system_until_one_is_chosen(visitor):
    assert visitor.open("/", theme="light").evaluate(BACKGROUND) == LIGHT
    assert visitor.open("/", theme="dark").evaluate(BACKGROUND) == DARK


def test_theme_once_chosen_stays_on_every_page_and_before_the_first_paint(visitor):
    page = visitor.open("/", theme="light")

    page.click(".menu > summary")
    page.click("theme-choice button[value=dark]")
    chosen = page.evaluate(BACKGROUND)
    page.goto(visitor.address + "/runs/", wait_until="commit")
    page.wait_for_selector("body", state="attached")

    assert chosen == DARK
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate(BACKGROUND) == DARK


def test_colours_that_charts_read_are_colours(visitor):
    page = visitor.open("/", theme="dark")

    colour = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--base')")

    assert colour == "rgb(105, 177, 234)"
