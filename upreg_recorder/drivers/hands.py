"""What a driver needs of a phone that it films from outside: everything but the film.

A capture card sees the screen and cannot touch it. Whatever touches it (adb, a robot) is behind this interface.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from upreg_recorder.drivers.contract import Beside, Facts, Vitals
from upreg_recorder.plans.model import App, Interaction, Share, Step


@dataclass(frozen=True)
class Aim:
    """A step whose place has been found: doing it takes no search. `at` is None where no finger goes down."""

    step: Step
    at: Share | None = None


@dataclass(frozen=True)
class Touch:
    """When an input reached the phone: `host_s` on this computer's `time.monotonic`, good to ± `uncertain_ms`.

    `how` says in words how that is known.
    """

    host_s: float
    uncertain_ms: float
    how: str


class Hands(Protocol):
    """A phone that is touched. All calls come from one thread; errors are those of `upreg_recorder.failures`."""

    facts: Facts

    def vitals(self) -> Vitals:
        """Return how the phone is; raises DeviceGoneError if it is not there any more."""

    def install(self, app: App, file: Path | None) -> str:
        """Install the app anew from a file (None: it is there already) and return its version."""

    def make_ready(self, app: App, interaction: Interaction) -> None:
        """Wake the phone, close the app, restore its data."""

    def do(self, step: Step, app: App) -> None:
        """Do a step that is not filmed, and wait until it is done."""

    def aim(self, step: Step, app: App) -> Aim:
        """Find what a step is aimed at; raises TrialError if it is not there."""

    def act(self, aim: Aim, app: App) -> None:
        """Do the step that was aimed last, at once; returns when it is done."""

    def when(self) -> Touch:
        """Say when the input of the last `act` reached the phone; after the film, so that it disturbs none."""

    def check(self, app: App) -> None:
        """Raise TrialError if the app crashed since `aim`."""

    def gather(self, into: Path) -> Beside:
        """Write log and trace since `aim` beside `into`."""

    def close(self) -> None:
        """Give back what was taken; called twice it does nothing."""
