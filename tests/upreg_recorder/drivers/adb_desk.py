"""A desk for trying the Android driver: a fake adb server, a model phone, an app, and interactions with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import adbutils._adb

from upreg_recorder.drivers.adb import open_device
from upreg_recorder.drivers.adb.driver import AndroidDriver
from upreg_recorder.plans.model import App, Device, Interaction, Step, Target

from .fake_adb import FakeAdb, Phone
from .fake_adb.phone import PACKAGE

TAP = Interaction("open inbox", "tap", Step("tap", Target(text="Inbox"), line=12))
LAUNCH = Interaction("open mail", "launch", Step("launch", line=9))
SWIPE = Interaction("next page", "swipe", Step("swipe", path=((0.8, 0.5), (0.2, 0.5)), ms=200, line=15))
TYPE = Interaction("write", "type", Step("type", Target(id="compose"), text="hello", line=18))


def an_app(**settings: object) -> App:
    return App("Mail", PACKAGE, (TAP, LAUNCH, SWIPE, TYPE), settings=settings)


class Desk:
    """One phone at one server."""

    def __init__(self, phone: Phone, server: FakeAdb, cache: Path) -> None:
        self.phone, self.server, self.cache = phone, server, cache

    def open(self, **settings: object) -> AndroidDriver:
        device = Device("bench", "adb", "14", settings={"port": self.server.port, **settings})
        return open_device(device, self.cache, self.phone.clock.pace())

    def ready(self, interaction: Interaction = TAP, app: App | None = None, **settings: object) -> AndroidDriver:
        """Open the device and bring it to where the action is done."""
        driver = self.open(**settings)
        driver.make_ready(app or an_app(), interaction)
        return driver


@contextmanager
def a_desk(cache: Path, phone: Phone | None = None) -> Iterator[Desk]:
    phone = phone or Phone()
    phone.apps.setdefault(PACKAGE, "2.0")
    unhurried = SimpleNamespace(sleep=lambda seconds: None)  # adbutils waits 10 ms at each end of a connection
    with FakeAdb(phone) as server, patch.object(adbutils._adb, "time", unhurried):
        yield Desk(phone, server, cache)


def truth_ms(phone: Phone) -> float:
    """The instant of the last input after the first frame of the last film, as the model phone knows it."""
    return phone.touches_ms[-1] - phone.first_frames_ms[-1]


def watched(interaction: Interaction, **changes: float) -> Interaction:
    return replace(interaction, **changes)
