"""Films of Flutter's widgets: whose clock it is, what counts as an answer, and what the tables say.

Flet itself is fetched by the benchmark alone; here a page of a few lines takes its place.
"""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import sync_playwright

from benchmarks.flutter import __main__ as command
from benchmarks.flutter import filming
from benchmarks.flutter.app.scenes import Interaction, tap
from benchmarks.flutter.filming import SLOT_MS, Look, film, is_caret
from benchmarks.phones.filming import FLAGS, Take
from tests.find_browser import find_browser

CLOCK = Path("benchmarks/flutter/clock.js")
TIMERS = """() => {
    window.log = [];
    const since = performance.now();
    const say = (word) => log.push([word, Math.round(performance.now() - since)]);
    setTimeout(say, 25, "late");
    setTimeout(say, 5, "soon");
    setTimeout(() => setTimeout(say, 3, "then"), 5);
    const every = setInterval(() => {
        say("every");
        if (log.filter(([word]) => word == "every").length == 2) clearInterval(every);
    }, 9);
    clearTimeout(setTimeout(say, 1, "never"));
    requestAnimationFrame(() => say("frame"));
    setTimeout(() => log.push(["event", Math.round(new Event("press").timeStamp - since)]), 27);
}"""


class Scripted:
    """A stage on which a square of 40 px moves while a finger is down, and a caret blinks every third slot."""

    def __init__(self):
        self.slot, self.place = 0, 0

    def actor(self, gesture):
        return lambda slot: setattr(self, "place", self.place + 40 * (0 <= slot < gesture[1]))

    def pass_slots(self, count, do=None):
        for slot in range(count):
            if do:
                do(slot)
            self.slot += 1

    def picture(self):
        page = np.full((100, 400, 3), 255, np.uint8)
        page[10:50, self.place % 400 : self.place % 400 + 40] = 0
        page[60:80, 10:13] = 0 if self.slot // 3 % 2 else 255
        return cv2.imencode(".png", page)[1].tobytes()


def told(**kwargs):
    return {"scene": "moves", "gesture": ["tap", 2], "before": [], "seconds": 0.5, "caret": True} | kwargs


def test_what_moves_after_the_action_is_the_answer_and_a_caret_is_not():
    take = film(Scripted(), told(), Look(False, False, 0, 6))
    assert take.action_ms == pytest.approx(5.5 * SLOT_MS)
    assert take.strict_ms == pytest.approx([6 * SLOT_MS, 7 * SLOT_MS])
    assert take.visible_ms == pytest.approx(take.strict_ms)
    assert len(take.times_ms) > 8, "the caret is filmed all the same"


def test_where_nothing_but_a_caret_changes_nothing_answers():
    with pytest.raises(filming.NothingShownError, match="nothing answers"):
        film(Scripted(), told(gesture=["tap", 0]), Look(False, False, 0, 6))


def test_a_caret_counts_where_none_is_told_of():
    take = film(Scripted(), told(caret=False), Look(False, False, 0, 6))
    assert len(take.strict_ms) > 2


@pytest.mark.parametrize(("rows", "columns", "caret"), [(40, 3, True), (40, 12, False), (80, 3, False)])
def test_a_caret_is_narrow_and_no_higher_than_a_line(rows, columns, caret):
    difference = np.zeros((200, 200), int)
    difference[20 : 20 + rows, 50 : 50 + columns] = 90
    assert is_caret(difference) is caret


def test_the_tables_are_those_that_the_other_benchmarks_read(tmp_path, monkeypatch):
    class Browsers:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def __getattr__(self, name):
            return lambda *_, **__: self

        chromium = property(lambda self: self)

    monkeypatch.setattr(command, "sync_playwright", Browsers)
    monkeypatch.setattr(command, "find_browser", lambda: None)
    monkeypatch.setattr(command, "on_stage", lambda *_: Browsers())
    png = [cv2.imencode(".png", np.full((64, 64, 3), grey, np.uint8))[1].tobytes() for grey in (10, 200)]
    about = {"action": 40.0, "outcome": "ok", "settles": 1, "type": "tap"}
    monkeypatch.setattr(command, "film", lambda *_: Take([0.0, 50.0], png, [50.0], [50.0], 0.1, about))
    interaction = json.loads(json.dumps({"scene": "dialog", **Interaction("open", tap(10, 20)).__dict__}))
    rows = command._filmed(tmp_path, "", 1, interaction)
    assert (tmp_path / rows["truth.csv"]["video"]).is_file()
    assert (rows["truth.csv"]["response_ms"], rows["truth.csv"]["action_ms"]) == (10.0, 40.0)
    assert (rows["runs.csv"]["x"], rows["runs.csv"]["y"]) == (15.0, 30.0)
    joined = pd.DataFrame([rows["runs.csv"]]).merge(pd.DataFrame([rows["truth.csv"]]), on="video")
    needed = {"action_ms", "interaction", "interaction_type", "capture", "settles", "x", "y", "finish_ms"}
    assert needed <= set(joined.columns), "no column comes from both"


def test_what_does_not_answer_is_named_and_the_others_are_filmed(tmp_path, monkeypatch, capsys):
    def filmed(out, address, seed, told):
        if told["name"] == "off":
            raise filming.NothingShownError("nothing answers where the finger is")
        return {"truth.csv": {"video": f"videos/{told['name']}.mp4", "action_ms": 1.0}}

    class Told:
        @staticmethod
        def get(address):
            return Told

        @staticmethod
        def json():
            return [{"scene": "switches", "name": name} for name in ("off", "on", "over")]

    monkeypatch.setattr(command, "httpx", Told)
    monkeypatch.setattr(command, "_environment", lambda cache: None)
    monkeypatch.setattr(command, "_served", lambda python: nullcontext("http://app"))
    monkeypatch.setattr(command, "_filmed", filmed)
    assert command.main([str(tmp_path), "--only", "switches-o"]) == 1
    assert pd.read_csv(tmp_path / "truth.csv")["video"].tolist() == ["videos/on.mp4", "videos/over.mp4"]
    assert "switches-off: nothing answers" in capsys.readouterr().err
    assert command.main([str(tmp_path), "--only", "over"]) == 0
    with pytest.raises(SystemExit):
        command.main([str(tmp_path), "--only", "nobody"])
    assert "nobody" in capsys.readouterr().err


@pytest.mark.parametrize("opens_after", [3, 10**6])
def test_the_clock_is_taken_once_a_page_that_is_not_empty_rests(monkeypatch, opens_after):
    class Browser:
        """A page, what it stands in, and a session of it."""

        context = property(lambda self: self)
        looks = 0

        def new_cdp_session(self, page):
            return self

        def send(self, *_):
            self.looks += 1
            page = np.full((40, 40, 3), 255, np.uint8)
            page[:20] = 0 if self.looks > opens_after else 255
            return {"data": base64.b64encode(cv2.imencode(".png", page)[1].tobytes())}

        def evaluate(self, script):
            asked.append((script, self.looks))

    asked = []
    monkeypatch.setattr(filming.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(filming, "SETTLES", 0)
    if opens_after > 10:
        with pytest.raises(filming.NothingShownError, match="shows nothing"):
            filming.Stage(Browser(), "", "")
    else:
        filming.Stage(Browser(), "", "")
    assert asked == ([("takeClock()", opens_after + filming.STILL)] if opens_after <= 10 else [])


def test_a_seed_draws_the_same_looks_and_another_one_others():
    assert Look.drawn("dialog-open", 1) == Look.drawn("dialog-open", 1)
    assert len({Look.drawn("dialog-open", seed) for seed in range(8)}) > 4


@pytest.mark.browser
def test_time_passes_in_ticks_alone_and_timers_come_in_their_order():
    with ThreadPoolExecutor(1) as apart:  # from the browser that other tests of this process keep open
        before, log = apart.submit(_logged).result()
    assert before == []
    assert log == [
        ["soon", 5],
        ["then", 8],
        ["every", 9],
        ["frame", 10],
        ["every", 18],
        ["late", 25],
        ["event", 27],
    ]


def _logged():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = browser.new_page()
        page.add_init_script(path=CLOCK)
        page.goto("data:text/html,<p>")
        page.evaluate("takeClock()")
        page.evaluate(TIMERS)
        page.wait_for_timeout(60)
        before = page.evaluate("log")
        for _ in range(3):
            page.evaluate("tick(10)")
        log = page.evaluate("log")
        browser.close()
    return before, log
