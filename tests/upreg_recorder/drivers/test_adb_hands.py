"""Targets on the screen, and steps as commands of `input`."""

import os
import stat
import sys
from dataclasses import replace

import pytest

from upreg_recorder.drivers.adb import clocks, inputs, screen
from upreg_recorder.drivers.adb.clocks import Known, exactly
from upreg_recorder.failures import SettledTrialError, TrialError
from upreg_recorder.plans.model import Step, Target

from .adb_desk import TAP, a_desk, an_app

XML = b"""<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">
<node text="Inbox &amp; more" resource-id="com.example:id/inbox" package="p" bounds="[0,10][100,30]">
<node text="Inbox" resource-id="" content-desc="first" package="p" bounds="[10,10][20,20]" />
<node text="Inbox" resource-id="" content-desc="second" package="p" bounds="[30,10][40,20]" />
<node text="Gone" resource-id="" content-desc="" package="p" bounds="[0,0][0,0]" />
</node></hierarchy>"""


@pytest.fixture
def desk(tmp_path):
    with a_desk(tmp_path / "cache") as desk:
        yield desk


class TestScreen:
    @pytest.mark.parametrize(
        ("target", "middle"),
        [
            (Target(text="Inbox & more"), (50.0, 20.0)),
            (Target(text="Inbox"), (15.0, 15.0)),
            (Target(id="com.example:id/inbox"), (50.0, 20.0)),
            (Target(id="inbox"), (50.0, 20.0)),
            (Target(description="second"), (35.0, 15.0)),
        ],
    )
    def test_target_is_found(self, target, middle):
        assert screen.matching(screen.elements(XML), target).middle == middle

    @pytest.mark.parametrize("target", [Target(text="inbox"), Target(text="Gone"), Target(id="box"), Target()])
    def test_target_that_is_not_there_is_not(self, target):
        assert screen.matching(screen.elements(XML), target) is None

    @pytest.mark.parametrize(
        "bomb",
        [
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><hierarchy text="&b;"/>',
            b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><hierarchy/>',
            '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><h>&a;</h>'.encode("utf-16"),
        ],
    )
    def test_document_type_is_refused(self, bomb):
        with pytest.raises(TrialError, match="document type"):
            screen.elements(bomb)

    @pytest.mark.parametrize("cut", [b"", XML[:-20], b"ERROR: null root node"])
    def test_what_is_no_list_is_said(self, cut):
        with pytest.raises(TrialError, match="cannot be read"):
            screen.elements(cut)

    def test_screen_that_keeps_moving_is_said(self, desk):
        desk.phone.fails["uiautomator"] = "ERROR: could not get idle state."

        with desk.ready() as driver, pytest.raises(TrialError, match=r"keeps moving; aim at a place"):
            driver.do(TAP.action, an_app())


class TestInput:
    @pytest.mark.parametrize(
        ("text", "typed"),
        [("two words", ["two%swords"]), ("it's $5 & more;", ["it's%s$5%s&%smore;"]), ("50%sure", ["50%", "sure"])],
    )
    def test_text_arrives_as_it_is(self, desk, text, typed):
        with desk.ready() as driver:
            driver.do(Step("type", text=text, line=4), an_app())

        assert desk.phone.typed == typed

    @pytest.mark.parametrize("text", ["Zürich", "日本", "two\nlines", ""])
    def test_text_without_keys_is_refused_with_the_cure(self, desk, text):
        with desk.ready() as driver, pytest.raises(SettledTrialError, match=r"line 4: .*cannot type .*ASCII"):
            driver.do(Step("type", text=text, line=4), an_app())

    def test_drawing_on_an_old_android_is_refused(self, desk):
        desk.phone.fails["^input$"] = "Usage: input tap <x> <y>"
        step = Step("draw", path=((0.1, 0.1), (0.2, 0.2), (0.3, 0.1)), line=6)

        with desk.ready() as driver, pytest.raises(SettledTrialError, match=r"line 6: .*3 places: draw a straight"):
            driver.do(step, an_app())

    @pytest.mark.parametrize("by", [(0.0, 0.5), (0.0, -0.5), (0.3, 0.0), (0.0, 2.0)])
    def test_scroll_stays_inside_and_goes_as_far_as_asked(self, by):
        start, end = inputs.scroll_path((500.0, 50.0), by, (1000, 2000))

        assert all(0 < x < 1000 and 0 < y < 2000 for x, y in (start, end))
        for n, length in enumerate((1000, 2000)):
            most = length * (1 - 2 * inputs.EDGE)
            assert end[n] - start[n] == pytest.approx(max(-most, min(most, by[n] * length)))

    @pytest.mark.parametrize("step", [Step("tap", line=3), Step("swipe", path=((0.1, 0.1),), line=3)])
    def test_step_that_says_too_little_is_refused(self, desk, step):
        with desk.ready() as driver, pytest.raises(SettledTrialError, match=r"line 3: .* needs a"):
            driver.do(step, an_app())

    def test_crash_after_a_step_is_named(self, desk):
        desk.phone.crash = "java.lang.Exception,x"

        with (
            desk.ready() as driver,
            pytest.raises(TrialError, match=r"line 5: after launch: com.example.mail crashed"),
        ):
            driver.do(Step("launch", line=5), an_app())

    def test_wait_for_a_target_ends_when_it_comes(self, desk):
        late = desk.phone.elements.pop(0)
        with desk.ready() as driver:
            begin = desk.phone.clock.now_s
            driver.link.pace = replace(
                driver.link.pace, sleep=lambda s: (desk.phone.elements.append(late), desk.phone.clock.wait(s))
            )
            driver.do(Step("wait", Target(text="Inbox"), ms=30_000, line=2), an_app())

        assert desk.phone.clock.now_s - begin < 10


class TestScrcpy:
    PROGRAM = """#!{python}
import signal, sys, time
name = next(word[9:] for word in sys.argv if word.startswith("--record="))
open(name[:-4] + ".asked", "w").write(" ".join(sys.argv[1:]))
data = open({film!r}, "rb").read()
if {fails}:
    sys.exit("ERROR: Could not find any ADB device")
open(name, "wb").write(data[:40])
signal.signal(signal.SIGINT, lambda *_: (open(name, "wb").write(data), sys.exit(0)))
time.sleep(60)
"""

    @pytest.fixture
    def scrcpy(self, tmp_path, monkeypatch):
        from .fake_adb import film

        def put(fails=False):
            (tmp_path / "film.bin").write_bytes(film.render([0.0, 400.0, 900.0], [450.0], (270, 600)))
            program = tmp_path / "bin" / "scrcpy"
            program.parent.mkdir(exist_ok=True)
            text = self.PROGRAM.format(python=sys.executable, film=str(tmp_path / "film.bin"), fails=fails)
            program.write_text(text)
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

        return put

    @pytest.fixture
    def real_waits(self, desk, monkeypatch):
        import time

        wait = desk.phone.clock.wait
        monkeypatch.setattr(desk.phone.clock, "wait", lambda s: (wait(s), time.sleep(min(s, 0.02))))

    def test_films_and_leaves_the_instant_open(self, desk, scrcpy, real_waits, tmp_path):
        scrcpy()
        with desk.ready(recorder="scrcpy", bit_rate_mbps=8) as driver:
            take = driver.film(an_app(), TAP, tmp_path / "film")

        assert (take.action_ms, take.action_from) == (None, "any")
        assert take.video.stat().st_size
        asked = (tmp_path / "film.asked").read_text()
        assert f"--serial {desk.phone.serial}" in asked
        assert "--no-playback" in asked
        assert "--video-bit-rate=8000000" in asked

    def test_that_ends_at_once_is_said(self, desk, scrcpy, real_waits, tmp_path):
        scrcpy(fails=True)

        with (
            desk.ready(recorder="scrcpy") as driver,
            pytest.raises(TrialError, match="Could not find any ADB device"),
        ):
            driver.film(an_app(), TAP, tmp_path / "film")


class TestClocks:
    def test_sums_and_differences_keep_what_is_not_known(self):
        assert exactly(5, 1).plus(Known(1, 2)) == Known(5, 8)
        assert exactly(5, 1).minus(Known(1, 2)) == Known(2, 5)
        assert Known(2, 5).wider(1) == Known(1, 6)

    def test_uptime_in_steps_of_10_ms_is_read_to_a_turn_of_the_loop(self, desk):
        phone = desk.phone
        with desk.open() as driver:
            told = clocks.read_clocks(driver.link)

        assert told.from_real.low <= phone.boot_ms - phone.real_ms <= told.from_real.high
        assert told.from_real.within < 0.2
        assert told.from_monotonic.low <= phone.slept_ms <= told.from_monotonic.high

    def test_shell_that_tells_no_time_is_said(self, desk):
        desk.phone.fails["EPOCHREALTIME|upreg-ticks"] = ""

        with pytest.raises(TrialError, match="tells no time"):
            desk.open()

    @pytest.mark.parametrize(
        ("now", "said"),
        [(0.0, []), (60.0, []), (-2500.0, ["ahead of", "drifted"]), (9000.0, ["behind", "drifted"])],
    )
    def test_notes_tell_clocks_that_differ(self, now, said):
        notes = clocks.clock_notes(exactly(0.0, 5.0), exactly(now, 5.0))

        assert len(notes) == len(said)
        assert all(word in note for word, note in zip(said, notes, strict=True))
