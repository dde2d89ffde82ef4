"""The drill-down's other ways to look: wipe, difference, other runs, corrections, a browser without WebCodecs."""

from itertools import combinations

import pytest

from tests.browser.conftest import until
from tests.browser.drilldown_scene import TINTS, clip_scene, wait_ready, wanted

pytestmark = pytest.mark.browser

GREYS = """() => {
  const shown = document.querySelector("[data-overlay]");
  const copy = Object.assign(document.createElement("canvas"), { width: shown.width, height: shown.height });
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(shown, 0, 0);
  const y = Math.round(shown.height * 0.8);
  return [0.2, 0.8].map((x) => pen.getImageData(Math.round(shown.width * x), y, 1, 1).data[1]);
}"""


def overlay_is(greys):
    """Ask whether the overlay has these greys: it is drawn at the next refresh after a side's picture has come."""
    return f"({GREYS})().every((grey, side) => Math.abs(grey - {list(greys)}[side]) <= 6)"


LOADED = """async (picture) => {
  if (!picture.complete) await new Promise((done) => picture.addEventListener("load", done));
  return picture.naturalWidth;
}"""


def test_wipe_and_difference_put_both_sides_into_one_picture(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene(g=60).path))  # key frames more often would be refused

    page.keyboard.press("v")
    page.wait_for_url("**view=wipe*")
    until(page, overlay_is(TINTS))

    page.keyboard.press("v")
    page.wait_for_url("**view=difference*")
    until(page, overlay_is((255, 255)))  # 4 × |60 − 160|, cut off

    page.keyboard.press("v")
    assert page.locator("[data-side=base] [data-changemap]").evaluate(LOADED) > 0


def test_a_side_without_a_picture_is_not_shown_as_equal_to_the_other(visitor, transactional_db):
    page = visitor.open(f"{clip_scene(g=60).path}?view=difference")
    page.wait_for_selector("[data-plots][data-drawn=true]")
    until(page, overlay_is((255, 255)))

    page.evaluate(
        "() => { const deck = document.querySelector('drill-down').player.decks[1];"
        "deck.picture = () => null; deck.dispatchEvent(new Event('shown')); }"
    )

    until(page, overlay_is((TINTS[0], TINTS[0])))


@pytest.mark.parametrize(("size", "width"), [("wide", 1440), ("narrow", 390)])
def test_one_picture_over_the_other_covers_nothing_and_keeps_to_the_page(visitor, transactional_db, size, width):
    page = visitor.open(f"{clip_scene(size=(540, 1170)).path}?view=wipe", size=size)
    page.wait_for_selector("[data-plots][data-drawn=true]")

    for view, key in (("wipe", None), ("difference", "v")):
        if key:
            page.keyboard.press(key)
        page.wait_for_url(f"**view={view}*")
        boxes = [page.locator(part).bounding_box() for part in (*CAPTIONS, ".overlay .screen", ".numbers")]
        assert page.evaluate("document.documentElement.scrollWidth") == width, view
        assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == [], view

    page.reload()
    page.wait_for_selector("[data-plots][data-drawn=true]")
    assert page.locator(".overlay .screen").bounding_box() == boxes[len(CAPTIONS)]


CAPTIONS = ("[data-side=base] figcaption", "[data-side=new] figcaption")


def overlap(one, other):
    """Tell whether two boxes share an area."""
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_what_a_finger_hits_is_never_smaller_than_24_px(visitor, transactional_db, size):
    page = visitor.open(clip_scene(runs=3).path + "?view=wipe", size=size)
    page.wait_for_selector("[data-plots][data-drawn=true]")

    small = page.evaluate(
        """targets => [...document.querySelectorAll(`drill-down :is(${targets})`)]
          .filter((part) => part.checkVisibility() && !part.closest(".sr-only, p.verdict"))
          .filter((part) => part.localName !== "a" || !part.closest("svg, .run-list, .crumbs, .triage-history"))
          .map((part) => [part.outerHTML.slice(0, 90), part.getBoundingClientRect()])
          .filter(([, { width, height }]) => Math.min(width, height) < 23.9)
          .map(([text, { width, height }]) => `${text} ${width} ${height}`)""",
        "a, button, summary, select, input, .hit, .flag span",
    )

    assert small == []


def test_another_run_is_loaded_in_place_and_the_way_back_works(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene(runs=3).path + "?t=100"))
    page.evaluate("window.sameDocument = true")

    page.locator("[data-side=new] .run-pick a[title='Next run']").click()
    page.locator("[data-side=new]:has-text('run 2 of 3')").wait_for()
    wait_ready(page)
    assert "new_run=" in page.url
    assert page.evaluate("window.sameDocument")
    assert page.evaluate("document.querySelector('drill-down').player.clock.t") == 100

    page.go_back()
    page.locator("[data-side=new]:has-text('run 1 of 3')").wait_for()


def test_a_dragged_line_becomes_a_correction_with_a_name(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene().path))
    label = page.locator(".flag.base span").first.bounding_box()
    x, y = label["x"] + 4, label["y"] + 4

    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=4)
    page.mouse.up()
    form = page.get_by_role("dialog", name="Correct a moment")
    form.get_by_role("button", name="Use my value").wait_for()
    proposed = float(form.locator("[name=value_ms]").input_value())
    form.get_by_role("button", name="Use my value").click()
    page.get_by_text("corrected by engineer").wait_for()

    assert proposed > 100
    assert page.locator(".why-side").first.get_by_text(f"+{round(proposed)} ms").count() == 1


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_players_stay_in_sight_while_a_line_is_dragged_and_confirmed(visitor, transactional_db, size):
    page = wait_ready(visitor.open(clip_scene(size=(540, 1170)).path, size=size))
    label = page.locator(".flag.base span").first
    label.scroll_into_view_if_needed()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    before = page.evaluate("scrollY")
    box = label.bounding_box()

    page.mouse.move(box["x"] + 12, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 12, steps=4)
    page.mouse.up()
    page.get_by_role("dialog", name="Correct a moment").wait_for()

    assert page.evaluate("scrollY") == before
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    height = page.viewport_size["height"]
    for side in ("base", "new"):
        screen = page.locator(f"[data-side={side}] .screen").bounding_box()
        assert screen["y"] >= 0
        assert screen["y"] + screen["height"] <= height
    page.get_by_role("button", name="Cancel").click()
    assert not page.get_by_role("dialog", name="Correct a moment").is_visible()
    assert page.locator(".flag.base span").first.bounding_box()["x"] == pytest.approx(box["x"], abs=1)


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_head_of_the_plots_keeps_its_place_when_a_marker_is_set(visitor, transactional_db, size):
    page = wait_ready(visitor.open(clip_scene().path, size=size))
    parts = (".plots-head", "[data-plot-box]", "[data-zoom]")
    before = [page.locator(part).bounding_box() for part in parts]

    page.keyboard.press("m")
    page.keyboard.press(".")
    page.get_by_text("ms from the marker").wait_for()

    assert [page.locator(part).bounding_box() for part in parts] == before


def test_pointer_in_the_plots_tells_the_values_of_both_sides_with_units(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene().path))
    plots = "document.querySelector('drill-down').plots"
    box = page.locator("[data-plot-box]").bounding_box()
    page.mouse.move(box["x"] + page.evaluate(f"{plots}.toPixels(150)"), box["y"] + 60)

    told = page.locator("[data-at-line]")
    cells = [cell.inner_text() for cell in told.locator("span").all()]
    assert cells[:4] == ["+0.150 s", "SSIM mean", "worst block", "interval"]
    assert cells[4:] == ["Baseline", "0.9000", "0.20", "33.3 ms", "Updated", "0.9000", "0.20", "16.7 ms"]
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 60)
    edge = told.bounding_box()
    assert edge["x"] + edge["width"] <= box["x"] + box["width"]
    page.mouse.move(5, 5)
    assert not told.is_visible()
    page.locator("[data-scrub]").focus()
    assert told.is_visible()


def test_what_the_plots_and_views_mean_is_told_where_they_stand(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene().path))

    page.get_by_role("img", name="How to read the plots").click()
    assert page.get_by_role("definition").filter(has_text="Stretched towards 1").is_visible()
    page.keyboard.press("Escape")
    page.locator(".transport .explain summary").focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("four times as strong").is_visible()
    assert page.get_by_text("amber seldom").is_visible()


def test_a_browser_without_webcodecs_shows_the_same_frames(visitor, transactional_db):
    scene = clip_scene()
    visitor.scripts.append("delete window.VideoDecoder")
    page = wait_ready(visitor.open(scene.path))

    for t in (0.0, 150.0, 233.3):
        page.evaluate("t => document.querySelector('drill-down').player.clock.seek(t)", t)
        for side in scene.times:
            page.wait_for_selector(
                f'[data-side={side}] canvas[data-frame="{scene.expected(side, t)}"]', state="attached"
            )
        assert {side: page.evaluate(READ_VIDEO, side) for side in scene.times} == wanted(scene, t)


def test_a_seek_has_not_arrived_before_its_picture_can_be_drawn(visitor, transactional_db):
    scene = clip_scene()
    visitor.scripts += ["delete window.VideoDecoder", HOLD_PICTURES]
    page = wait_ready(visitor.open(scene.path))
    until(page, f"{SHOWN}.every((frame) => frame >= 0)")
    before = page.evaluate(SHOWN)

    page.evaluate("t => holdPictures() || document.querySelector('drill-down').player.clock.seek(t)", 0.0)
    until(page, "sought === 2 && held.length === 2")
    assert page.evaluate(SHOWN) == before
    assert page.locator(".screen[data-waiting]").count() == 2

    page.evaluate("held.forEach((tell) => tell())")
    until(page, f"{SHOWN}.join() === '{scene.expected('base', 0.0)},{scene.expected('new', 0.0)}'")
    assert page.locator(".screen[data-waiting]").count() == 0


SHOWN = "document.querySelector('drill-down').player.decks.map((deck) => deck.shown)"
# From holdPictures() on seeks end, pictures are announced when told, and what waits for one never gives up.
HOLD_PICTURES = """
window.holdPictures = () => {
  [window.held, window.sought] = [[], 0];
  document.addEventListener("seeked", () => (sought += 1), true);
  const ask = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (answer) {
    return ask.call(this, (...about) => held.push(() => answer(...about)));
  };
  window.setTimeout = () => 0;
};
"""

READ_VIDEO = """side => {
  const video = document.querySelector(`[data-side=${side}] video`);
  const { videoWidth: width, videoHeight: height } = video;
  const copy = Object.assign(document.createElement("canvas"), { width, height });
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(video, 0, 0);
  const block = copy.width / 16;
  const row = pen.getImageData(0, Math.floor(block), copy.width, 1).data;
  let number = 0;
  for (let bit = 0; bit < 8; bit += 1) number += (row[4 * Math.floor((2 * bit + 1) * block)] > 128) << bit;
  return number;
}"""
