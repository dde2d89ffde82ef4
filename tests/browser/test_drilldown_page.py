"""The drill-down as people use it: keyboard, address, plots, help, everybody."""

import pytest

from reports.media import proxies
from tests.browser.axe import violations
from tests.browser.drilldown_scene import VARIABLE_MS, clip_scene, shown, wait_ready, wanted

pytestmark = pytest.mark.browser
NOW = "document.querySelector('drill-down').player.clock.t"


@pytest.fixture
def scene(transactional_db):
    """Return a recording on a variable grid beside one on a constant grid."""
    return clip_scene()


def test_page_can_be_used_by_everybody(visitor, scene):
    page = wait_ready(visitor.open(scene.path))

    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast"]) == []


def test_first_screen_holds_all_that_matters_and_nothing_moves_while_it_loads(visitor, scene):
    parts = [
        ".verdict",
        ".metrics",
        "[data-side=base] .screen",
        "[data-side=new] .screen",
        ".transport",
        ".plot-box",
    ]
    page = visitor.open(scene.path)
    before = [page.locator(part).bounding_box() for part in parts]
    wait_ready(page)

    assert before == [page.locator(part).bounding_box() for part in parts]
    assert all(box["y"] + box["height"] <= 900 for box in before)


def test_address_keeps_time_and_nudge(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?t=150&nudge_new=2"))
    assert page.evaluate(NOW) == 150
    page.keyboard.press(".")
    page.click("[data-nudge-by='new:-1']")
    page.wait_for_url("**/*nudge_new=1*")
    t = page.evaluate(NOW)

    again = wait_ready(visitor.open(page.url.removeprefix(visitor.address)))

    assert again.evaluate(NOW) == pytest.approx(t, abs=0.06)
    again.wait_for_selector("[data-side=new] [data-nudge]:text('+1')")


def test_plots_and_keys_move_both_screens(visitor, scene):
    page = wait_ready(visitor.open(scene.path))
    box = page.locator("[data-plot-box]").bounding_box()
    page.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + 40)
    t = page.evaluate(NOW)
    assert t > 50
    assert shown(page, scene, t) == wanted(scene, t)

    page.keyboard.press("]")
    assert page.locator("[data-speed]").input_value() == "2"
    page.keyboard.press(" ")
    page.wait_for_selector("[data-do=play][aria-pressed=true]")
    page.keyboard.press(" ")
    page.wait_for_selector("[data-do=play][aria-pressed=false]")
    page.keyboard.press("r")
    assert page.evaluate(NOW) == pytest.approx(100, abs=0.1)
    page.keyboard.press("?")
    page.get_by_text("one frame back, on").wait_for()


def test_recording_that_no_browser_steps_through_is_shown_by_its_proxy(visitor, transactional_db, monkeypatch):
    monkeypatch.setattr(
        proxies, "async_task", lambda task, proxy_id, **kwargs: proxies.make_proxy(proxy_id=proxy_id)
    )
    scene = clip_scene(VARIABLE_MS, VARIABLE_MS, bf=3)

    page = wait_ready(visitor.open(scene.path + "?t=150"))

    assert shown(page, scene, 150) == wanted(scene, 150)


def test_lost_recording_says_so(visitor, transactional_db, settings):
    scene = clip_scene()
    for file in (settings.MEDIA_ROOT / "screencasts").glob("*"):
        file.unlink()

    page = visitor.open(scene.path)

    page.locator("[data-side=base] [data-note]:has-text('no longer in the storage')").wait_for()
    visitor.expected += ["404"]  # the poster is lost as well
