"""What tests of the driver for OBS share: a phone's app, an interaction, and where its touch lies in the film."""

from __future__ import annotations

from collections.abc import Callable

from tests.upreg_recorder.drivers.fake_hands import FakeHands
from tests.upreg_recorder.drivers.fake_obs import FakeObs
from upreg_recorder.drivers.obs.driver import ObsDriver
from upreg_recorder.plans.model import App, Interaction, Step, Target

PERIOD_MS = 1000 / 60
TAP = Interaction("open dialog", "tap", Step("tap", Target(at=(0.3, 0.7)), line=12), lead_ms=200.0, watch_ms=400.0)
APP = App("Mail", "org.example.mail", (TAP,))
PASSWORD = "supersecretpassword"
Opener = Callable[..., ObsDriver]


def truth_ms(fake: FakeObs, hands: FakeHands) -> float:
    """Return when the touch is in the last film: what OBS got of it, after its first picture."""
    return (hands.touched_s + fake.world.delay_s - fake.starts_s[-1]) * 1000
