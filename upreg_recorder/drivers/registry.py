"""The drivers by name. One is imported when a device needs it: a host does without the others' libraries."""

from __future__ import annotations

import importlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from upreg_recorder.drivers.contract import Driver
from upreg_recorder.failures import RecorderError
from upreg_recorder.plans.model import Device

SETTINGS = "settings.schema.json"
_PACKAGE = "upreg_recorder.drivers"


class Drivers(Protocol):
    """What opens devices; tests give their own."""

    def settings(self) -> dict[str, dict[str, Any]]:
        """Return of each driver by name the JSON Schemas of its settings: {"device": …, "app": …}."""

    def open_device(self, device: Device, cache: Path) -> Driver:
        """Open a device; raises DeviceGoneError, or RecorderError for a driver that cannot be used here."""


class Installed:
    """The drivers that come with the recorder: each is a folder with `settings.schema.json` and `open_device`."""

    def settings(self) -> dict[str, dict[str, Any]]:
        """Return the schemas of the settings of all drivers."""
        folders = sorted(each.name for each in files(_PACKAGE).iterdir() if each.joinpath(SETTINGS).is_file())
        return {name: json.loads(_file(name).read_text(encoding="utf-8")) for name in folders}

    def open_device(self, device: Device, cache: Path) -> Driver:
        """Open a device by its driver."""
        try:
            module = importlib.import_module(f"{_PACKAGE}.{device.driver}")
        except ImportError as error:
            lacking = error.name or str(error)
            cure = f"pip install 'upreg-recorder[{device.driver}]'"
            raise RecorderError(f"the driver {device.driver} needs {lacking}, which is not here: {cure}") from error
        driver: Driver = module.open_device(device, cache)
        return driver


def _file(name: str) -> Any:
    return files(_PACKAGE).joinpath(name, SETTINGS)
