"""The driver for OBS and a capture card, against a fake OBS that films a fake phone."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import av
import jsonschema
import pytest
from PIL import Image

from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.upreg_recorder.drivers.fake_hands import ANSWER_MS, FakeHands
from tests.upreg_recorder.drivers.fake_obs import FakeObs
from tests.upreg_recorder.drivers.obs_desk import APP, PASSWORD, PERIOD_MS, TAP, Opener, truth_ms
from upreg_recorder.drivers import obs
from upreg_recorder.drivers.contract import Take
from upreg_recorder.drivers.obs.marker import ROUNDED_MS
from upreg_recorder.failures import DeviceGoneError, TrialError
from upreg_recorder.plans.model import Step, Target


def times_of(video: Path) -> list[float]:
    with av.open(str(video)) as container:
        times = [float(frame.pts * frame.time_base * 1000) for frame in container.decode(video=0)]
    return [time - times[0] for time in times]


def options(take: Take, **more: object) -> MeasureOptions:
    xy = (take.x, take.y) if take.x is not None and take.y is not None else None
    return MeasureOptions(capture=take.capture, touch_xy=xy, show_touches=take.show_touches, **more)  # type: ignore[arg-type]


class TestContract:
    """What each driver of the recorder does."""

    def test_opens_and_says_facts_of_the_phone_and_of_the_film(self, opened: Opener) -> None:
        facts = opened().facts
        assert (facts.model, facts.os_build) == ("Pixel 1", "build 7")
        assert (facts.refresh_hz, facts.size) == (60.0, (180, 320))
        assert facts.more["obs"] == "29.0.2"
        assert facts.more["patch"] == "2026-11"

    def test_vitals_and_versions_come_from_the_phone(self, opened: Opener, tmp_path: Path) -> None:
        driver = opened()
        assert driver.vitals().temperature_c == 31.5
        assert driver.install(APP, None) == "7.0"
        assert driver.install(APP, tmp_path / "mail.apk") == "7.1 of mail.apk"

    def test_is_made_ready_twice_and_does_each_kind_of_step(self, opened: Opener, hands: FakeHands) -> None:
        driver = opened()
        driver.make_ready(APP, TAP)
        driver.make_ready(APP, TAP)
        kinds = ["launch", "tap", "swipe", "scroll", "type", "draw", "wait", "back", "home"]
        for kind in kinds:
            driver.do(Step(kind), APP)  # type: ignore[arg-type]
        assert hands.did == ["ready", "ready", *kinds]

    @pytest.mark.parametrize("filmed", [True, False])
    def test_names_an_element_that_is_not_found_with_its_line(
        self, opened: Opener, fake: FakeObs, filmed: bool, tmp_path: Path
    ) -> None:
        step = Step("tap", Target(text="nowhere"), line=31)
        driver = opened()
        with pytest.raises(TrialError, match="line 31: there is no text 'nowhere'"):
            driver.film(APP, replace(TAP, action=step), tmp_path / "x") if filmed else driver.do(step, APP)
        assert "StartRecord" not in fake.asked

    def test_films_the_lead_the_action_and_what_follows(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path
    ) -> None:
        driver = opened()
        driver.make_ready(APP, TAP)
        take = driver.film(APP, TAP, tmp_path / "mail.open 1")
        assert take.video == tmp_path / "mail.open 1.mkv"
        assert not list(fake.world.folder.iterdir())
        times = times_of(take.video)
        assert take.action_ms is not None
        assert take.action_ms >= TAP.lead_ms
        assert times[-1] - take.action_ms >= TAP.watch_ms - PERIOD_MS
        assert abs(take.action_ms - truth_ms(fake, hands)) <= take.uncertain_ms
        assert (take.capture, take.action_from, take.show_touches) == ("cfr60", "", False)
        assert (take.x, take.y) == (54.0, 224.0)

    def test_returns_the_phone_as_png_without_the_marker(self, opened: Opener) -> None:
        with Image.open(io.BytesIO(opened().picture())) as image:
            assert (image.format, image.size) == ("PNG", (180, 320))

    def test_gathers_obs_statistics_and_the_phones_log(self, opened: Opener, tmp_path: Path) -> None:
        driver = opened()
        driver.film(APP, TAP, tmp_path / "x")
        beside = driver.gather(tmp_path / "x")
        assert beside.log == tmp_path / "x.log"
        before, after, phone = beside.log.read_text().splitlines()
        assert json.loads(before.removeprefix("OBS before: "))["renderSkippedFrames"] == 20
        assert json.loads(after.removeprefix("OBS after: "))["outputSkippedFrames"] == 3
        assert phone.endswith("a line of the phone")
        assert sorted(path.name for path in tmp_path.glob("x*")) == ["x.log", "x.mkv"]

    def test_closes_twice_and_is_a_context_manager(self, opened: Opener, hands: FakeHands) -> None:
        with opened() as driver:
            pass
        driver.close()
        assert hands.did.count("closed") == 1

    @pytest.mark.parametrize("call", ["picture", "film", "make_ready", "vitals"])
    def test_an_obs_that_vanishes_is_a_device_that_is_gone(
        self, opened: Opener, fake: FakeObs, call: str, tmp_path: Path
    ) -> None:
        driver = opened()
        fake.vanish()
        calls: dict[str, Callable[[], object]] = {
            "picture": driver.picture,
            "vitals": driver.vitals,
            "film": lambda: driver.film(APP, TAP, tmp_path / "x"),
            "make_ready": lambda: driver.make_ready(APP, TAP),
        }
        with pytest.raises(DeviceGoneError, match="does not answer"):
            calls[call]()
        driver.close()


class TestClock:
    """The instant of the action on the film's clock, and what the server makes of it."""

    @pytest.mark.parametrize("shift_s", [0.0, 0.004, 0.008, 0.012])
    def test_action_is_known_wherever_it_falls_into_obs_beat(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path, shift_s: float
    ) -> None:
        fake.world.shift_s = shift_s
        take = opened().film(APP, TAP, tmp_path / "x")
        assert take.action_ms is not None
        assert abs(take.action_ms - truth_ms(fake, hands)) <= take.uncertain_ms
        assert "± 0.5 ms" in take.clock
        assert "without the delay of the capture card" in take.clock

    def test_delay_of_the_capture_card_is_added(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path
    ) -> None:
        fake.world.delay_s = 0.08
        take = opened(capture_delay_ms=80).film(APP, TAP, tmp_path / "x")
        assert take.action_ms is not None
        assert abs(take.action_ms - truth_ms(fake, hands)) <= take.uncertain_ms
        assert "80 ms later, the delay of the capture card" in take.clock

    def test_server_measures_the_response_from_the_action(self, opened: Opener, tmp_path: Path) -> None:
        take = opened().film(APP, TAP, tmp_path / "x")
        assert take.action_ms is not None
        measured = measure_screencast(take.video, options(take, action_ms=take.action_ms))
        assert measured.outcome == "ok"
        response = measured.metrics["response_time_ms"]
        assert response is not None
        assert ANSWER_MS - take.uncertain_ms <= response <= ANSWER_MS + take.uncertain_ms + PERIOD_MS + ROUNDED_MS

    @pytest.mark.parametrize("sign", ["flash", "dot"])
    def test_server_finds_the_sign_that_the_phone_shows(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path, sign: str
    ) -> None:
        hands.sign = sign
        take = opened(marker=sign).film(APP, TAP, tmp_path / "x")
        assert (take.action_ms, take.action_from, take.show_touches) == (None, sign, False)
        measured = measure_screencast(take.video, options(take, find_action=take.action_from))
        assert measured.outcome == "ok"
        found = measured.evidence["action"]["chosen"]
        assert found["kind"] == sign
        assert -ROUNDED_MS <= found["time_ms"] - truth_ms(fake, hands) <= take.uncertain_ms
        response = measured.metrics["response_time_ms"]
        assert response is not None
        assert abs(response - ANSWER_MS) <= PERIOD_MS + 2 * ROUNDED_MS


class TestRefusals:
    """What is refused when the device is opened, with the cure."""

    def test_wrong_password_is_told_by_the_name_of_its_variable(
        self, opened: Opener, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setenv("LAB_OBS", "not the password")
        with caplog.at_level(logging.DEBUG), pytest.raises(DeviceGoneError, match="LAB_OBS") as caught:
            opened()
        assert "not the password" not in str(caught.value) + caplog.text

    def test_missing_password_names_the_variable(self, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("LAB_OBS")
        with pytest.raises(DeviceGoneError, match=r"wants a password: put that of OBS into .* LAB_OBS"):
            opened()

    def test_right_password_is_in_no_log(self, opened: Opener, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.DEBUG):
            opened()
        assert PASSWORD not in caplog.text

    def test_no_obs_running(self, opened: Opener, fake: FakeObs) -> None:
        fake.vanish()
        with pytest.raises(DeviceGoneError, match=r"no OBS answers at 127\.0\.0\.1:.*WebSocket Server Settings"):
            opened()

    @pytest.mark.parametrize(
        ("otherwise", "words"),
        [
            ({"scene": "Stage"}, "no scene 'Stage': it has 'Empty', 'Lab'"),
            ({"scene": "Empty"}, "OBS shows the scene 'Lab': choose 'Empty'"),
            ({"source": "Card"}, "no source 'Card': it has 'Phone'"),
            ({"least_free_mb": 60_000}, "has 50000 MB left, less than 60000: make room"),
        ],
    )
    def test_obs_set_otherwise(self, opened: Opener, otherwise: dict[str, object], words: str) -> None:
        with pytest.raises(DeviceGoneError, match=words):
            opened(**otherwise)

    def test_hidden_source(self, opened: Opener, fake: FakeObs) -> None:
        fake.scenes["Lab"][0].shown = False
        with pytest.raises(DeviceGoneError, match="'Phone' is hidden"):
            opened()

    def test_films_that_obs_remuxes(self, opened: Opener, fake: FakeObs) -> None:
        fake.world.settings["Video", "AutoRemux"] = "true"
        with pytest.raises(DeviceGoneError, match="Automatically remux"):
            opened()

    def test_recording_of_a_person_is_refused_and_goes_on(self, opened: Opener, fake: FakeObs) -> None:
        theirs = fake.person_records()
        with pytest.raises(DeviceGoneError, match="recording already: somebody else"):
            opened()
        assert fake.active
        assert theirs.exists()
        assert "StopRecord" not in fake.asked

    def test_hands_and_connection_are_given_back(self, opened: Opener, hands: FakeHands) -> None:
        with pytest.raises(DeviceGoneError):
            opened(scene="Stage")
        assert hands.did == ["closed"]

    @pytest.mark.parametrize(
        ("fps", "refresh_hz", "capture"),
        [
            ((60, 1), 60.0, "cfr60"),
            ((60000, 1001), 60.0, "cfr60"),
            ((60, 1), 120.0, "cfr60"),
            ((120, 1), 60.0, "cfr120"),
        ],
    )
    def test_rates_that_fit(
        self, opened: Opener, fake: FakeObs, fps: tuple[int, int], refresh_hz: float, capture: str
    ) -> None:
        fake.world.fps = fps
        driver = opened(refresh_hz=refresh_hz)
        assert driver.facts.refresh_hz == refresh_hz
        assert driver._rate.capture == capture
        assert ("it misses some" in driver.facts.more.get("obs_note", "")) == (refresh_hz == 120)

    @pytest.mark.parametrize(("fps", "refresh_hz"), [(50, 60.0), (60, 90.0), (30, 50.0)])
    def test_rates_that_would_feign_lost_frames(
        self, opened: Opener, fake: FakeObs, fps: int, refresh_hz: float
    ) -> None:
        fake.world.fps = (fps, 1)
        with pytest.raises(DeviceGoneError, match="lost or repeated by the recording alone"):
            opened(refresh_hz=refresh_hz)


def test_settings_schema_takes_what_is_read_and_no_password() -> None:
    path = Path(obs.__file__).parent / "settings.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))["device"]
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    least = {"scene": "Lab", "source": "Phone", "phone": {"serial": "A1"}}
    assert validator.is_valid(least)
    assert not validator.is_valid(least | {"password": "x"})
    assert not validator.is_valid({"scene": "Lab", "source": "Phone"})
    assert set(schema["properties"]) == set(obs.Settings.__dataclass_fields__)
    for name, entry in schema["properties"].items():
        if "default" in entry:
            assert obs.Settings.__dataclass_fields__[name].default == entry["default"], name
