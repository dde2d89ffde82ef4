import pytest

from tests.browser.conftest import until
from tests.browser.scenes import RANKING, small_comparison

pytestmark = pytest.mark.browser
ROW = "a.row-link[href*='open%20inbox']"
NOTE_SWAP = (
    "addEventListener('pageswap', (event) => sessionStorage.setItem('swap', String(Boolean(event.viewTransition))))"
)


def test_row_becomes_the_heading_of_its_page_where_motion_is_welcome(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(NOTE_SWAP)

    page.click(ROW)

    page.wait_for_url("**/open%20inbox/**")
    until(page, "sessionStorage.getItem('swap') === 'true'")
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.drill-head h1')).viewTransitionName") == "finding"
    )


def test_pages_change_at_once_for_those_who_want_no_motion(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    page.evaluate(NOTE_SWAP)

    page.click(ROW)

    page.wait_for_url("**/open%20inbox/**")
    until(page, "sessionStorage.getItem('swap') === 'false'")
