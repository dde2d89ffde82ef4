"""The drill-down's other ways to look: wipe, difference, other runs, corrections, a browser without WebCodecs."""

import pytest

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

LOADED = """async (picture) => {
  if (!picture.complete) await new Promise((done) => picture.addEventListener("load", done));
  return picture.naturalWidth;
}"""


def test_wipe_and_difference_put_both_sides_into_one_picture(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene().path))

    page.keyboard.press("v")
    page.wait_for_url("**view=wipe*")
    assert page.evaluate(GREYS) == pytest.approx(TINTS, abs=6)

    page.keyboard.press("v")
    page.wait_for_url("**view=difference*")
    assert page.evaluate(GREYS) == pytest.approx((255, 255), abs=6)  # 4 × |60 − 160|, cut off

    page.keyboard.press("v")
    assert page.locator("[data-side=base] [data-changemap]").evaluate(LOADED) > 0


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
    form = page.locator("[data-correct='base:response']")
    form.get_by_role("button", name="Use my value").wait_for()
    proposed = float(form.locator("[name=value_ms]").input_value())
    form.get_by_role("button", name="Use my value").click()
    page.get_by_text("corrected by engineer").wait_for()

    assert proposed > 100
    assert page.locator(".why-side").first.get_by_text(f"+{round(proposed)} ms").count() == 1


def test_a_browser_without_webcodecs_shows_the_same_frames(visitor, transactional_db):
    scene = clip_scene()
    visitor.context.add_init_script("delete window.VideoDecoder")
    page = wait_ready(visitor.open(scene.path))

    for t in (0.0, 150.0, 233.3):
        page.evaluate("t => document.querySelector('drill-down').player.clock.seek(t)", t)
        for side in scene.times:
            page.wait_for_selector(
                f'[data-side={side}] canvas[data-frame="{scene.expected(side, t)}"]', state="attached"
            )
        assert {side: page.evaluate(READ_VIDEO, side) for side in scene.times} == wanted(scene, t)


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
