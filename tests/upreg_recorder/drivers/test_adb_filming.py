"""Films of a model phone: when the action was, by each way that a device may tell it, and what goes wrong."""

import struct
import threading
from dataclasses import replace

import av
import numpy as np
import pytest

from upreg_recorder.drivers.adb import winscope
from upreg_recorder.failures import DeviceGoneError, SettledTrialError, TrialError
from upreg_recorder.plans.model import Step, Target

from .adb_desk import LAUNCH, SWIPE, TAP, TYPE, a_desk, an_app, truth_ms
from .fake_adb import Phone
from .fake_adb.film import ANSWER_MS

FRAME_MS = 1000 / 60
SLACK_MS = 0.02  # the film's timescale


@pytest.fixture
def desk(tmp_path):
    with a_desk(tmp_path / "cache") as desk:
        yield desk


@pytest.fixture
def phone(desk):
    return desk.phone


def filmed(desk, into, interaction=TAP, app=None, **settings):
    app = app or an_app()
    with desk.ready(interaction, app, **settings) as driver:
        return driver.film(app, interaction, into / "film")


def seen_ms(path):
    """The instant at which the app's answer is on the screen, in the pixels of the film."""
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            grey = frame.to_ndarray(format="gray")
            if np.mean(grey[grey.shape[0] // 2]) > 120:
                return frame.time * 1000
    raise AssertionError("the film does not show the answer")


class TestInstantOfTheAction:
    def test_of_a_tap_is_that_of_its_event(self, desk, phone, tmp_path):
        take = filmed(desk, tmp_path)

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)
        assert take.uncertain_ms <= 3.0
        assert "carries" in take.clock
        assert "film's own stamps" in take.clock

    def test_leads_to_the_answer_in_the_pixels(self, desk, tmp_path):
        take = filmed(desk, tmp_path)

        latency = seen_ms(take.video) - take.action_ms
        assert ANSWER_MS - 3.0 <= latency <= ANSWER_MS + FRAME_MS + 3.0

    @pytest.mark.parametrize("tracks", [("old",), ("old", "new"), ("first",)])
    def test_is_found_with_each_form_of_the_stamps(self, desk, phone, tmp_path, tracks):
        phone.tracks = tracks

        take = filmed(desk, tmp_path)

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)
        assert take.uncertain_ms <= 5.0

    @pytest.mark.parametrize("slept_ms", [0.0, 7_000_000.0])
    def test_does_not_depend_on_how_long_the_device_slept(self, desk, phone, tmp_path, slept_ms):
        phone.started_s -= slept_ms / 1000
        phone.slept_ms = slept_ms

        take = filmed(desk, tmp_path)

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)

    @pytest.mark.parametrize("ahead_ms", [-3_600_000.0, 90_000.0])
    def test_does_not_depend_on_the_clock_of_the_host(self, desk, phone, tmp_path, ahead_ms):
        phone.ahead_ms = ahead_ms

        take = filmed(desk, tmp_path)

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)
        side = "ahead of" if ahead_ms > 0 else "behind"
        assert any(f"s {side} the host's" in note for note in take.notes)

    def test_is_known_by_ages_where_the_build_hides_the_events(self, desk, phone, tmp_path):
        phone.tells_events = False

        take = filmed(desk, tmp_path, accept_ms=40)

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)
        assert 3.0 < take.uncertain_ms < 25.0
        assert "age" in take.clock

    def test_is_known_from_the_trace_where_the_build_hides_the_events(self, desk, phone, tmp_path):
        phone.tells_events = False

        take = filmed(desk, tmp_path, trace_input=True)

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)
        assert take.uncertain_ms <= 3.0
        assert "trace" in take.clock

    def test_is_left_open_where_nothing_tells_it_to_a_frame(self, desk, phone, tmp_path):
        phone.tracks = ()

        take = filmed(desk, tmp_path)

        assert take.action_ms is None
        assert take.action_from == "any"
        assert any("too far apart" in note for note in take.notes)
        assert any("does not say when its frames" in note for note in take.notes)

    def test_without_stamps_lies_where_it_is_said_to(self, desk, phone, tmp_path):
        phone.tracks = ()

        take = filmed(desk, tmp_path, accept_ms=1000)

        assert abs(take.action_ms - truth_ms(phone)) <= take.uncertain_ms
        assert take.uncertain_ms > FRAME_MS

    def test_is_left_to_the_dot_where_dots_are_shown(self, desk, phone, tmp_path):
        phone.tracks = ()

        take = filmed(desk, tmp_path, show_touches=True)

        assert (take.action_ms, take.action_from, take.show_touches) == (None, "dot", True)

    @pytest.mark.parametrize("launch_with", ["am", "monkey"])
    def test_of_a_launch_is_that_of_the_systems_note(self, desk, phone, tmp_path, launch_with):
        take = filmed(desk, tmp_path, LAUNCH, an_app(launch_with=launch_with))

        assert take.action_ms == pytest.approx(
            phone.starts_ms[-1] - phone.first_frames_ms[-1], abs=take.uncertain_ms
        )
        assert take.uncertain_ms <= 8.0
        assert (take.x, take.y) == (None, None)

    @pytest.mark.parametrize("tells", [True, False])
    def test_of_a_swipe_is_reckoned_back_from_its_end(self, desk, phone, tmp_path, tells):
        phone.tells_events = tells

        take = filmed(desk, tmp_path, SWIPE, accept_ms=60)

        assert abs(take.action_ms - truth_ms(phone)) <= take.uncertain_ms
        assert take.uncertain_ms < (15.0 if tells else 40.0)

    def test_of_typing_is_the_first_key(self, desk, phone, tmp_path):
        take = filmed(desk, tmp_path, replace(TYPE, action=replace(TYPE.action, text="hey")))

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)
        assert phone.typed == ["hey"]

    def test_of_long_typing_is_left_open(self, desk, phone, tmp_path):
        take = filmed(desk, tmp_path, replace(TYPE, action=replace(TYPE.action, text="a long sentence")))

        assert take.action_ms is None

    def test_of_a_drawing_is_its_first_touch(self, desk, phone, tmp_path):
        action = Step("draw", path=((0.2, 0.2), (0.5, 0.5), (0.8, 0.2)), line=5)

        take = filmed(desk, tmp_path, replace(TAP, action=action, type="draw"))

        assert take.action_ms == pytest.approx(truth_ms(phone), abs=take.uncertain_ms + SLACK_MS)


class TestFilm:
    def test_goes_on_to_the_end_of_a_still_screen(self, desk, phone, tmp_path):
        phone.blinks = False

        take = filmed(desk, tmp_path)

        with av.open(str(take.video)) as container:
            stream = container.streams.video[0]
            frames = [frame.time * 1000 for frame in container.decode(stream)]
            length_ms = float(stream.duration * stream.time_base) * 1000
        assert len(frames) == 2
        assert length_ms >= take.action_ms + TAP.watch_ms
        assert seen_ms(take.video) - take.action_ms == pytest.approx(ANSWER_MS, abs=FRAME_MS + 3)

    def test_that_shows_no_change_says_so(self, desk, phone, tmp_path):
        phone.blinks, phone.answer_ms = False, 1e9

        take = filmed(desk, tmp_path)

        assert any("no change" in note for note in take.notes)

    def test_of_another_size_has_the_finger_in_its_own_pixels(self, desk, phone, tmp_path):
        phone.size = (540, 1200)

        take = filmed(desk, tmp_path, size="270x600")

        assert phone.taps[-1] == (135.0, 120.0)
        assert (take.x, take.y) == (67.5, 60.0)

    def test_leaves_nothing_on_the_device(self, desk, phone, tmp_path):
        before = set(phone.files)
        with desk.ready() as driver:
            driver.film(an_app(), TAP, tmp_path / "film")
            driver.gather(tmp_path / "film")

        assert set(phone.files) == before
        assert not phone.processes

    def test_has_log_and_trace_beside_it_taken_after_it(self, desk, phone, tmp_path):
        phone.log.append(("main", phone.real_ms - 9_000, "I Old: before"))
        with desk.ready(LAUNCH) as driver:
            driver.film(an_app(), LAUNCH, tmp_path / "film")
            beside = driver.gather(tmp_path / "film")

        assert "START u0" in beside.log.read_text()
        assert "Old" not in beside.log.read_text()
        assert b"linux.process_stats" in beside.trace.read_bytes()
        order = [
            next(n for n, said in enumerate(phone.commands) if word in said) for word in ("kill -INT", "logcat -d")
        ]
        assert order == sorted(order)

    def test_without_perfetto_is_a_film_with_a_note(self, desk, phone, tmp_path):
        phone.has_perfetto = False
        with desk.ready() as driver:
            take = driver.film(an_app(), TAP, tmp_path / "film")
            beside = driver.gather(tmp_path / "film")

        assert beside.trace is None
        assert any("perfetto does not start" in note for note in take.notes)

    def test_whose_trace_cannot_be_fetched_is_a_film_with_a_note(self, desk, phone, tmp_path, monkeypatch):
        read = phone.read
        monkeypatch.setattr(phone, "read", lambda path: None if "perfetto" in path else read(path))
        with desk.ready() as driver:
            take = driver.film(an_app(), TAP, tmp_path / "film")
            beside = driver.gather(tmp_path / "film")

        assert beside.trace is None
        assert any("no trace" in note for note in take.notes)
        assert not list(tmp_path.glob("*.perfetto-trace"))

    @pytest.mark.parametrize("asked", [True, False])
    def test_is_traced_only_if_asked(self, desk, phone, tmp_path, asked):
        filmed(desk, tmp_path, trace=asked)

        assert any("perfetto --background" in said for said in phone.commands) is asked


class TestWhatGoesWrong:
    def test_recorder_that_breaks_off(self, desk, phone, tmp_path):
        phone.breaks_off = True

        with pytest.raises(TrialError, match=r"screenrecord .*Encoder failed"):
            filmed(desk, tmp_path)
        assert not list(tmp_path.glob("film*"))

    def test_recorder_that_writes_nothing(self, desk, phone, tmp_path):
        phone.writes_nothing = True

        with pytest.raises(TrialError, match="screenrecord writes nothing"):
            filmed(desk, tmp_path)
        assert not phone.processes

    def test_device_that_became_full(self, desk, phone, tmp_path):
        with desk.ready() as driver:
            phone.full = True
            with pytest.raises(TrialError, match="No space left"):
                driver.film(an_app(), TAP, tmp_path / "film")

    def test_film_longer_than_screenrecord_can(self, desk, tmp_path):
        with pytest.raises(SettledTrialError, match="180 s at most"):
            filmed(desk, tmp_path, replace(TAP, watch_ms=170_000))

    def test_film_that_is_damaged(self, desk, phone, tmp_path, monkeypatch):
        monkeypatch.setattr(
            "tests.upreg_recorder.drivers.fake_adb.film.with_tracks", lambda mp4, tracks: mp4[:-200]
        )

        with pytest.raises(TrialError, match="film cannot be read"):
            filmed(desk, tmp_path)
        assert not list(tmp_path.glob("film*"))

    def test_app_that_crashes(self, desk, phone, tmp_path):
        phone.crash = "java.lang.IllegalStateException,no database,Store.java,12"

        with pytest.raises(TrialError, match=r"line 9: .*com\.example\.mail crashed .*no database"):
            filmed(desk, tmp_path, LAUNCH)
        assert not list(tmp_path.glob("film*"))

    def test_app_that_asks_for_a_permission(self, desk, phone, tmp_path):
        with desk.ready() as driver:
            phone.focus = "com.google.android.permissioncontroller/.permission.ui.GrantPermissionsActivity"
            with pytest.raises(TrialError, match="asks for a permission"):
                driver.film(an_app(), TAP, tmp_path / "film")

    def test_app_that_cannot_be_started(self, desk, phone, tmp_path):
        with desk.ready(LAUNCH) as driver:
            phone.fails["^am start"] = "Error: Activity class {com.example.mail/.No} does not exist."
            with pytest.raises(TrialError, match=r"line 9: launch failed: Error: Activity class .* does not exist"):
                driver.film(an_app(activity=".No"), LAUNCH, tmp_path / "film")

    def test_clock_that_is_set_meanwhile(self, desk, phone, tmp_path, monkeypatch):
        begin = phone.begin_film

        def begin_film(*args):
            phone.ahead_ms += 250
            return begin(*args)

        monkeypatch.setattr(phone, "begin_film", begin_film)
        with pytest.raises(TrialError, match="clock was set"):
            filmed(desk, tmp_path)

    def test_clock_that_drifted_since_it_was_opened_is_noted(self, desk, phone, tmp_path):
        with desk.ready() as driver:
            phone.ahead_ms += 400
            take = driver.film(an_app(), TAP, tmp_path / "film")

        assert any("drifted apart by -400 ms" in note for note in take.notes)

    @pytest.mark.parametrize("moment", ["perfetto", "screenrecord", "input tap", "kill -INT", "dumpsys input"])
    def test_device_that_vanishes_mid_film(self, desk, phone, tmp_path, moment):
        with desk.ready() as driver:
            phone.gone_at = moment
            with pytest.raises(DeviceGoneError):
                driver.film(an_app(), TAP, tmp_path / "film")
        assert not list(tmp_path.glob("film*"))

    def test_device_that_comes_again_has_nothing_left_of_a_film(self, desk, phone, tmp_path):
        before = set(phone.files)
        with desk.ready() as driver:
            phone.gone_at = "input tap"
            with pytest.raises(DeviceGoneError):
                driver.film(an_app(), TAP, tmp_path / "film")
        assert set(phone.files) != before

        phone.state, phone.gone_at = "device", ""
        desk.open().close()

        assert set(phone.files) == before

    def test_one_of_two_devices_vanishes_and_the_other_goes_on(self, tmp_path):
        results = {}

        def run(name, gone_at):
            with a_desk(tmp_path / name, Phone(name)) as desk, desk.ready() as driver:
                desk.phone.gone_at = gone_at
                try:
                    results[name] = driver.film(an_app(), TAP, tmp_path / name)
                except DeviceGoneError as error:
                    results[name] = error

        threads = [threading.Thread(target=run, args=each) for each in (("ONE", "input tap"), ("TWO", ""))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert isinstance(results["ONE"], DeviceGoneError)
        assert "ONE" in str(results["ONE"])
        assert results["TWO"].action_ms is not None


class TestStampsOfAFilm:
    VIDEO = (0.0, 100.0, 250.0)

    def read(self, *tracks):
        return winscope._stamps(list(tracks), list(self.VIDEO))

    def new(self, *times, version=2):
        return winscope.NEW + struct.pack(f"<IqI{len(times)}Q", version, 5, len(times), *times)

    def test_newer_goes_before_older(self):
        old = winscope.OLD + struct.pack("<I3Q", 3, 1_000, 101_000, 251_000)

        stamps, note = self.read(old, self.new(7_000_000, 107_000_000, 257_000_000))

        assert (stamps.first_ms, stamps.monotonic, note) == (7.0, False, "")

    @pytest.mark.parametrize(
        "wrong",
        [
            "two frames",
            "other times",
            "a cut",
            "an unknown version",
            "a number that is too large",
            "a head alone",
        ],
    )
    def test_that_do_not_fit_are_not_used(self, wrong):
        whole = self.new(7_000_000, 107_000_000, 257_000_000)
        data = {
            "two frames": self.new(7_000_000, 107_000_000),
            "other times": self.new(7_000_000, 117_000_000, 257_000_000),
            "a cut": whole[:-3],
            "an unknown version": self.new(7_000_000, 107_000_000, 257_000_000, version=3),
            "a number that is too large": winscope.NEW + struct.pack("<IqI", 2, 0, 2**31),
            "a head alone": winscope.NEW,
        }[wrong]

        stamps, note = self.read(data)

        assert stamps is None
        assert "does not fit" in note


def test_target_in_a_film_by_place(desk, phone, tmp_path):
    take = filmed(desk, tmp_path, replace(TAP, action=Step("tap", Target(at=(0.25, 0.5)), line=4)))

    assert (take.x, take.y) == (67.5, 300.0)
