"""Every page: no serious accessibility violation, nothing wider than the screen, no error, no CSP violation."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.scenes import BASE, NEW, RANKING, small_comparison

pytestmark = pytest.mark.browser
PAGES = [
    "/",
    f"/?base={BASE}&new={BASE}",
    RANKING,
    RANKING + "?tab=apps",
    "/runs/",
    "/versions/",
    f"/compare/{NEW}/{BASE}/",
]
SERIOUS = {"serious", "critical"}


def _violations(page):
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
        for violation in found
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_can_be_used_by_everybody(visitor, theme):
    small_comparison()

    found = {path: _violations(visitor.open(path, theme=theme)) for path in PAGES}

    assert found == {path: [] for path in PAGES}


def test_pages_fit_on_a_phone(visitor):
    small_comparison()

    widths = {
        path: visitor.open(path, size="narrow").evaluate("document.documentElement.scrollWidth") for path in PAGES
    }

    assert widths == dict.fromkeys(PAGES, 390)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_login_can_be_used_by_everybody(new_visitor, theme):
    page = new_visitor().open("/login/", theme=theme)

    assert _violations(page) == []
    assert page.evaluate("document.activeElement.id") == "id_username"
