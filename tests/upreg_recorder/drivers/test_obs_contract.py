"""The driver for OBS is held to what every driver is held to, before a fake OBS and a fake phone."""

from dataclasses import replace

import pytest

from tests.upreg_recorder.drivers.fake_hands import FakeHands
from tests.upreg_recorder.drivers.fake_obs import FakeObs, World
from tests.upreg_recorder.drivers.obs_desk import APP, PASSWORD, TAP, truth_ms
from upreg_recorder.drivers import obs
from upreg_recorder.plans.model import Device, Step, Target

contract = pytest.importorskip("tests.upreg_recorder.drivers.contract")

KINDS = ("launch", "tap", "swipe", "scroll", "type", "draw", "wait", "back", "home")


class TestObs(contract.ContractOfDrivers):
    @pytest.fixture
    def case(self, tmp_path_factory, monkeypatch):
        folder = tmp_path_factory.mktemp("obs")
        hands = FakeHands()
        monkeypatch.setattr(obs, "open_hands", lambda device, settings, cache: hands)
        monkeypatch.setenv("LAB_OBS", PASSWORD)
        apk = folder / "mail.apk"
        with FakeObs(World(tmp_path_factory.mktemp("films"), hands.paint), PASSWORD) as fake:
            settings = {"host": "127.0.0.1", "port": fake.port, "password_env": "LAB_OBS", "scene": "Lab"}
            settings |= {"source": "Phone", "phone": {"serial": "A1"}}
            device = Device("left", "obs", "14.1", settings=settings)
            yield contract.DriverCase(
                open_device=lambda: obs.open_device(device, folder),
                app=APP,
                interaction=replace(TAP, prepare=(Step("launch", line=10),)),
                steps=[Step(kind, line=20) for kind in KINDS],
                missing=Step("tap", Target(text="nowhere"), line=33),
                truth_ms=lambda take: truth_ms(fake, hands),
                vanish=fake.vanish,
                file=apk,
                version="7.1 of mail.apk",
            )
