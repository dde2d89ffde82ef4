"""A phone that is touched by a test: it knows when it was touched, and paints what it shows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.analysis.scenes import box, circle, tint
from upreg_recorder.drivers.contract import Beside, Facts, Vitals
from upreg_recorder.drivers.hands import Aim, Touch
from upreg_recorder.failures import TrialError
from upreg_recorder.plans.model import App, Interaction, Step

ANSWER_MS = 200.0  # from the touch to the dialog
SIGN_MS = 66.0  # a flash of the phone's own, or a dot: four pictures at 60 Hz


@dataclass
class FakeHands:
    """`sign` is what the phone shows of a touch: nothing, a flash or a dot."""

    sign: str = ""
    refresh_hz: float = 60.0
    uncertain_ms: float = 0.5
    on_touch: Callable[[], None] = lambda: None
    asleep: bool = False
    crashed: bool = False
    touched_s: float = math.inf
    did: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.facts = Facts("Pixel 1", "build 7", self.refresh_hz, (1080, 1920), {"patch": "2026-11"})

    def paint(self, picture: np.ndarray, host_s: float) -> None:
        """Paint what the phone shows at an instant of time.monotonic."""
        if self.asleep:
            picture[:] = 0
            return
        since_ms = (host_s - self.touched_s) * 1000
        if since_ms >= ANSWER_MS:
            box(picture, 0.1, 0.2, 0.9, 0.5, (40, 60, 90))
        if 0 <= since_ms < SIGN_MS and self.sign == "flash":
            picture[:] = 255
        if 0 <= since_ms < SIGN_MS and self.sign == "dot":
            tint(picture, circle(picture, 0.3, 0.7, 0.06), 0.5, 120)

    def vitals(self) -> Vitals:
        return Vitals(temperature_c=31.5, battery_pct=80.0)

    def install(self, app: App, file: Path | None) -> str:
        return f"7.1 of {file.name}" if file else "7.0"

    def make_ready(self, app: App, interaction: Interaction) -> None:
        self.did.append("ready")
        self.touched_s = math.inf

    def do(self, step: Step, app: App) -> None:
        self.aim(step, app)
        self.did.append(step.kind)

    def aim(self, step: Step, app: App) -> Aim:
        if step.target is not None and step.target.text == "nowhere":
            raise TrialError(f"line {step.line}: there is no {step.target} on the screen")
        at = step.target.at if step.target is not None else None
        return Aim(step, at or (step.path[0] if step.path else (0.3, 0.7)))

    def act(self, aim: Aim, app: App) -> None:
        self.touched_s = time.monotonic()
        self.on_touch()

    def when(self) -> Touch:
        return Touch(self.touched_s, self.uncertain_ms, "told by the phone")

    def check(self, app: App) -> None:
        if self.crashed:
            raise TrialError(f"{app.name} crashed")

    def gather(self, into: Path) -> Beside:
        log = into.with_name(into.name + ".logcat")
        log.write_text("11-22 20:00:00.000 I Lab: a line of the phone\n", encoding="utf-8")
        return Beside(log=log)

    def close(self) -> None:
        self.did.append("closed")
