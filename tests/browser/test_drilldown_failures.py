"""What stands between a person and a recording is said truly, with its cure, and can be tried again."""

from urllib.parse import urlsplit

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import until
from tests.browser.drilldown_scene import clip_scene, shown, wait_ready, wanted
from tests.browser.test_drilldown_views import READ_VIDEO
from tests.browser.test_polling import STANDS

pytestmark = pytest.mark.browser
PLAYBACK = "*/api/runs/*/playback/"
SERIES = "*/api/runs/*/series/"
VIDEO = "*/runs/*/video/"
FAILED = "[data-side={}] .screen[data-state=failed]"
SESSION = "Your session has ended."
UNREACHABLE = "The server cannot be reached."
GONE = "This recording is no longer on the server."
SERVER = "The server had an error."
FORBIDDEN = "Your account may not see this recording."
STALE = "This page is out of date"
CANNOT = "This browser cannot show the recording."

RELOAD_BASE = """() => {
  const { player, state } = document.querySelector("drill-down");
  void player.decks[0].load(state.base);
}"""
NO_PICTURES = "window.createImageBitmap = () => Promise.reject(new DOMException('no memory', 'InvalidStateError'));"
FIRST_ATTEMPTS_FAIL = """
  const make = window.createImageBitmap;
  const seen = new Set();
  window.given = [];
  window.createImageBitmap = (frame, options) => {
    window.given.push(frame);
    if (seen.has(frame.timestamp)) return make(frame, options);
    seen.add(frame.timestamp);
    return Promise.reject(new DOMException("no memory", "InvalidStateError"));
  };"""
DECODER_BREAKS = """
  const Real = window.VideoDecoder;
  window.VideoDecoder = class extends Real {
    constructor(options) {
      super(options);
      this.options = options;
      this.taken = 0;
    }
    decode(chunk) {
      this.taken += 1;
      if (this.taken < 4) return super.decode(chunk);
      if (this.taken === 4) {
        this.close();
        this.options.error(new DOMException("the hardware went away", "EncodingError"));
      }
    }
  };"""
NO_PLAYER = """
  Object.defineProperty(HTMLMediaElement.prototype, "error", { get: () => ({ code: 4 }) });
  HTMLMediaElement.prototype.load = function () { setTimeout(() => this.dispatchEvent(new Event("error"))); };"""


@pytest.fixture
def scene(transactional_db):
    return clip_scene()


@pytest.fixture(autouse=True)
def _expected_noise(visitor):
    """Let the browser note that requests failed: that is done to it here. Errors of scripts still count."""
    visitor.expected += ["Failed to load resource", "decoding stopped", "the film strip stopped"]


def said(page, side="base"):
    """Wait until a side has failed; return the words over it."""
    page.wait_for_selector(FAILED.format(side))
    return page.locator(f"[data-side={side}] [data-note]").inner_text()


def do(visitor, path, how):
    """Answer requests for a path with an error, cut them off, or send them to the login page."""
    if how == "cut off":
        visitor.context.route(f"*{path}", lambda route: route.abort())
    elif how == "login":
        visitor.answer(path, status=302, headers={"Location": "/login/?next=/"})
    else:
        visitor.answer(path, status=how, content_type="text/html", content="<h1>no</h1>")


def test_whatever_request_fails_the_loading_ends_and_the_true_reason_is_said(visitor, scene):
    cases = [
        (PLAYBACK, 401, SESSION),
        (PLAYBACK, 403, FORBIDDEN),
        (PLAYBACK, "cut off", UNREACHABLE),
        (PLAYBACK, 404, GONE),
        *((PLAYBACK, how, SERVER) for how in (500, 200)),
        *((what, 500, SERVER) for what in (SERIES, VIDEO)),
    ]
    do(visitor, PLAYBACK, 500)
    page = visitor.open(scene.path)
    found = []
    for what, how, _ in cases:
        said(page, "base")
        said(page, "new")
        visitor.answers.clear()
        visitor.context.unroute_all()
        do(visitor, what, how)
        for button in page.get_by_role("button", name="Try again").all():
            button.click()
        found.append([said(page, side) for side in scene.times])
        assert page.get_by_role("link", name="Sign in again").count() == (2 if how == 401 else 0)

    assert [
        (what, how, *(text.startswith(words) for text in both))
        for (what, how, words), both in zip(cases, found, strict=True)
    ] == [(what, how, True, True) for what, how, _ in cases]


def test_refusal_is_a_lost_session_only_if_the_page_itself_asks_for_a_log_in(visitor, scene):
    page = wait_ready(visitor.open(scene.path))
    visitor.context.clear_cookies()
    do(visitor, PLAYBACK, 403)
    page.evaluate(RELOAD_BASE)

    assert said(page).startswith(SESSION)
    assert page.get_by_role("link", name="Sign in again").count() == 1


def test_form_token_of_another_session_is_cured_by_loading_the_page_again(visitor, scene):
    wanted_proxy = {"state": "wanted", "proxy": "/api/runs/1/proxy/"}
    refused = {"detail": "CSRF Failed: CSRF token from the 'X-Csrftoken' HTTP header incorrect."}
    visitor.answer(PLAYBACK, json=wanted_proxy)
    visitor.answer("*/proxy/", json=refused, status=403)

    page = visitor.open(scene.path)

    assert said(page).startswith(STALE)
    visitor.answers.clear()
    page.get_by_role("link", name="Load the page again").first.click()
    wait_ready(page)


def test_reason_stays_when_the_rest_of_a_failed_load_answers_later(visitor, scene):
    making = {"state": "making", "proxy": "/nowhere/", "progress_pct": 40}
    visitor.answer(PLAYBACK, json=making)
    do(visitor, SERIES, 500)
    visitor.scripts.append(STANDS)
    page = visitor.open(scene.path)
    said(page)

    for _ in range(3):  # as often as the page may ask how far the proxy is
        page.evaluate("pass()")
        page.wait_for_timeout(100)

    assert said(page).startswith(SERVER)


def test_recording_that_leads_to_the_login_page_is_a_lost_session(visitor, scene):
    visitor.scripts.append("delete window.VideoDecoder")
    do(visitor, VIDEO, "login")

    page = visitor.open(scene.path)

    assert said(page).startswith(SESSION)


def test_lost_session_is_cured_by_signing_in_and_comes_back_to_the_same_address(visitor, scene):
    page = wait_ready(visitor.open(scene.path))
    visitor.context.clear_cookies()
    page.evaluate(RELOAD_BASE)
    assert said(page).startswith(SESSION)

    page.keyboard.press("f")
    page.wait_for_url("**t=450*")
    left = urlsplit(page.url)
    page.get_by_role("link", name="Sign in again").click()
    page.fill("#id_username", "engineer")
    page.fill("#id_password", "only-for-tests")
    page.click("button:has-text('Log in')")
    wait_ready(page)

    assert (urlsplit(page.url).path, urlsplit(page.url).query) == (left.path, left.query)


def test_failed_screen_is_loaded_again_from_the_keyboard(visitor, scene):
    do(visitor, PLAYBACK, "cut off")
    page = visitor.open(scene.path + "?t=150")
    said(page, "base")
    said(page, "new")

    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Try again":
            break
    page.keyboard.press("Enter")
    page.locator(
        "[data-side=base] button:focus:text-is('Try again')"
    ).wait_for()  # failed again, focus where it was
    visitor.context.unroute(f"*{PLAYBACK}")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-side=base] .screen[data-state=ready]:focus")
    page.locator("[data-side=new]").get_by_role("button", name="Try again").click()
    wait_ready(page)

    assert shown(page, scene, 150) == wanted(scene, 150)
    assert page.locator("[data-note]:visible").count() == 0


def test_newer_load_wins_over_an_older_one_that_fails_late(visitor, transactional_db):
    scene = clip_scene(runs=2)
    page = wait_ready(visitor.open(scene.path + "?t=100"))
    held = []
    page.route(f"*{PLAYBACK}", lambda route: route.continue_() if held else held.append(route))
    page.locator("[data-side=new] .run-pick a[title='Next run']").click()
    page.wait_for_selector("[data-side=new] .screen[data-state=loading]")
    while not held:
        page.wait_for_timeout(20)

    page.go_back()
    wait_ready(page)
    held[0].fulfill(status=500, body="late")
    page.wait_for_timeout(300)

    assert page.locator("[data-state=failed]").count() == 0
    assert shown(page, scene, 100) == wanted(scene, 100)


def test_other_run_that_fails_leaves_nothing_of_the_one_before(visitor, transactional_db):
    page = wait_ready(visitor.open(clip_scene(runs=2).path + "?t=100"))
    do(visitor, SERIES, 500)

    page.locator("[data-side=new] .run-pick a[title='Next run']").click()

    assert said(page, "new").startswith(SERVER)
    assert page.locator("[data-side=new] .screen :is(canvas, video):visible").count() == 0
    assert page.locator("[data-film-row=new] canvas").count() == 0
    page.keyboard.press(".")  # the other side goes on
    until(page, "document.querySelector('drill-down').player.clock.t > 100")


def test_picture_that_cannot_be_kept_at_first_comes_in_the_end(visitor, scene):
    visitor.scripts.append(FIRST_ATTEMPTS_FAIL)

    page = wait_ready(visitor.open(scene.path + "?t=150"))

    assert shown(page, scene, 150) == wanted(scene, 150)
    idle = "document.querySelector('drill-down').player.decks.every((deck) => deck.frames.decoder.idle)"
    until(page, idle)
    assert page.evaluate("window.given.filter((frame) => frame.format !== null).length") == 0, "frames left open"


@pytest.mark.parametrize("script", [NO_PICTURES, DECODER_BREAKS], ids=["no pictures", "decoder breaks"])
def test_recording_that_stops_being_decoded_is_shown_by_the_browsers_own_player(visitor, scene, script):
    visitor.scripts.append(script)
    page = visitor.open(scene.path + "?t=150")
    until(page, "document.querySelector('drill-down').player.decks.every((deck) => deck.frames?.paints === false)")

    for t in (150.0, 233.3):
        page.evaluate("t => document.querySelector('drill-down').player.clock.seek(t)", t)
        for side in scene.times:
            frame = f'[data-side={side}] canvas[data-frame="{scene.expected(side, t)}"]'
            page.wait_for_selector(frame, state="attached")
        assert {side: page.evaluate(READ_VIDEO, side) for side in scene.times} == wanted(scene, t)
    assert page.locator("[data-state=ready]").count() == 2


@pytest.mark.parametrize("script", [DECODER_BREAKS, "delete window.VideoDecoder;"], ids=["breaks", "has none"])
def test_browser_that_can_neither_decode_nor_play_says_so(visitor, scene, script):
    visitor.scripts.append(script + NO_PLAYER)

    page = visitor.open(scene.path)

    assert [said(page, side).startswith(CANNOT) for side in scene.times] == [True, True]


def test_player_that_breaks_off_later_says_so(visitor, scene):
    visitor.scripts.append("delete window.VideoDecoder;")
    page = wait_ready(visitor.open(scene.path))

    for _ in range(2):  # once it is opened again, then it is given up
        page.wait_for_selector("[data-side=base] .screen[data-state=ready]")
        page.locator("[data-side=base] video").dispatch_event("error")

    assert said(page).startswith(CANNOT)
    assert page.locator("[data-side=new] .screen").get_attribute("data-state") == "ready"


def test_failed_screen_can_be_used_by_everybody(visitor, scene):
    do(visitor, PLAYBACK, 403)
    page = visitor.open(scene.path, size="narrow")
    said(page, "base")
    said(page, "new")

    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
