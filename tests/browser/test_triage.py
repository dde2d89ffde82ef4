import pytest

from reports.models import App, GateRecord, Interaction, Run, TriageEntry, Waiver
from tests.browser.axe import violations
from tests.browser.conftest import SIZES, until
from tests.browser.scenes import GATE, NEW, RANKING, decided_comparison, small_comparison

pytestmark = pytest.mark.browser
BOX = "document.querySelector('.triage-box')?.checkVisibility()"


def _inbox(visitor, **options):
    page = visitor.open(f"{RANKING}org.example.mail/open%20inbox/", **options)
    page.click(".triage > summary")
    until(page, BOX)
    return page


def test_from_a_finding_that_is_no_finding_to_a_waiver_and_back_to_the_gate(
    visitor, new_visitor, django_user_model
):
    small_comparison()
    App.objects.update(critical=False)
    page = _inbox(visitor)
    page.select_option(".triage-box [name=state]", "infra")
    page.fill(".triage-box [name=note]", "the stand was loose")
    page.click(".triage-box button:has-text('Save')")
    page.wait_for_selector("text=still counts")

    page.click(".triage > summary")
    page.click("text=Waive it…")
    assert page.input_value("[name=reason]") == "infra: the stand was loose"
    page.click("button:has-text('Waive')")

    page.wait_for_url(f"**{GATE}")
    assert "waits for a second approval (proposed by engineer)" in page.locator(".reasons").inner_text()
    second = new_visitor(django_user_model.objects.create_superuser(username="second")).open("/gate/waivers/")
    second.click("button:has-text('Approve')")
    second.wait_for_selector("text=is approved.")
    page.reload()
    assert page.locator(".verdict-sentence").inner_text().startswith("1 of 9 interactions regressed, waived: 0")
    assert Waiver.objects.get().ceilings == {"response_time_ms": 400.0}


def test_runs_are_excluded_from_the_box_and_counted_again(visitor):
    small_comparison()
    page = _inbox(visitor)

    page.click("text=Exclude 8")
    page.fill("[name=reason]", "the stand was loose")
    page.click("button:has-text('Exclude the chosen runs')")
    page.wait_for_selector("text=8 runs excluded")
    mine = Run.objects.filter(os_version__name=NEW, excluded_reason="the stand was loose")
    assert mine.count() == 8

    page.click(".triage > summary")
    page.click("button:has-text('Count them again')")
    page.wait_for_selector("text=8 runs counted again")
    assert not mine.exists()


def test_fixed_asks_for_the_version_only_then(visitor):
    small_comparison()
    page = _inbox(visitor)
    field = page.locator(".triage-box .triage-fixed-in")
    assert field.is_hidden()

    page.select_option(".triage-box [name=state]", "fixed")

    assert field.is_visible()
    page.fill(".triage-box [name=fixed_in]", "13.0.14")
    page.click(".triage-box button:has-text('Save')")
    page.wait_for_selector("summary:has-text('fixed in 13.0.14')")


def test_ranking_says_that_the_session_ended_and_saves_nothing(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    page.check("input[name=interaction] >> nth=0")
    visitor.context.clear_cookies()

    page.fill(".triage-bar [name=note]", "typed for nothing?")
    page.click(".triage-bar button:has-text('Apply')")

    page.wait_for_selector("[role=alert]:has-text('Your session has ended; nothing was saved')")
    assert page.locator("[role=alert] a").get_attribute("href").startswith("/login/?next=%2Fcompare%2F")
    assert page.input_value(".triage-bar [name=note]") == "typed for nothing?"
    assert not TriageEntry.objects.exists()
    visitor.expected += ["403", "401 (Unauthorized)"]  # the refusal is what is tested; a slow page polls once more


def test_a_record_that_is_out_of_date_is_recorded_anew_by_one_click(visitor):
    decided_comparison()
    Waiver.objects.update(withdrawn_at="2026-01-01T00:00:00Z")
    page = visitor.open(GATE)
    assert "waiver #" in page.locator(".recorded").inner_text()

    page.click("button:has-text('Record this decision')")

    page.wait_for_selector(".recorded:has-text('Up to date')")
    assert GateRecord.objects.count() == 2


def test_the_box_and_the_question_can_be_used_by_everybody(visitor):
    small_comparison()
    page = _inbox(visitor, size="narrow", theme="dark")
    assert violations(page, context=".triage") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["narrow"]["width"]

    pk = Interaction.objects.get(name="open inbox").pk
    page = visitor.open(f"/triage/13.0.9/{NEW}/exclude/?interaction={pk}", size="narrow")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["narrow"]["width"]
