"""A fake OBS that films a fake phone, and what opens the driver with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.upreg_recorder.drivers.fake_hands import FakeHands
from tests.upreg_recorder.drivers.fake_obs import FakeObs, World
from tests.upreg_recorder.drivers.obs_desk import PASSWORD, Opener
from upreg_recorder.drivers import obs
from upreg_recorder.drivers.obs.driver import ObsDriver
from upreg_recorder.plans.model import Device


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "films of obs").mkdir()
    return World(tmp_path / "films of obs")


@pytest.fixture
def hands(world: World) -> FakeHands:
    hands = FakeHands()
    world.paint = hands.paint
    return hands


@pytest.fixture
def fake(world: World) -> Iterator[FakeObs]:
    with FakeObs(world, PASSWORD) as fake:
        yield fake


@pytest.fixture
def opened(fake: FakeObs, hands: FakeHands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """Return what opens the driver with these settings, for a phone of these hands."""
    drivers: list[ObsDriver] = []
    monkeypatch.setattr(obs, "open_hands", lambda device, phone, cache: hands)
    monkeypatch.setenv("LAB_OBS", PASSWORD)

    def open_device(refresh_hz: float = 0.0, **more: object) -> ObsDriver:
        settings = {
            "host": "127.0.0.1", "port": fake.port, "password_env": "LAB_OBS", "scene": "Lab", "source": "Phone",
            "phone": {"serial": "A1"}, **more,
        }  # fmt: skip
        device = Device("left", "obs", "14.1", refresh_hz=refresh_hz, settings=settings)
        driver = obs.open_device(device, tmp_path)
        drivers.append(driver)
        return driver

    yield open_device
    for driver in drivers:
        driver.close()
