"""A downloaded bug report, unzipped and opened from disk: no server, no network."""

import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse

from tests.browser.conftest import SIZES
from tests.browser.drilldown_scene import CONSTANT_MS, VARIABLE_MS, clip_scene
from tests.numbered import read_number
from tests.reports.bugreport.scene import NAMES

pytestmark = pytest.mark.browser
PLAYED = "[...document.querySelectorAll('video')].map((video) => video.readyState > 1 && !video.error)"
SETTLED = "![...document.querySelectorAll('video')].some((video) => video.seeking || video.readyState < 2)"


@pytest.fixture
def report(signed_in, transactional_db, tmp_path):
    """Download the report of a variable grid beside a constant one; return its page and the frame times."""
    scene = clip_scene(VARIABLE_MS, CONSTANT_MS)
    zipped = tmp_path / "report.zip"
    zipped.write_bytes(b"".join(signed_in.get(reverse("bug-report", args=NAMES))))
    zipfile.ZipFile(zipped).extractall(tmp_path / "report")
    for file in Path(settings.MEDIA_ROOT).rglob("*.*"):
        file.unlink()  # nothing of the server is needed any more
    return (tmp_path / "report" / "report.html").as_uri(), scene


@pytest.fixture
def opened(browser, report):
    """Return a function that opens the report; what it asks from elsewhere or complains of fails the test."""
    problems, contexts = [], []

    def note(request):
        if not request.url.startswith(("file:", "data:")):
            problems.append(request.url)

    def open_report(*, size="wide", **options):
        context = browser.new_context(viewport=SIZES[size], **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", note)
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(report[0])
        until(page, f"{PLAYED}.join() === 'true,true'")
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert problems == []


def until(page, expression):
    """Wait for the page; Playwright's own waiting evaluates text, which the report's policy forbids."""
    for _ in range(400):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never came true: {expression}")


def frame_on(page, side):
    """Read the number in the picture that a side shows."""
    until(page, SETTLED)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    picture = page.locator(f"[data-side={side}] video").screenshot()
    return read_number(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR))


def test_both_screencasts_step_on_one_clock_from_disk(opened, report):
    page, scene = opened(), report[1]
    until(page, "[...document.querySelectorAll('[data-frame]')].every((said) => said.textContent)")

    for key, t in (("a", 0.0), ("r", 100.0), (".", 116.67), (".", 133.33), (",", 116.67), ("f", 450.0)):
        page.keyboard.press(key)
        assert {side: frame_on(page, side) for side in ("base", "new")} == {
            side: scene.expected(side, t) for side in ("base", "new")
        }, f"after {key}"


def test_both_screencasts_play_and_stop_together(opened):
    page = opened()
    page.click("[data-do=play]")
    until(page, "[...document.querySelectorAll('video')].every((video) => video.currentTime > 0.7)")
    page.click("[data-do=play]")

    assert page.evaluate("[...document.querySelectorAll('video')].every((video) => video.paused)")


def test_report_is_useful_without_a_script(opened):
    page = opened(java_script_enabled=False)

    assert page.locator("video[controls]").count() == 2
    assert not page.locator("#transport").is_visible()
    assert page.get_by_text("Updated responds 210 ms later").is_visible()
    assert all(box["width"] > 20 for box in (image.bounding_box() for image in page.locator("img").all()))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_report_can_be_used_by_everybody(opened, theme):
    page = opened(color_scheme=theme, bypass_csp=True)  # the checker is a script of its own

    serious = [v for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], [node["target"] for node in v["nodes"]]) for v in serious] == []


def test_report_fits_on_a_phone(opened):
    page = opened(size="narrow")

    assert page.evaluate("document.documentElement.scrollWidth") == 390
