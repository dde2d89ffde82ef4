"""A downloaded bug report, unzipped and opened from disk: no server, no network."""

import shutil
import zipfile
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import cv2
import numpy as np
import pytest
from django.conf import settings
from django.urls import reverse

from tests.browser.axe import faults_of
from tests.browser.conftest import SIZES, until
from tests.browser.drilldown_scene import ACTION_MS, CONSTANT_MS, VARIABLE_MS, clip_scene, wait_ready
from tests.numbered import read_number
from tests.reports.bugreport.scene import NAMES

pytestmark = pytest.mark.browser
PLAYED = "[...document.querySelectorAll('video')].map((video) => video.readyState > 1 && !video.error)"
# A seek has ended when its picture is decoded; on a busy machine it comes to the screen only later. So each picture
# that is handed to the screen is noted, and waited for: the page seeks to at most 8 ms after the time of a picture.
NOTE_PICTURES = """document.addEventListener("DOMContentLoaded", () => {
  for (const video of document.querySelectorAll("video")) {
    const note = (_, shown) => {
      video.onScreen = shown.mediaTime;
      video.requestVideoFrameCallback(note);
    };
    video.requestVideoFrameCallback(note);
  }
});"""
SETTLED = """[...document.querySelectorAll("video")].every((video) => {
  const since = video.currentTime - video.onScreen;
  return !video.seeking && video.readyState > 1 && since > -0.001 && since < 0.012;
})"""
SAID = "[...document.querySelectorAll('[data-frame]')].map((said) => said.textContent)"

# Asked of the page with the server and of the one without.
GRIDS_MS = [VARIABLE_MS, CONSTANT_MS, [0.0], [0.0, 500.0, 500.05, 900.0]]
INSTANTS_MS = [-900.0, -500.0, -483.3, -20.1, 0.0, 0.05, 83.33, 116.6, 149.9, 150.0, 1099.9, 5000.0]
ANSWERS = """([grids, instants, action_ms]) => grids.map((time_ms) => {
  const track = new Track({ time_ms, action_ms });
  return instants.map((t) => [track.indexAt(t), track.neighbour(t, 1), track.neighbour(t, -1)]);
})"""
RUN_LATE = """() => {
  const late = document.querySelector("[type='text/later']");
  document.body.append(Object.assign(document.createElement("script"), { textContent: late.textContent }));
}"""
KEYS = ["a", ".", ".", ",", "r", ".", "f", "f", ",", "r", "r", ".", ".", "a", ",", ","]
PLAY_AND_STOP = """() => new Promise((done) => {
  const [button, said] = [document.querySelector("[data-do=play]"), document.getElementById("clock")];
  const videos = [...document.querySelectorAll("video")];
  const look = () => {
    const plays = videos.every((video) => !video.paused && video.currentTime > 0.7);
    if (!plays || button.textContent !== "Pause") return requestAnimationFrame(look);
    const [times, clock] = [videos.map((video) => video.currentTime), said.textContent];
    button.click();
    done({ times, clock, word: button.textContent, paused: videos.map((video) => video.paused) });
  };
  requestAnimationFrame(look);
  button.click();
})"""


@pytest.fixture
def scene(transactional_db):
    """Return a variable grid beside a constant one."""
    return clip_scene(VARIABLE_MS, CONSTANT_MS)


@pytest.fixture
def online(visitor, scene):
    """Return what the drill-down answers, with the server, before the report is taken along."""
    page = wait_ready(visitor.open(scene.path))
    load = "const { Track } = await import('/static/js/lib/timeline.js');"
    frames = "(() => { const { clock, decks } = document.querySelector('drill-down').player;"
    frames += "return [Math.round(clock.t), ...decks.map((deck) => deck.frameAt(clock.t))]; })()"
    return {
        "times": page.evaluate(
            f"async (cases) => {{ {load} return ({ANSWERS})(cases); }}", [GRIDS_MS, INSTANTS_MS, ACTION_MS]
        ),
        "keys": [(page.keyboard.press(key), page.evaluate(frames))[1] for key in KEYS],
    }


@pytest.fixture
def report(signed_in, scene, tmp_path):
    """Download the report of the scene; return its page and the frame times."""
    zipped = tmp_path / "report.zip"
    zipped.write_bytes(b"".join(signed_in.get(reverse("bug-report", args=NAMES))))
    zipfile.ZipFile(zipped).extractall(tmp_path / "report")
    shutil.rmtree(settings.MEDIA_ROOT)  # nothing of the server is needed any more
    return (tmp_path / "report" / "report.html").as_uri(), scene


@pytest.fixture
def opened(open_file, report):
    """Return a function that opens the report."""
    return lambda **options: open_file(report[0], **options)


@pytest.fixture
def opened_zip(open_file, tmp_path):
    """Return a function that unpacks a downloaded report and opens it."""

    def open_zip(path):
        zipfile.ZipFile(path).extractall(tmp_path / "downloaded")
        return open_file((tmp_path / "downloaded" / "report.html").as_uri())

    return open_zip


@pytest.fixture
def open_file(browser):
    """Return a function that opens a file; what it asks from elsewhere or complains of fails the test."""
    problems, contexts = [], []

    def note(request):
        if not request.url.startswith(("file:", "data:")):
            problems.append(request.url)

    def open_report(address, *, size="wide", **options):
        context = browser.new_context(viewport=SIZES[size], **options)
        contexts.append(context)
        context.add_init_script(NOTE_PICTURES)
        page = context.new_page()
        page.on("request", note)
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        until(page, f"{PLAYED}.join() === 'true,true'")
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert problems == []


def frame_on(page, side):
    """Read the number in the picture that a side shows."""
    until(page, SETTLED)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    picture = page.locator(f"[data-side={side}] video").screenshot()
    return read_number(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR))


def test_both_screencasts_step_on_one_clock_from_disk(opened, report):
    page, scene = opened(), report[1]
    until(page, f"{SAID}.every(Boolean)")

    for key, t in (("a", 0.0), ("r", 100.0), (".", 116.67), (".", 133.33), (",", 116.67), ("f", 450.0)):
        page.keyboard.press(key)
        assert {side: frame_on(page, side) for side in ("base", "new")} == {
            side: scene.expected(side, t) for side in ("base", "new")
        }, f"after {key}"


def test_pictures_that_were_there_before_the_script_ran_are_asked_for_again(open_file, report):
    address, scene = report
    path = Path(url2pathname(urlsplit(address).path))
    path.write_text(path.read_text().replace("<script>", '<script type="text/later">'))
    page = open_file(address)
    until(page, "[...document.querySelectorAll('video')].every((video) => video.onScreen === 0)")
    assert page.evaluate(SAID) == ["", ""]

    page.evaluate(RUN_LATE)
    until(page, f"{SAID}.every(Boolean)")

    assert {side: frame_on(page, side) for side in ("base", "new")} == {
        side: scene.expected(side, 100.0) for side in ("base", "new")
    }


def test_report_opens_at_the_time_that_stands_on_the_page(visitor, scene, opened_zip):
    page = wait_ready(visitor.open(scene.path))
    page.evaluate("document.querySelector('drill-down').player.go(233.3)")
    with page.expect_download() as download:
        page.get_by_role("link", name="Bug report").click()

    report = opened_zip(download.value.path())

    assert report.inner_text("#clock") == "+233 ms"
    assert {side: frame_on(report, side) for side in ("base", "new")} == {
        side: scene.expected(side, 233.3) for side in ("base", "new")
    }
    assert "t=233.3" in report.locator("footer").inner_text()


def test_report_opens_where_the_page_would_open(opened):
    page = opened()
    until(page, f"{SAID}.every(Boolean)")

    assert page.inner_text("#clock") == "+100 ms", "the response, as there is nothing to tell apart"


def test_both_screencasts_play_and_stop_together(opened):
    page = opened()
    until(page, f"{SAID}.every(Boolean)")

    stopped = page.evaluate(PLAY_AND_STOP)

    assert stopped["paused"] == [True, True]
    assert stopped["word"] == "Play"
    clock_ms = float(stopped["clock"].split()[0].replace("\u202f", ""))
    assert [1000 * at - ACTION_MS for at in stopped["times"]] == pytest.approx([clock_ms] * 2, abs=200)


def test_clock_waits_for_a_video_that_is_slow_to_start(opened):
    """A machine with its hands full: a video that has not begun is waited for, not played without."""
    page = opened()
    until(page, f"{SAID}.every(Boolean)")
    opened_at = page.inner_text("#clock")

    page.evaluate(
        "() => { const slow = document.querySelector('video');"
        "Object.defineProperty(slow, 'readyState', { configurable: true, get: () => 2 });"
        "document.querySelector('[data-do=play]').click(); }"
    )
    page.wait_for_timeout(500)
    held = page.inner_text("#clock")
    page.evaluate("() => { delete document.querySelector('video').readyState; }")
    until(page, "document.querySelector('[data-do=play]').textContent === 'Play'")

    assert held == opened_at
    assert page.inner_text("#clock") != opened_at


def test_both_pages_answer_alike_for_any_times(online, opened):
    def slowly(times, t):
        local = [at - ACTION_MS for at in times]
        shown = max((i for i, at in enumerate(local) if at <= t + 0.06), default=0)
        later = [at for i, at in enumerate(local) if at > t + 0.06 and i > shown]
        sooner = [at for at in local if at < t - 0.06]
        return [shown, min(later, default=None), max(sooner, default=None)]

    offline = opened().evaluate(ANSWERS, [GRIDS_MS, INSTANTS_MS, ACTION_MS])

    assert offline == online["times"]
    assert offline == [[slowly(times, t) for t in INSTANTS_MS] for times in GRIDS_MS]


def test_same_keys_lead_to_the_same_frames_on_both_pages(online, opened):
    page = opened()
    until(page, f"{SAID}.every(Boolean)")
    shown = []
    for key in KEYS:
        page.keyboard.press(key)
        clock = page.inner_text("#clock").removesuffix(" ms").replace("−", "-")
        shown.append([round(float(clock)), *(int(said.removeprefix("frame ")) for said in page.evaluate(SAID))])

    assert shown == online["keys"]


def test_report_is_useful_without_a_script(opened):
    page = opened(java_script_enabled=False)

    assert page.locator("video[controls]").count() == 2
    assert not page.locator("#transport").is_visible()
    assert page.get_by_text("Updated responds 210 ms later").is_visible()
    assert all(box["width"] > 20 for box in (image.bounding_box() for image in page.locator("img").all()))


def test_report_can_be_used_by_everybody(opened):
    assert faults_of(opened(bypass_csp=True)) == []


def test_report_fits_on_a_phone(opened):
    page = opened(size="narrow")
    width = "document.documentElement.scrollWidth"

    assert page.evaluate(width) == 390
    for words in ("h1", ".steps li:last-child"):  # where a benchmark's name stands, which is one long word
        page.evaluate(f"document.querySelector('{words}').firstChild.textContent = 'TvBenchmarkTest'.repeat(4)")
    assert page.evaluate(width) == 390
