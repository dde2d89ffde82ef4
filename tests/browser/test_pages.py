"""Every page: no serious accessibility violation, nothing wider than the screen, no error, no CSP violation."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import SIZES
from tests.browser.scenes import BASE, GATE, NEW, RANKING, decided_comparison

pytestmark = pytest.mark.browser
PAGES = [
    "/",
    f"/?base={BASE}&new={BASE}",
    RANKING,
    RANKING + "?tab=apps",
    RANKING + "?tab=patterns",
    GATE,
    "/gate/",
    "/gate/waivers/?app=org.example.mail",
    "/gate/policy/",
    "/gate/scopes/",
    "/runs/",
    "/versions/",
    f"/compare/{NEW}/{BASE}/",
]
SERIOUS = {"serious", "critical"}


def _violations(page, **options):
    found = Axe().run(page, options=options or None).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
        for violation in found
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


def _faults(visitor, path):
    """Return what is wrong with a page: all rules in light, in dark the colours, on a phone its width."""
    page = visitor.open(path)
    found = _violations(page)
    page.emulate_media(color_scheme="dark")
    found += _violations(page, runOnly=["color-contrast"])
    page.set_viewport_size(SIZES["narrow"])
    width = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    return [*found, *([f"{width} px wide on a phone"] if width > SIZES["narrow"]["width"] else [])]


def test_pages_can_be_used_by_everybody_in_light_and_dark_wide_and_narrow(visitor):
    decided_comparison()

    assert {path: _faults(visitor, path) for path in PAGES} == {path: [] for path in PAGES}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_login_can_be_used_by_everybody(new_visitor, theme):
    page = new_visitor().open("/login/", theme=theme)

    assert _violations(page) == []
    assert page.evaluate("document.activeElement.id") == "id_username"
