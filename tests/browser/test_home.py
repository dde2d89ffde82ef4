import pytest

from reports.models import Run, RunStatus
from tests import factories
from tests.browser.scenes import BASE, NEW, RANKING, small_comparison

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
    assert page.eval_on_selector("[data-batch] progress", "bar => bar.value") == 3
