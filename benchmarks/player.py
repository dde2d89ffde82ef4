"""Measure the players of the drill-down in a real Chromium: how long a step takes, how far apart the sides are.

``python -m benchmarks.player ADDRESS PAGE --user NAME --password WORD`` opens a page of a running server, such as
``http://127.0.0.1:8000 /compare/13.0.12/13.0.13/org.example.mail/open%20inbox/``, and prints a table. Which picture
is right is not measured here but proved in tests/browser/test_drilldown_frames.py.
"""

import argparse

import numpy as np
from playwright.sync_api import Page, sync_playwright

from tests.find_browser import WHOLE, find_browser, system_browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
READY = "[data-side={}] .screen[data-state=ready]"
STEP = """async ([how, count]) => {
  const { player } = document.querySelector("drill-down");
  const { clock, decks } = player;
  const settled = () => decks.every((deck) => deck.shown === deck.wanted);
  const moves = {
    forward: () => player.step(1),
    back: () => player.step(-1),
    seek: () => clock.seek(clock.range.from + Math.random() * (clock.range.to - clock.range.from)),
  };
  const took = [];
  for (let i = 0; i < count; i += 1) {
    const start = performance.now();
    moves[how]();
    while (!settled()) await new Promise((next) => setTimeout(next, 1));
    took.push(performance.now() - start);
    await new Promise((next) => setTimeout(next, 60)); // a person's key repeat is no faster
  }
  return took;
}"""
PLAY = """async () => {
  const { player } = document.querySelector("drill-down");
  const { clock, decks } = player;
  clock.seek(clock.range.from);
  await new Promise((next) => setTimeout(next, 1500));
  const apart = [];
  const off = (deck) => { // ms between the time that the picture stands for and the clock
    const local = deck.local(clock.t);
    const { times } = deck.track;
    if (local < times[0]) return 0; // this recording has not begun: its first picture stands
    return Math.max(times[deck.shown] - local, local - (times[deck.shown + 1] ?? Infinity), 0);
  };
  const start = performance.now();
  const from = clock.t;
  clock.play();
  await new Promise((done) => {
    const look = () => {
      apart.push(Math.max(...decks.map(off)));
      if (clock.playing) requestAnimationFrame(look);
      else done();
    };
    requestAnimationFrame(look);
  });
  return { apart, speed: (clock.t - from) / (performance.now() - start), refreshes: apart.length };
}"""


def main() -> None:
    """Open the page, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("page")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        path = system_browser(WHOLE) or find_browser()  # what people use, rather than its shell
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        _log_in(page, asked.address, asked.user, asked.password)
        page.goto(asked.address + asked.page)
        for side in ("base", "new"):
            page.wait_for_selector(READY.format(side), timeout=60_000)
        page.wait_for_timeout(3000)  # the film strip decodes as well at first
        _report(page)
        browser.close()


def _log_in(page: Page, address: str, user: str, password: str) -> None:
    page.goto(f"{address}/login/")
    page.fill("[name=username]", user)
    page.fill("[name=password]", password)
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login/" not in url)


def _report(page: Page) -> None:
    size = page.evaluate("(({width_px, height_px}) => `${width_px} × ${height_px}`)"
                         "(document.querySelector('drill-down').player.decks[0].frames.index)")  # fmt: skip
    print(f"screencasts of {size}\n\n| | median | 95th percentile | worst |\n|---|---|---|---|")
    for how, count in (("forward", 60), ("back", 60), ("seek", 40)):
        took = page.evaluate(STEP, [how, count])
        print(f"| {how}, ms | {np.median(took):.1f} | {np.percentile(took, 95):.1f} | {max(took):.1f} |")
    played = page.evaluate(PLAY)
    off = np.array(played["apart"])
    figures = np.median(off), np.percentile(off, 95), off.max()
    print("| off the clock while playing, ms | {:.1f} | {:.1f} | {:.1f} |".format(*figures))
    print(f"\n{played['refreshes']} refreshes looked at; the clock ran at {played['speed']:.2f} × of the wall")


if __name__ == "__main__":
    main()
