import pytest

from reports.models import Comparison, Result, RunStatus
from tests import factories
from tests.browser.conftest import SIZES, until
from tests.browser.scenes import GATE, RANKING, decided_comparison, small_comparison
from tests.browser.test_polling import STANDS

pytestmark = pytest.mark.browser
FOCUSED = "document.activeElement.textContent"
TABS = [RANKING, RANKING + "?tab=apps", RANKING + "?tab=patterns", GATE]


def _stub(page):
    """Answer for the drill-down, so that no test waits for its page."""
    page.context.route(
        "**/org.example.*/**", lambda route: route.fulfill(content_type="text/html", body="<title>there</title>")
    )


def _open_filters(page):
    page.click(".filter-menu > summary")


def test_first_row_of_a_ranking_stands_in_the_upper_third(visitor):
    decided_comparison()
    page = visitor.open(RANKING)

    top = page.locator(".ranking tbody tr").first.bounding_box()["y"]

    assert top <= 0.3 * SIZES["wide"]["height"]


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_tabs_stay_at_one_place_over_all_views(visitor, size):
    decided_comparison()

    places = {}
    for path in TABS:
        page = visitor.open(path, size=size)
        page.evaluate("document.fonts.ready.then(() => true)")
        links = page.locator(".tabs-row .tabs a")
        places[path] = [links.nth(number).bounding_box() for number in range(links.count())]
        page.close()

    first = places[RANKING]
    assert [len(boxes) for boxes in places.values()] == [4] * 4
    assert places == dict.fromkeys(TABS, first)


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
    _stub(page)
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

    page.wait_for_url("**?q=inbox")
    assert page.locator("tbody tr").count() == 1


def test_ranking_filters_fold_apply_at_once_and_are_taken_away_by_their_chips(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    assert page.is_hidden("#f-verdict")

    _open_filters(page)
    page.select_option("#f-verdict", "improvement")
    page.wait_for_url("**?verdict=improvement")  # no empty key beside it
    assert page.locator("tbody tr").count() == 1
    page.wait_for_selector("#f-verdict:focus")  # the panel stays open for the next one
    page.select_option("#f-type", "tap")
    page.wait_for_url("**?verdict=improvement&type=tap")

    assert page.text_content(".filter-menu > summary").strip() == "2\u00a0filters"
    page.keyboard.press("Escape")
    assert page.is_hidden("#f-verdict")
    page.click(".filter-chip:has-text('Improvement')")
    page.wait_for_url("**?type=tap")
    page.go_back()
    page.wait_for_url("**?verdict=improvement&type=tap")


def test_ranking_row_opens_wherever_it_is_clicked(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    _stub(page)

    page.locator("tbody tr").first.locator(".row-strip").click()

    page.wait_for_url("**/org.example.mail/open%20inbox/**")


NOTE_THE_LINK_THAT_IS_CLICKED = """() => {
    window.clicked = new Promise((resolve) => addEventListener("click", (event) => {
        if (!event.target.href) return;
        event.preventDefault();
        resolve([event.target.pathname, event.ctrlKey]);
    }, true));
}"""


@pytest.mark.parametrize("how", [{"modifiers": ["Control"]}, {"button": "middle"}])
def test_ranking_row_opens_in_a_new_tab_as_a_link_does(visitor, how):
    """The browser opens the tab of a link that is clicked so; Playwright misses some tabs on a busy machine."""
    small_comparison()
    page = visitor.open(RANKING)
    page.evaluate(NOTE_THE_LINK_THAT_IS_CLICKED)

    page.locator("tbody tr").first.locator(".row-metric").click(**how)

    path, for_a_new_tab = page.evaluate("clicked")
    assert path.endswith("/org.example.mail/open%20inbox/")
    assert for_a_new_tab
    assert page.url.endswith(RANKING)


def test_ranking_row_stays_when_its_text_is_marked_or_its_box_is_checked(visitor):
    small_comparison()
    page = visitor.open(RANKING)
    row = page.locator("tbody tr").first
    box = row.locator(".row-sure").bounding_box()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.is_navigation_request() else None)

    page.mouse.move(box["x"] + 10, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 12, steps=4)
    page.mouse.up()
    marked = page.evaluate("getSelection().toString()")
    row.locator("input[type=checkbox]").click()
    row.locator(".row-pick").click(position={"x": 4, "y": 4})  # beside the box

    assert marked
    assert page.inner_text(".triage-count") == "1 selected"
    assert asked == []


def test_app_row_opens_the_app_and_its_count_the_rows(visitor):
    comparison = small_comparison()
    page = visitor.open(RANKING + "?tab=apps")
    page.keyboard.press("j")
    assert page.evaluate(FOCUSED) == "Mail"

    page.locator("tbody tr").first.locator(".app-worst").click()
    page.wait_for_url(f"**/apps/org.example.mail/?comparison={comparison.pk}")
    page.go_back()
    page.get_by_role("link", name="1 of 4").click()

    page.wait_for_url("**?app=org.example.mail")
    assert page.locator("tbody tr").count() == 4


def test_result_on_a_phone_reads_name_metric_numbers_dots_difference_severity(visitor):
    decided_comparison()
    page = visitor.open(RANKING, size="narrow")
    row = page.locator(".ranking tbody tr").first

    parts = ("row-name", "row-metric", "row-strip", "row-delta", "row-sure")
    boxes = [row.locator(f".{part}").bounding_box() for part in parts]
    severity = row.locator(".row-verdict").bounding_box()

    tops = [box["y"] for box in boxes]
    assert tops == sorted(tops)
    assert abs(severity["y"] + severity["height"] / 2 - boxes[3]["y"] - boxes[3]["height"] / 2) < 4
    assert len({round(box["x"]) for box in boxes}) == 1, "one left edge"
    assert page.locator(".ranking-actions").bounding_box()["y"] > tops[0], "what leaves the page stands below"


def test_long_names_that_differ_at_the_end_push_nothing_away(visitor):
    comparison = small_comparison()
    same = "android-16-qpr2-userdebug-nightly-202611"
    for version, end in ((comparison.base, "20-r1"), (comparison.new, "20-r2")):
        version.name = same + end
        version.save(update_fields=["name"])
    path = f"/compare/{comparison.base.name}/{comparison.new.name}/"
    page = visitor.open(path)

    assert page.locator(".ranking tbody tr").first.bounding_box()["y"] <= 0.3 * SIZES["wide"]["height"]
    for size in SIZES.values():
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        ends = page.locator(".pair .short > :last-child")
        for number, end in enumerate(("20-r1", "20-r2")):
            box = ends.nth(number).bounding_box()
            assert ends.nth(number).inner_text().endswith(end)
            assert box["x"] + box["width"] <= size["width"]


def test_more_runs_needed_leads_to_what_to_record(visitor):
    small_comparison()
    Result.objects.filter(verdict="no_change").update(verdict="more_runs_needed", runs_needed=3)
    page = visitor.open(RANKING)

    page.locator("text=3 more a side").first.click()
    page.wait_for_url("**/plan/#plan-*")
    with page.expect_download() as download:
        page.click("text=Manifest to fill in")

    assert download.value.suggested_filename == "upreg-plan-13.0.9-13.0.13.csv"


def test_missing_interactions_are_unfolded_by_their_address(visitor):
    comparison = small_comparison()
    comparison.summary["gaps"] = {
        "counts": {"only_base": 1},
        "interactions": [["mail", "archive", "only_base", "tap"]],
    }
    comparison.save(update_fields=["summary"])

    page = visitor.open(RANKING + "#missing")

    page.wait_for_selector("#missing", state="visible")


def test_ranking_that_waits_says_why_and_when_the_server_is_gone(visitor):
    comparison = small_comparison()
    factories.run(version=comparison.new, status=RunStatus.PENDING)
    Comparison.objects.update(stale=True)
    visitor.scripts.append(STANDS)
    page = visitor.open(RANKING)
    assert "No worker is running: start one" in page.inner_text(".ranking-state")

    state = {"status": "done", "stale": True, "finished": 1, "total": 2, "sentence": "1 of 2 runs judged."}
    says = "pass() && document.querySelector('.ranking-state').innerText.includes('%s')"
    visitor.answer("*/state.json", json=state)
    until(page, says % "1 of 2 runs judged.")
    visitor.answer("*/state.json", status=302, headers={"Location": "/login/"})
    until(page, says % "Your session has ended.")


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
