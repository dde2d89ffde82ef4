import pytest

from reports.models import App
from tests.browser.scenes import GATE, decided_comparison, small_comparison

pytestmark = pytest.mark.browser


def _says(page):
    return " ".join(page.locator("[data-says]:visible").inner_text().split())


def test_gate_slider_says_at_once_what_another_budget_would_mean(visitor):
    small_comparison()
    App.objects.update(critical=False)
    page = visitor.open(GATE)
    page.click("button:has-text('Record this decision')")
    page.wait_for_selector("budget-slider:defined")
    now = _says(page)

    page.locator("#budget").focus()
    page.keyboard.press("End")

    assert now == "NO-GO"
    assert _says(page) == "GO"
    assert "budget=" in page.url


def test_policy_preview_says_what_would_change(visitor):
    decided_comparison()
    page = visitor.open("/gate/policy/")

    page.fill("[name='thresholds.response_time_ms.absolute']", "500")
    page.click("button:has-text('Preview')")

    page.wait_for_selector("text=would change")
    assert page.input_value("[name='thresholds.response_time_ms.absolute']") == "500"
