"""Where the page opens, what is said there, and what a time in the address does."""

import pytest

from reports.models import Interaction, Result
from tests.browser.conftest import until
from tests.browser.drilldown_scene import ACTION_MS, CONSTANT_MS, VARIABLE_MS, clip_scene, shown, wait_ready, wanted

pytestmark = pytest.mark.browser
CLOCK = "document.querySelector('drill-down').player.clock"
LATE_MS = [0, 16.67, 500, 800, 816.67, 833.33, 1250]  # responds 300 ms after the action
DROPPED = """() => document.querySelector("drill-down").player.decks.map(
  ({ side, track }) => ({ side, dropped: track.series.dropped }))"""
NEIGHBOURS = """() => {
  Object.assign(document.querySelector("drill-down").state, { next: "?next", previous: "?previous" });
}"""


@pytest.fixture
def scene(transactional_db):
    """Return a side that responds after 100 ms beside one that responds after 300 ms."""
    return clip_scene(VARIABLE_MS, LATE_MS)


def test_page_opens_paused_where_one_side_has_answered_and_the_other_has_not(visitor, scene):
    page = wait_ready(visitor.open(scene.path))
    t = page.evaluate(f"{CLOCK}.t")

    assert 100 <= t < 300
    assert shown(page, scene, t) == wanted(scene, t)
    assert not page.evaluate(f"{CLOCK}.playing")
    assert page.get_by_role("button", name="Baseline has responded, Updated has not yet.").is_visible()
    assert "t=" not in page.url, "where it opens anyway need not be said"


def test_posters_of_a_page_without_a_script_show_the_same_moment(visitor, scene, browser):
    context = browser.new_context(java_script_enabled=False, base_url=visitor.address)
    context.add_cookies(visitor.context.cookies())
    page = context.new_page()
    page.goto(scene.path)
    posters = [page.locator(f"[data-side={side}] video").get_attribute("poster") for side in scene.times]
    asked = [float(poster.split("/frames/")[1].split(".webp")[0]) / 1000 - ACTION_MS for poster in posters]
    assert all(100 <= t < 300 for t in asked)

    action = page.locator(".picture-ssim .action").bounding_box()
    zero = page.locator(".picture-tick", has_text="0 ms").first.bounding_box()
    assert zero["x"] + zero["width"] / 2 == pytest.approx(action["x"] + action["width"] / 2, abs=1)
    assert page.locator("[data-film-row] img").first.is_visible()
    page.goto(scene.path + "?t=410")
    assert "/frames/910000.webp" in page.locator("[data-side=base] video").get_attribute("poster")
    context.close()


def test_time_of_the_address_wins_and_the_action_is_one_too(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?t=0"))
    assert page.evaluate(f"{CLOCK}.t") == 0

    page.keyboard.press("t")
    assert 100 <= page.evaluate(f"{CLOCK}.t") < 300
    page.keyboard.press("a")
    page.wait_for_url("**t=0.0*")


def test_time_beyond_the_side_that_comes_first_is_kept_until_the_other_is_there(visitor, transactional_db):
    scene = clip_scene([0, 500, 600, 700], CONSTANT_MS)
    held = []
    visitor.context.route(
        "**/api/runs/*/playback/", lambda route: route.continue_() if held else held.append(route)
    )
    page = visitor.open(scene.path + "?t=900")
    while not held:
        page.wait_for_timeout(20)
    page.wait_for_selector(".screen[data-state=ready]")
    held[0].continue_()
    wait_ready(page)

    until(page, f"{CLOCK}.t === 900")
    assert shown(page, scene, 900) == wanted(scene, 900)


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_nothing_below_the_screens_moves_when_the_recordings_arrive_or_play_on(visitor, scene, size):
    parts = (".story", "[data-transport]", ".plots-head")
    held = []
    visitor.context.route("**/api/runs/*/playback/", lambda route: held.append(route))
    page = visitor.open(scene.path, size=size)
    until(page, "document.fonts.check('14px Inter')")
    while len(held) < 2:
        page.wait_for_timeout(20)
    before = [page.locator(part).bounding_box() for part in parts]

    for route in held:
        route.continue_()
    shown(wait_ready(page), scene, page.evaluate(f"{CLOCK}.t"))
    until(page, "document.querySelectorAll('[data-time]')[0].textContent.includes('frame')")
    assert [page.locator(part).bounding_box() for part in parts] == before
    page.evaluate("document.querySelector('[data-time]').textContent = '+112.345 s · frame 10366'")
    assert [page.locator(part).bounding_box() for part in parts] == before


def test_banners_name_the_pair_and_which_side_is_sooner(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?t=340"))

    said = [page.locator(f"[data-side={side}] [data-marker]").inner_text() for side in scene.times]

    assert said == ["responded · in this pair: 200 ms sooner", "ready · in this pair: 117 ms sooner"]


def test_banners_of_dropped_frames_count_them_here_and_in_the_pair(visitor, scene):
    Result.objects.update(metric="dropped_frames")
    page = wait_ready(visitor.open(scene.path + "?t=200"))
    drops = {deck["side"]: deck["dropped"] for deck in page.evaluate(DROPPED)}
    counts = {side: sum(drop["frames"] for drop in found) for side, found in drops.items()}
    first = drops["base"][0]
    apart = counts["base"] - counts["new"]
    assert apart

    page.evaluate(f"{CLOCK}.seek({first['to_ms'] - 1})")
    banner = page.locator("[data-side=base] [data-marker]").inner_text()

    noun = "frame" if first["frames"] == 1 else "frames"
    than = f"{abs(apart)} {'more' if apart > 0 else 'fewer'}"
    assert banner == f"{first['frames']} {noun} dropped here · in this pair: {counts['base']}, {than}"
    page.keyboard.press("f")
    page.keyboard.press("f")
    noun = "frame" if counts["base"] == 1 else "frames"
    assert page.locator("[data-side=base] [data-marker]").inner_text() == (
        f"in this pair: {counts['base']} {noun} dropped, {than}"
    )


def test_banner_of_a_screen_that_responds_and_is_ready_at_once_tells_of_what_leads(visitor, transactional_db):
    scene = clip_scene([0, 500, 600, 1100], LATE_MS)
    page = wait_ready(visitor.open(scene.path + "?t=340"))

    assert (
        page.locator("[data-side=base] [data-marker]").inner_text().startswith("responded · in this pair: 200 ms")
    )


def test_launch_is_called_by_one_word_everywhere(visitor, scene):
    Interaction.objects.update(type="launch")

    page = wait_ready(visitor.open(scene.path + "?t=900"))

    assert page.locator("[data-do=finish]").inner_text() == "Launch"
    assert page.locator(".flag", has_text="launch").count() == 2
    assert page.locator(".why figcaption b", has_text="Launch").count() == 2
    assert page.locator("[data-film-row] b", has_text="Launch").count() == 2
    assert page.locator("[data-side=base] [data-marker]").inner_text().startswith("usable · in this pair")
    page.keyboard.press("?")
    assert page.get_by_text("jump to action, response, launch, next change").is_visible()
    words = [
        page.locator(part).inner_text().lower()
        for part in (".stage", ".plots", ".why", "[data-film]", "dialog.keys")
    ]
    assert [word for word in words if "finish" in word] == []


def test_loop_plays_from_the_action_to_a_little_after_the_later_side_by_key_and_button(visitor, scene):
    page = wait_ready(visitor.open(scene.path))

    page.keyboard.press("o")
    assert page.evaluate(f"{CLOCK}.loop") == {"from": 0, "to": pytest.approx(750, abs=51)}
    page.wait_for_selector("[data-do=loop][aria-pressed=true]")
    assert page.evaluate(f"{CLOCK}.playing")
    page.click("[data-do=loop]")
    assert page.evaluate(f"[{CLOCK}.loop, {CLOCK}.playing]") == [None, False]
    page.get_by_role("button", name="Play from the action").click()
    until(page, f"{CLOCK}.playing || {CLOCK}.t > 300")


def test_j_leads_to_the_next_interaction_and_k_back(visitor, scene):
    page = wait_ready(visitor.open(scene.path))
    page.evaluate(NEIGHBOURS)

    page.keyboard.press("j")
    page.wait_for_url("**?next")
    wait_ready(page)
    page.evaluate(NEIGHBOURS)
    page.keyboard.press("k")
    page.wait_for_url("**?previous")


def test_next_interaction_is_looked_at_as_this_one_was(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?film=500"))
    page.evaluate(NEIGHBOURS)

    page.keyboard.press("v")
    page.keyboard.press("j")

    page.wait_for_url("**?next=&view=wipe&wipe=50&film=500")
