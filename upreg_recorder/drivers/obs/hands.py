"""What touches the phone that OBS films."""

from __future__ import annotations

from pathlib import Path

from upreg_recorder.drivers.hands import Hands
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.failures import DeviceGoneError
from upreg_recorder.plans.model import Device


def open_hands(device: Device, settings: Settings, cache: Path) -> Hands:
    """Open the phone; DeviceGoneError if it is not there."""
    raise DeviceGoneError(f"{device.name}: this recorder has no driver that could touch {settings.phone['serial']}")
