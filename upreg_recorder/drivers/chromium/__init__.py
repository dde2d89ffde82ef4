"""A phone emulated in Chromium, driven and filmed by the DevTools protocol; needs Playwright, PyAV and Pillow."""

from __future__ import annotations

from pathlib import Path

from upreg_recorder.drivers.contract import Driver
from upreg_recorder.plans.model import Device


def open_device(device: Device, cache: Path) -> Driver:
    """Start the browser that a device of the plan names and return its driver; `cache` keeps what is fetched.

    Raises DeviceGoneError, with the cure, where there is no such browser or it does not start.
    """
    from upreg_recorder.drivers.chromium.driver import ChromiumDriver  # what reads plans alone needs no Playwright

    return ChromiumDriver(device, cache)
