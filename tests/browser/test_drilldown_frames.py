"""The picture on the page is exactly the frame that the plots say, and the two sides stay together."""

import pytest

from tests.browser.drilldown_scene import CONSTANT_MS, READ_NUMBER, clip_scene, shown, wait_ready, wanted

pytestmark = pytest.mark.browser

CLOCK = "document.querySelector('drill-down').player.clock"
RECORD = f"""() => new Promise((done) => {{
  const read = {READ_NUMBER};
  const seen = [];
  const play = document.querySelector("[data-do=play]");
  const look = () => {{
    seen.push([read("base"), read("new")]);
    if (play.getAttribute("aria-pressed") === "true") requestAnimationFrame(look);
    else done(seen);
  }};
  requestAnimationFrame(look);
  play.click();
}})"""


def test_frame_after_a_seek_or_step_is_the_frame_of_that_time(page, scene):
    for t in (-500.0, 1100.0, 83.4, -20.1, 149.9, 150.0, 450.0, 233.3, 0.0):
        page.evaluate(f"t => {CLOCK}.seek(t)", t)
        assert shown(page, scene, t) == wanted(scene, t), t
    for key, direction in 8 * [(".", 1)] + 6 * [(",", -1)]:
        before = page.evaluate(f"{CLOCK}.t")
        page.keyboard.press(key)
        t = page.evaluate(f"{CLOCK}.t")
        assert t == pytest.approx(beside(scene, before, direction), abs=0.01)
        assert shown(page, scene, t) == wanted(scene, t), t


def test_steps_far_back_in_a_recording_too_large_to_be_kept_whole(visitor, transactional_db):
    scene = clip_scene(CONSTANT_MS, CONSTANT_MS, size=(544, 1200))
    page = wait_ready(visitor.open(scene.path))

    for t in (1100.0, -450.0, 900.0):
        page.evaluate(f"t => {CLOCK}.seek(t)", t)
        assert shown(page, scene, t) == wanted(scene, t), t
    for _ in range(45):
        page.keyboard.press(",")
    t = page.evaluate(f"{CLOCK}.t")
    assert shown(page, scene, t) == wanted(scene, t)


def test_one_side_steps_by_its_own_frames_and_is_nudged_by_a_refresh(page, scene):
    page.keyboard.press("1")
    page.keyboard.press(".")
    t = next(at for at in scene.times["base"] if at > 0)
    assert shown(page, scene, t) == wanted(scene, t)

    page.click("[data-nudge-by='new:1']")
    nudged = scene.expected("new", t + 1000 / 60)
    page.wait_for_selector(f'[data-side=new] canvas[data-frame="{nudged}"]')
    assert page.evaluate(READ_NUMBER, "new") == nudged
    assert page.evaluate(READ_NUMBER, "base") == scene.expected("base", t)


def beside(scene, t, direction):
    """Return the time of the nearest frame of either side after (1) or before (−1) t."""
    times = [at for side in scene.times.values() for at in side if direction * (at - t) > 0.06]
    return min(times) if direction > 0 else max(times)


def test_sides_are_never_more_than_a_refresh_apart_while_playing(visitor, transactional_db):
    scene = clip_scene(CONSTANT_MS, CONSTANT_MS)
    page = wait_ready(visitor.open(scene.path + "?t=0"))
    assert shown(page, scene, 0) == wanted(scene, 0), "both are painted before they play"

    seen = page.evaluate(RECORD)

    assert max(abs(base - new) for base, new in seen) <= 1
    assert len({base for base, _ in seen}) > 10, "it did not play"


@pytest.fixture
def scene(transactional_db):
    """Return a recording on a variable grid beside one on a constant grid."""
    return clip_scene()


@pytest.fixture
def page(visitor, scene):
    """Open it and wait for both players."""
    return wait_ready(visitor.open(scene.path + "?t=0"))
