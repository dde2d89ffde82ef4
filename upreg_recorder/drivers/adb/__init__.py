"""Android devices through adb: `screenrecord` or scrcpy films, `input` touches (docs/recording-android.md)."""

from __future__ import annotations

from pathlib import Path

from upreg_recorder.drivers.adb.driver import AndroidDriver
from upreg_recorder.drivers.adb.link import Pace, connect
from upreg_recorder.drivers.adb.recording import scrcpy_program
from upreg_recorder.drivers.adb.settings import DeviceSettings, settings_of
from upreg_recorder.failures import DeviceGoneError, SettledTrialError
from upreg_recorder.plans.model import Device


def open_device(device: Device, cache: Path, pace: Pace | None = None) -> AndroidDriver:
    """Open an Android device and bring it into the state for filming; `cache` keeps what is to be given back.

    Raises DeviceGoneError where there is none, several and no serial, none that may be used, or too little battery.
    """
    settings = settings_of(DeviceSettings, device.settings)
    if settings.recorder == "scrcpy":
        try:
            scrcpy_program()
        except SettledTrialError as error:
            raise DeviceGoneError(f"{device.name}: {error}") from error
    driver = AndroidDriver(connect(settings, pace or Pace()), settings, cache)
    try:
        driver.begin()
    except BaseException:
        driver.close()
        raise
    return driver
