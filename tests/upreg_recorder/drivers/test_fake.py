"""The made-up device is held to what the real ones are: what tests prove with it is true of them."""

import pytest

from tests.upreg_recorder.drivers.contract import ContractOfDrivers, DriverCase
from tests.upreg_recorder.drivers.fake import Farm, dot_ms
from upreg_recorder.plans.model import App, Device, Interaction, Step, Target

INBOX = Step("tap", Target(text="Inbox"), line=7)


class TestFake(ContractOfDrivers):
    @pytest.fixture
    def case(self):
        farm, opened = Farm(), []

        def open_device():
            opened.append(farm.open_device(Device("phone", "fake", "13.0.9")))
            return opened[-1]

        def vanish():
            opened[-1].gone = True

        interaction = Interaction("open", "tap", INBOX, (Step("launch"),), lead_ms=300.0, watch_ms=600.0)
        steps = [Step(kind) for kind in ("launch", "swipe", "scroll", "type", "draw", "wait", "back", "home")]
        missing = Step("tap", Target(text="Nowhere"), line=12)
        app = App("Mail", "org.example.mail", (interaction,))
        return DriverCase(open_device, app, interaction, [INBOX, *steps], missing, dot_ms, vanish, version="4.2")
