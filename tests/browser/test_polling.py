"""Pages that follow the server ask more and more seldom while nothing moves, and nobody while they are hidden."""

import pytest

from reports.models import Comparison, ComparisonStatus
from tests.browser.conftest import until
from tests.browser.scenes import RANKING, small_comparison

pytestmark = pytest.mark.browser
INBOX = f"{RANKING}org.example.mail/open%20inbox/"
# Time stands until the test lets the next timers come due.
STANDS = """
{
  const due = new Map(), later = window.setTimeout.bind(window);
  let last = 0;
  window.waits = [];
  window.setTimeout = (act, ms = 0) => (waits.push(ms), due.set(++last, act), last);
  window.clearTimeout = (id) => due.delete(id);
  window.pass = () => {
    for (const [id, act] of [...due]) if (due.delete(id)) act();
    return new Promise((next) => later(next, 0));
  };
  window.hide = (hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    return new Promise((next) => later(next, 0));
  };
  const loaded = () => performance.getEntriesByType("resource");
  window.asked = (part) => loaded().filter(({ name }) => name.includes(part)).length;
}
"""
POLL = """async ([least, most, says]) => {
  const { poll } = await import("/static/js/lib/poll.js");
  window.looks = 0;
  window.ended = "";
  window.gone = new AbortController();
  document.querySelector("queue-state").remove(); // it polls, too
  waits.length = 0;
  const look = async () => says[window.looks++];
  poll(look, { least, most, signal: gone.signal }).then(() => (ended = "done"), (why) => (ended = why.name));
  await hide(false);
}"""


def _passes(page, times):
    for _ in range(times):
        page.evaluate("pass()")


def test_pause_between_two_looks_grows_until_something_moves_and_has_an_end(visitor):
    visitor.scripts.append(STANDS)
    page = visitor.open("/help/")
    says = [None, None, None, None, "moved", None, "done"]

    page.evaluate(POLL, [1000, 3000, says])
    _passes(page, 9)

    assert page.evaluate("[looks, ended]") == [7, "done"]
    assert [wait for wait in page.evaluate("waits") if wait] == [1000, 1500, 2250, 3000, 1000, 1500]


def test_hidden_page_does_not_look_and_looks_at_once_when_it_is_seen(visitor):
    visitor.scripts.append(STANDS)
    page = visitor.open("/help/")
    page.evaluate(POLL, [1000, 3000, []])
    assert page.evaluate("looks") == 1

    page.evaluate("hide(true)")
    _passes(page, 5)
    assert page.evaluate("looks") == 1
    page.evaluate("hide(false)")
    assert page.evaluate("looks") == 2
    page.evaluate("gone.abort(), hide(false)")
    _passes(page, 3)

    assert page.evaluate("[looks, ended]") == [2, "AbortError"]


def test_every_page_that_follows_something_stops_while_it_is_hidden(visitor):
    small_comparison()
    Comparison.objects.update(status=ComparisonStatus.RUNNING)
    making = {"state": "making", "proxy": "/nowhere/", "progress_pct": 40}
    visitor.answer("*/api/runs/*/playback/", json=making)
    visitor.scripts.append(STANDS)
    asked = {}

    for path, address in (("/", "/api/queue/"), (RANKING, "state.json"), (INBOX, "/playback/")):
        page = visitor.open(path)
        if address == "/playback/":
            until(page, "asked('/playback/') === 2")  # one for each side, with the page
        page.evaluate("hide(true)")
        before = page.evaluate("part => asked(part)", address)
        _passes(page, 5)
        hidden = page.evaluate("part => asked(part)", address) - before
        page.evaluate("hide(false)")
        until(page, f"asked('{address}') > {before}")
        asked[path] = hidden
        page.close()

    assert asked == {"/": 0, RANKING: 0, INBOX: 0}
