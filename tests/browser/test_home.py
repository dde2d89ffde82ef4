import pytest

from reports.models import Run, RunStatus
from tests import factories
from tests.browser.scenes import BASE, GATE, NEW, RANKING, small_comparison

pytestmark = pytest.mark.browser


def test_home_swaps_and_leads_to_the_ranking(visitor):
    small_comparison()
    page = visitor.open("/")

    page.get_by_role("button", name="Swap baseline and updated").click()

    assert (page.input_value("#id_base"), page.input_value("#id_new")) == (NEW, BASE)
    page.get_by_role("button", name="Swap baseline and updated").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_url(f"**{RANKING}")


def test_home_choice_shows_at_once_what_it_shares(visitor):
    small_comparison()
    page = visitor.open("/")

    page.select_option("#id_new", BASE)

    page.wait_for_selector("text=cannot be compared with itself")
    assert page.is_disabled("button:has-text('Compare')")


def test_home_follows_the_queue_without_a_reload(visitor):
    version = factories.os_version(NEW)
    runs = [factories.run(version=version, status=RunStatus.PENDING) for _ in range(4)]
    page = visitor.open("/")
    assert page.inner_text("[data-queue=line]") == "0 of 4"

    Run.objects.filter(pk__in=[run.pk for run in runs[:3]]).update(status=RunStatus.DONE, outcome="ok")

    page.wait_for_selector("[data-queue=line]:has-text('3 of 4')")
    assert page.eval_on_selector("[data-version] progress", "bar => bar.value") == 3


def test_home_leads_from_the_worst_row_to_both_recordings_and_from_the_gate_to_its_reasons(visitor):
    small_comparison()
    page = visitor.open("/")

    page.get_by_role("row").filter(has_text="open inbox").get_by_text("+400 ms").click(force=True)  # the row
    page.wait_for_url(f"**{RANKING}org.example.mail/open%20inbox/**")
    page.go_back()
    page.get_by_role("region", name="Last comparison").get_by_role("link", name="NO-GO").click()

    page.wait_for_url(f"**{GATE}")


def test_home_on_a_phone_stacks_what_matters_first(visitor):
    small_comparison()
    page = visitor.open("/", size="narrow")
    names = ("Pinned baseline", "Last comparison", "Waits for you", "Came in, last 24 hours", "Earlier comparisons")

    tops = [page.get_by_role("region", name=name).bounding_box()["y"] for name in names]

    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_home_with_one_comparison_fits_on_one_screen(visitor):
    small_comparison()
    page = visitor.open("/")

    bottom = max(
        box["y"] + box["height"] for box in (part.bounding_box() for part in page.locator(".home-part").all())
    )

    assert bottom <= 900
