"""The film strip: both sides at the same times, with the pictures of just these times."""

import pytest

from tests.browser.conftest import until
from tests.browser.drilldown_scene import READ_NUMBER, clip_scene, shown, wait_ready, wanted

pytestmark = pytest.mark.browser
CLOCK = "document.querySelector('drill-down').player.clock"
FULL = """[...document.querySelectorAll("[data-film-row] a")].every((cell) => {
  const picture = cell.querySelector("canvas, img");
  return picture && (picture.localName === "canvas" || picture.complete);
})"""
READ_FILM = """() => {
  const rows = [...document.querySelectorAll("[data-film-row]")].map((row) => [...row.querySelectorAll("a")]);
  return rows.map((cells) => cells.map(read));

  function read(cell) {
    const shown = cell.querySelector("canvas, img");
    const width = shown.naturalWidth ?? shown.width;
    const height = shown.naturalHeight ?? shown.height;
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(shown, 0, 0);
    const block = width / 16;
    const row = pen.getImageData(0, Math.floor(block), width, 1).data;
    let number = 0;
    for (let bit = 0; bit < 8; bit += 1) number += (row[4 * Math.floor((2 * bit + 1) * block)] > 128) << bit;
    return [Number(cell.dataset.at), number];
  }
}"""
EAGER = """document.addEventListener("DOMContentLoaded", () => {
  Object.defineProperty(HTMLImageElement.prototype, "loading", { set() {} });
});"""


@pytest.fixture
def scene(transactional_db):
    return clip_scene()


@pytest.mark.parametrize("webcodecs", [True, False], ids=["decoded here", "from the server"])
@pytest.mark.parametrize("interval", ["100", "changes"])
def test_every_picture_of_the_strip_is_the_frame_of_its_time(visitor, scene, webcodecs, interval):
    visitor.scripts.append(EAGER + ("" if webcodecs else "delete window.VideoDecoder;"))
    page = wait_ready(visitor.open(f"{scene.path}?film={interval}"))
    until(page, FULL)

    rows = page.evaluate(READ_FILM)

    assert len(rows) == 2
    assert [at for at, _ in rows[0]] == [at for at, _ in rows[1]]
    for side, cells in zip(scene.times, rows, strict=True):
        assert cells == [[at, scene.expected(side, at)] for at, _ in cells], side


def test_rows_share_their_columns_and_no_picture_is_narrower_than_64_px(visitor, scene):
    page = wait_ready(visitor.open(f"{scene.path}?film=changes"))

    base, new = (
        [cell.bounding_box() for cell in page.locator(f"[data-film-row={side}] a").all()] for side in scene.times
    )

    assert [box["x"] for box in base] == [box["x"] for box in new]
    assert min(box["width"] for box in base + new) >= 64
    assert page.evaluate("document.documentElement.scrollWidth") == 1440


def test_moments_are_framed_and_interval_is_chosen_in_place_and_kept_in_the_address(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?t=210"))
    page.evaluate("window.sameDocument = true")
    assert page.locator("[data-column]").count() == 6  # 0 to 500 ms: finish at 450
    marks = [mark.inner_text().split() for mark in page.locator("[data-film-row=base] b").all()]
    assert marks == [["Response", "+100", "ms"], ["Finish", "+450", "ms"]]
    assert page.locator("[data-film-row=base] td.is-marked").count() == 2

    page.get_by_role("link", name="500 ms", exact=True).click()
    until(page, "document.querySelectorAll('[data-column]').length === 2")
    until(page, FULL)

    assert "film=500" in page.url
    assert page.evaluate("window.sameDocument")
    assert page.evaluate(f"{CLOCK}.t") == 210


def test_press_leads_to_the_picture_also_of_a_nudged_side(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?nudge_new=2"))

    for side, place in (("base", 3), ("new", 2)):
        cell = page.locator(f"[data-film-row={side}] a").nth(place)
        cell.click()
        page.wait_for_selector(f'[data-side={side}] canvas[data-frame="{cell.get_attribute("data-frame")}"]')
        assert page.evaluate(READ_NUMBER, side) == scene.expected(side, 100 * place)


def test_strip_is_walked_through_by_arrows_shown_large_and_entered(visitor, scene):
    page = wait_ready(visitor.open(scene.path + "?t=0"))
    until(page, FULL)
    page.locator("[data-interval]").last.focus()
    page.keyboard.press("Tab")

    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate(f"{CLOCK}.t") == 0, "the players stay where they are"
    large = page.locator("[data-film-large]")
    assert "Updated · +0.200 s" in large.inner_text()
    assert large.bounding_box()["height"] > 300
    page.keyboard.press("Enter")

    assert page.evaluate(f"{CLOCK}.t") == 200
    assert shown(page, scene, 200) == wanted(scene, 200)
    page.keyboard.press("Escape")
    assert not large.is_visible()


def test_pointer_shows_a_picture_large(visitor, scene):
    page = wait_ready(visitor.open(scene.path))
    until(page, FULL)

    page.locator("[data-film-row=base] a").nth(2).hover()
    assert "Baseline · +0.200 s" in page.locator("[data-film-large]").inner_text()
    page.mouse.move(5, 5)

    until(page, "document.querySelector('[data-film-large]').hidden")
