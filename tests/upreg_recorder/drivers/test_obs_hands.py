"""The Android driver as hands, before a fake adb server whose model phone knows when it was touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.upreg_recorder.drivers.adb_desk import LAUNCH, SWIPE, TAP, Desk, a_desk, an_app
from upreg_recorder.drivers import adb, obs
from upreg_recorder.drivers.obs.hands import AdbHands, open_hands
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.failures import DeviceGoneError, TrialError
from upreg_recorder.plans.model import Device, Step, Target


@pytest.fixture
def desk(tmp_path: Path):
    with a_desk(tmp_path) as desk:
        yield desk


def hands_at(desk: Desk, **settings: object) -> AdbHands:
    return AdbHands(desk.open(**settings), desk.cache, lambda: desk.phone.clock.now_s)


def host_s(desk: Desk, boot_ms: float) -> float:
    """Return an instant of the model phone on the host's clock, as the model knows it."""
    return desk.phone.started_s + boot_ms / 1000


@pytest.mark.parametrize("interaction", [TAP, SWIPE], ids=["tap", "swipe"])
def test_when_tells_the_touch_on_the_hosts_clock(desk: Desk, interaction) -> None:
    hands, app = hands_at(desk), an_app()
    hands.make_ready(app, interaction)
    hands.act(hands.aim(interaction.action, app), app)
    desk.phone.clock.wait(2.0)
    touch = hands.when()
    assert abs(touch.host_s - host_s(desk, desk.phone.touches_ms[-1])) * 1000 <= touch.uncertain_ms
    assert touch.uncertain_ms < 50
    hands.close()


def test_when_tells_a_launch_by_the_systems_note(desk: Desk) -> None:
    hands, app = hands_at(desk), an_app()
    hands.act(hands.aim(LAUNCH.action, app), app)
    touch = hands.when()
    assert abs(touch.host_s - host_s(desk, desk.phone.starts_ms[-1])) * 1000 <= touch.uncertain_ms
    assert "log" in touch.how
    hands.close()


def test_aim_says_where_the_finger_goes_in_shares_of_the_screen(desk: Desk) -> None:
    hands = hands_at(desk)
    assert hands.aim(TAP.action, an_app()).at == pytest.approx((135 / 270, 120 / 600))
    assert hands.aim(LAUNCH.action, an_app()).at is None
    hands.close()


def test_a_target_that_is_not_there_names_its_line(desk: Desk) -> None:
    hands = hands_at(desk)
    with pytest.raises(TrialError, match="line 33: text 'Outbox' is not on the screen"):
        hands.aim(Step("tap", Target(text="Outbox"), line=33), an_app())
    hands.close()


def test_a_traced_input_tells_best_and_its_trace_is_gathered(desk: Desk, tmp_path: Path) -> None:
    desk.phone.debuggable_app = True
    hands, app = hands_at(desk, trace_input=True), an_app()
    hands.act(hands.aim(TAP.action, app), app)
    touch = hands.when()
    assert abs(touch.host_s - host_s(desk, desk.phone.touches_ms[-1])) * 1000 <= touch.uncertain_ms
    assert "from the trace" in touch.how
    beside = hands.gather(tmp_path / "run")
    assert beside.trace is not None
    assert b"deliverInputEvent" in beside.trace.read_bytes()
    hands.aim(TAP.action, app)
    assert beside.trace.is_file()
    hands.close()


def test_gather_brings_log_and_trace(desk: Desk, tmp_path: Path) -> None:
    hands, app = hands_at(desk), an_app()
    hands.act(hands.aim(TAP.action, app), app)
    beside = hands.gather(tmp_path / "run")
    assert beside.log is not None
    assert beside.trace == tmp_path / "run.perfetto-trace"
    assert beside.trace.is_file()
    hands.close()


def test_a_phone_that_vanishes_is_gone(desk: Desk) -> None:
    hands = hands_at(desk)
    desk.phone.vanish()
    with pytest.raises(DeviceGoneError):
        hands.aim(TAP.action, an_app())
    hands.close()


def test_open_hands_passes_the_phones_settings_on(desk: Desk, tmp_path: Path) -> None:
    phone = {"serial": desk.phone.serial, "port": desk.server.port, "trace": False}
    settings = Settings("Lab", "Phone", phone, marker="dot")
    hands = open_hands(Device("left", "obs", "14"), settings, tmp_path)
    assert desk.phone.settings["system", "show_touches"] == "1"
    assert "Model 7" in hands.facts.model
    hands.close()


def test_settings_of_the_phone_are_those_of_the_android_driver() -> None:
    ours, theirs = (
        json.loads((Path(module.__file__ or "").parent / "settings.schema.json").read_text(encoding="utf-8"))
        for module in (obs, adb)
    )
    phone = ours["device"]["properties"]["phone"]["properties"]
    android = theirs["device"]["properties"]
    for name, schema in phone.items():
        assert schema | {"description": ""} == android[name] | {"description": ""}, name
    left_out = {"recorder", "bit_rate_mbps", "size", "show_touches", "accept_ms"}  # of its own films
    assert set(android) - set(phone) == left_out
    assert ours["app"] == theirs["app"]
