"""The Android driver as the hands of a phone that OBS films."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from upreg_recorder.drivers.hands import Hands
from upreg_recorder.plans.model import Device


def open_hands(device: Device, phone: Mapping[str, Any], cache: Path) -> Hands:
    """Open the phone by adb; DeviceGoneError if it is not there."""
    raise NotImplementedError
