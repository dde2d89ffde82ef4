"""OBS and a capture card: a phone filmed at a constant rate by OBS, through obs-websocket 5, and touched by adb."""

from __future__ import annotations

from pathlib import Path

from upreg_recorder.drivers.obs.connection import Connection
from upreg_recorder.drivers.obs.driver import ObsDriver
from upreg_recorder.drivers.obs.hands import open_hands
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.plans.model import Device


def open_device(device: Device, cache: Path) -> ObsDriver:
    """Open OBS and the phone of a device of a plan; DeviceGoneError with the cure where one is not there."""
    settings = Settings.of(device)
    obs = Connection(settings.host, settings.port, settings.password(), settings.password_env)
    try:
        hands = open_hands(device, settings, cache)
        try:
            return ObsDriver(device, settings, obs, hands)
        except BaseException:
            hands.close()
            raise
    except BaseException:
        obs.close()
        raise
