"""The Android driver is held to what every driver is held to, before a fake adb server."""

import pytest

from upreg_recorder.plans.model import Step, Target

from .adb_desk import TAP, a_desk, an_app, truth_ms
from .contract import ContractOfDrivers, DriverCase

STEPS = (
    Step("launch", line=2),
    Step("wait", Target(text="Inbox"), ms=2000, line=3),
    Step("tap", Target(id="inbox"), line=4),
    Step("swipe", path=((0.8, 0.5), (0.2, 0.5)), ms=200, line=5),
    Step("scroll", Target(at=(0.5, 0.5)), by=(0.0, -0.5), ms=300, line=6),
    Step("draw", path=((0.2, 0.2), (0.5, 0.5), (0.8, 0.2)), ms=300, line=7),
    Step("type", Target(description="Write a message"), text="two words", line=8),
    Step("wait", ms=100, line=9),
    Step("back", line=10),
    Step("home", line=11),
)


class TestAndroid(ContractOfDrivers):
    @pytest.fixture
    def case(self, tmp_path_factory):
        apk = tmp_path_factory.mktemp("apps") / "mail.apk"
        apk.write_bytes(b"PK\x03\x04 an app")
        with a_desk(tmp_path_factory.mktemp("cache")) as desk:
            yield DriverCase(
                open_device=desk.open,
                app=an_app(),
                interaction=TAP,
                steps=STEPS,
                missing=Step("tap", Target(text="Outbox"), line=33),
                truth_ms=lambda take: truth_ms(desk.phone),
                vanish=desk.phone.vanish,
                file=apk,
                version="2.1",
            )
