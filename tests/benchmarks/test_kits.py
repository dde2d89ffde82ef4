"""Films of kits for the web: whose clock it is, where a finger finds something, and what the tables say.

The kits themselves are fetched by the benchmark alone; here pages of a few lines take their place.
"""

import json
import os
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path

import cv2
import httpx
import numpy as np
import pandas as pd
import pytest

from benchmarks.flutter.filming import Look, NothingShownError
from benchmarks.kits import __main__ as command
from benchmarks.kits import browser, filming
from benchmarks.kits.browser import NEEDED, Browser, BrowserError, Page, find_shell, opened
from benchmarks.kits.serving import served
from benchmarks.phones.filming import Take, decoded
from upreg_recorder.failures import RecorderError

SHELL = find_shell()
needs_shell = pytest.mark.skipif(SHELL is None, reason=NEEDED)
COMMON = Path("benchmarks/kits/apps/common.js")
MOVES = """<!doctype html><meta name="viewport" content="width=device-width"><style>
body { margin: 0; background: #fff } #box { width: 90px; height: 90px; background: #000;
    transition: transform 200ms linear }
.away { transform: translateX(200px) }</style><div id="box"></div><script src="/apps/common.js"></script><script>
const box = document.querySelector("#box");
window.log = [];
box.addEventListener("click", () => box.classList.add("away"));
box.addEventListener("touchmove", (event) => log.push(Math.round(event.touches[0].clientX)));
scene("box", () => {}, ["tap", tap("#box")], ["drag", swipe("#box", 60, 0, 50), { seconds: 1 }]);
</script>"""


class Answers:
    """What says, over a pipe, what a browser would say."""

    def __init__(self, *messages):
        self.says, end = os.pipe()
        for message in messages:
            os.write(end, json.dumps(message).encode() + b"\0")
        self.asked, hears = os.pipe()
        self.browser = Browser(self.says, hears)
        os.close(end)


def test_an_answer_is_told_from_what_happens_meanwhile_and_from_other_answers():
    told = Answers({"method": "Page.shown"}, {"id": 2, "result": {"b": 2}}, {"id": 1, "result": {"a": 1}})
    told.browser.post("Two.asked")
    assert told.browser.send("One.asked", "s", x=3) == {"b": 2}
    told.browser.wait_for("Page.shown")
    sent = [json.loads(one) for one in os.read(told.asked, 1000).split(b"\0")[:-1]]
    assert sent[1] == {"id": 2, "method": "One.asked", "params": {"x": 3}, "sessionId": "s"}


def test_what_a_browser_refuses_is_named():
    told = Answers({"id": 1, "error": {"message": "no such page"}})
    with pytest.raises(BrowserError, match=r"Page\.go: no such page"):
        told.browser.send("Page.go")


def test_a_browser_that_has_ended_or_says_nothing_is_not_waited_for(monkeypatch):
    with pytest.raises(BrowserError, match="ended"):
        Answers().browser.send("Page.go")
    monkeypatch.setattr(browser, "ANSWERS_S", 0.01)
    silent, _held = os.pipe()
    with pytest.raises(BrowserError, match="said nothing"):
        Browser(silent, _held).wait_for("Page.shown")


def test_a_browser_that_has_ended_hears_nothing():
    told = Answers()
    os.close(told.asked)
    with pytest.raises(BrowserError, match="ended"):
        told.browser.post("Page.go")


def test_the_pipe_ends_at_numbers_3_and_4_whatever_numbers_were_free(tmp_path):
    taken = [os.open(os.devnull, os.O_RDONLY) for _ in range(12)]  # so that the ends have two digits
    script = '#!/bin/sh\nread -r line <&3\nprintf \'{"id": 1, "result": {"got": "it"}}\\000\' >&4\nexec sleep 20\n'
    told = tmp_path / "chromium"
    told.write_text(script)
    told.chmod(0o755)
    with opened(str(told), 1.0) as started:
        os.write(started._hears, b"\n")
        assert started.send("Page.go") == {"got": "it"}
    for each in taken:
        os.close(each)


def test_only_what_lies_in_the_folders_is_served(tmp_path):
    (tmp_path / "secret.txt").write_text("no")
    inside = tmp_path / "kit"
    inside.mkdir()
    (inside / "kit.js").write_text("yes")
    with served({"@kit/core": inside}) as address:
        assert httpx.get(f"{address}/@kit/core/kit.js?dark=1").text == "yes"
        for path in ("@kit/core/none.js", "other/kit.js", "@kit/core/%2e%2e/secret.txt", "kit.js"):
            assert httpx.get(f"{address}/{path}").status_code == 404, path


@contextmanager
def page_of(html, folder):
    (folder / "moves.html").write_text(html)
    with served({"apps": COMMON.parent, "own": folder}) as address, opened(SHELL, 1.5) as started:
        yield Page(started, 360, 780, 1.5), f"{address}/own/moves.html"


@pytest.mark.browser
@needs_shell
def test_an_animation_passes_in_ticks_alone_and_a_finger_acts_at_the_time_of_the_page(tmp_path):
    with page_of(MOVES, tmp_path) as (page, address):
        stage = filming.Stage(page, address)
        assert [one["name"] for one in stage.interactions()] == ["tap", "drag"]
        assert stage.interactions()[0] == {
            "scene": "box",
            "name": "tap",
            "gesture": ["tap", "#box", 0.5, 0.5],
            "before": [],
            "seconds": 2.6,
            "caret": False,
        }
        left = [int(np.flatnonzero(decoded(stage.picture())[45, :, 0] < 128)[0])]
        act = stage.actor(["tap", "#box", 0.5, 0.5])
        assert stage.pressed == (67.5, 67.5), "in px of the film"
        for slot in range(24):
            stage.pass_slots(1, lambda _, at=slot: act(at))
            left.append(int(np.flatnonzero(decoded(stage.picture())[45, :, 0] < 128)[0]))
    assert (left[0], left[-1]) == (0, 300)
    steps = np.diff(left)
    moving = np.flatnonzero(steps)
    assert len(moving) in (12, 13), "200 ms are 12 slots"
    assert np.ptp(moving) == len(moving) - 1
    assert (np.abs(steps[moving[1:-1]] - 25) <= 1).all(), "300 px in 12 slots, at an even pace"


@pytest.mark.browser
@needs_shell
def test_a_finger_that_moves_is_followed_by_the_page_and_scrolls_nothing(tmp_path):
    with page_of(MOVES, tmp_path) as (page, address):
        stage = filming.Stage(page, address)
        act = stage.actor(["swipe", "#box", 60.0, 0.0, 50.0])
        for slot in range(12):
            stage.pass_slots(1, lambda _, at=slot: act(at))
        assert page.evaluate("log")[-1] == 105
        assert page.evaluate("getComputedStyle(box).touchAction") == "none"
        with pytest.raises(BrowserError, match=r"nothing is seen that is \.gone"):
            stage.place(".gone")


@pytest.mark.browser
@needs_shell
def test_an_element_is_found_in_a_shadow_tree_and_by_its_place_among_those_seen(tmp_path):
    html = """<!doctype html><meta name="viewport" content="width=device-width"><style>body { margin: 0 }</style>
    <p class="a" style="display: none">.</p><p class="a" style="margin: 0; height: 20px">.</p>
    <p class="a" style="margin: 0; height: 40px; width: 100px">.</p>
    <div id="host"></div><script src="/apps/common.js"></script><script>
    const inside = document.querySelector("#host").attachShadow({ mode: "open" });
    inside.innerHTML = "<b style='display: block; height: 10px; width: 80px'></b>";
    </script>"""
    with page_of(html, tmp_path) as (page, address):
        stage = filming.Stage(page, address)
        assert stage.place(".a", 0.0, 0.5) == (0.0, 10.0)
        assert stage.place(".a:at(1)") == (50.0, 40.0)
        assert stage.place("#host >> b", 0.25, 1.0) == (20.0, 70.0)
        stage.actor(["swipe", "#host >> b", 1.0, 0.0, 50.0])
        assert page.evaluate("getComputedStyle(find('#host >> b')).touchAction") == "none"


@pytest.mark.browser
@needs_shell
def test_a_page_that_never_opens_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(filming, "OPENS", 3)
    with (
        page_of("<!doctype html><p>nothing", tmp_path) as (page, address),
        pytest.raises(NothingShownError, match="not opened within 3 slots"),
    ):
        filming.Stage(page, address)


def test_the_tables_are_those_that_the_other_benchmarks_read(tmp_path, monkeypatch):
    class Stage:
        pressed = (15.0, 30.0)

    asked = []
    monkeypatch.setattr(command, "on_stage", lambda *given: asked.append(given) or nullcontext(Stage))
    png = [cv2.imencode(".png", np.full((64, 64, 3), grey, np.uint8))[1].tobytes() for grey in (10, 200)]
    about = {"action": 40.0, "outcome": "ok", "settles": 1, "type": "tap"}
    monkeypatch.setattr(command, "film", lambda *_: Take([0.0, 50.0], png, [50.0], [50.0], 0.1, about))
    told = {"kit": "vant", "scene": "rows", "name": "swipe", "gesture": ["tap", ".a", 0.5, 0.5]}
    rows = command.filmed(tmp_path, "chromium", "http://here", 1, told)
    assert asked == [("chromium", "http://here/apps/vant.html", Look.drawn("vant-rows-swipe", 1), "rows")]
    assert (tmp_path / rows["truth.csv"]["video"]).is_file()
    assert (rows["truth.csv"]["response_ms"], rows["truth.csv"]["class"]) == (10.0, "vant")
    assert (rows["runs.csv"]["x"], rows["runs.csv"]["y"]) == (15.0, 30.0)
    typed = command.filmed(tmp_path, "chromium", "http://here", 1, told | {"gesture": ["key", "a"]})
    assert typed["runs.csv"]["x"] is None, "a key is pressed beside the screen"


def test_what_does_not_answer_is_named_and_the_others_are_filmed(tmp_path, monkeypatch, capsys):
    def filmed(out, executable, address, seed, told):
        if told["name"] == "off":
            raise BrowserError("Chromium has ended")
        return {"truth.csv": {"video": f"videos/{told['name']}.mp4", "action_ms": 1.0}}

    names = {"vant": ("off", "on"), "ionic": ("over",)}
    monkeypatch.setattr(command, "find_shell", lambda: "chromium")
    monkeypatch.setattr(command.npm, "fetch", lambda package, cache: cache)
    monkeypatch.setattr(
        command,
        "interactions",
        lambda executable, address, kit: [
            {"kit": kit, "scene": "switches", "name": one} for one in names.get(kit, ())
        ],
    )
    monkeypatch.setattr(command, "filmed", filmed)
    before = threading.active_count()
    assert command.main([str(tmp_path), "--cache", str(tmp_path), "--only", "switches-o"]) == 1
    assert pd.read_csv(tmp_path / "truth.csv")["video"].tolist() == ["videos/over.mp4", "videos/on.mp4"]
    assert "vant-switches-off: Chromium has ended" in capsys.readouterr().err
    assert command.main([str(tmp_path), "--cache", str(tmp_path), "--only", "ionic"]) == 0
    with pytest.raises(SystemExit):
        command.main([str(tmp_path), "--cache", str(tmp_path), "--only", "nobody"])
    assert "nobody" in capsys.readouterr().err
    assert threading.active_count() == before, "nothing is served any more"

    def missing(package, cache):
        raise RecorderError("npm is not installed: install Node.js with npm")

    monkeypatch.setattr(command.npm, "fetch", missing)
    with pytest.raises(SystemExit, match="npm is not installed"):
        command.main([str(tmp_path)])
    monkeypatch.setattr(command, "find_shell", lambda: None)
    with pytest.raises(SystemExit, match="Chromium"):
        command.main([str(tmp_path)])


def test_every_package_is_an_exact_version_that_a_page_asks_for():
    pages = "".join(path.read_text() for path in COMMON.parent.glob("*.html"))
    assert {name for name in command.PACKAGES if f'"/{name}/' in pages} == set(command.PACKAGES)
    for package in command.PACKAGES.values():
        command.npm.name_and_version(package)
    assert all((COMMON.parent / f"{kit}.html").is_file() for kit in command.KITS)


def test_a_shell_is_the_systems_else_the_newest_that_playwright_has(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert browser.find_shell() is None
    for number in (999, 1255):
        there = tmp_path / f"chromium_headless_shell-{number}" / "chrome-linux" / "headless_shell"
        there.parent.mkdir(parents=True)
        there.touch()
    assert browser.find_shell() == str(there)
    own = tmp_path / "chromium-headless-shell"
    own.touch(0o755)
    assert browser.find_shell() == str(own)
