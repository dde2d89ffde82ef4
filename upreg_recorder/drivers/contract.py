"""What a driver must do: one small contract, proved by the same tests for each (tests/upreg_recorder/drivers).

The engine opens a device, and then for each trial calls `make_ready`, `do` for each step of the preparation,
`film` for the action, and `gather`. All calls of one device come from one thread. Whatever is wrong is raised as an
error of `upreg_recorder.failures`: TrialError where another try may help, DeviceGoneError where it cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from upreg_recorder.plans.model import App, Interaction, Step


@dataclass(frozen=True)
class Facts:
    """What a device says of itself. `size` is the screen in px of its screencasts, width and height."""

    model: str
    os_build: str
    refresh_hz: float
    size: tuple[int, int]
    more: Mapping[str, str] = field(default_factory=dict)  # kept beside each screencast, by name


@dataclass(frozen=True)
class Vitals:
    """How a device is right now. None is what it does not tell."""

    temperature_c: float | None = None
    battery_pct: float | None = None
    free_mb: float | None = None
    clocks_mhz: tuple[float, ...] = ()  # of each core


@dataclass(frozen=True)
class Take:
    """One film. `action_ms` is the instant of the action after the first frame, good to ± `uncertain_ms`.

    `x`, `y` are where the finger went down, px of the video; None where no finger did. `clock` says in words how
    the instant of the input was brought to the clock of the video. `action_ms` is None where nothing tells it: then
    the recording must show it (a dot, a flash), and the manifest's `action_from` says so.
    """

    video: Path
    action_ms: float | None
    uncertain_ms: float
    clock: str
    capture: str  # of the manifest: vfr, cfr, cfr60
    x: float | None = None
    y: float | None = None
    show_touches: bool = False
    action_from: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Beside:
    """What lies beside a screencast: the log of the device around it, the trace of its resources."""

    log: Path | None = None
    trace: Path | None = None


class Driver(Protocol):
    """One device that is open. Also a context manager: leaving it gives back all that opening took."""

    facts: Facts

    def vitals(self) -> Vitals:
        """Return how the device is; raises DeviceGoneError if it is not there any more."""

    def install(self, app: App, file: Path | None) -> str:
        """Install the app anew from a file (None: it is there already) and return its version."""

    def make_ready(self, app: App, interaction: Interaction) -> None:
        """Bring device and app into the state in which each trial begins: the app closed, its data restored."""

    def do(self, step: Step, app: App) -> None:
        """Do a step that is not filmed, and wait until it is done."""

    def picture(self) -> bytes:
        """Return the screen as PNG: what it shows before the action must be what it showed in other trials."""

    def film(self, app: App, interaction: Interaction, into: Path) -> Take:
        """Film `lead_ms`, the action, and `watch_ms` after it, into a file beside `into` (a name without ending).

        Raises TrialError if the film is shorter than that, or the app crashed meanwhile.
        """

    def gather(self, into: Path) -> Beside:
        """Write log and trace of the last film beside `into`; after it, so that gathering disturbs no film."""

    def close(self) -> None:
        """Give back what was taken: end recordings, forwarded ports and processes; called twice it does nothing."""
