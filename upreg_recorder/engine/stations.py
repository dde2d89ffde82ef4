"""One device that is open, and one trial on it from the first step to the look at what was filmed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from upreg_recorder import films
from upreg_recorder.delivering.rows import Recording
from upreg_recorder.drivers.contract import Driver, Vitals
from upreg_recorder.failures import DeviceGoneError, SettledTrialError
from upreg_recorder.plans.model import App, Device, Interaction
from upreg_recorder.plans.trials import Trial

LEAST_BATTERY_PCT = 5.0  # below it phones slow down, and then switch off in the middle of a film
UNSURE_MS = 34.0  # two frames at 60 Hz: a response time is worth little where the action is known no better
FIRST, SAME = "first", "same"
_GOES_ON = frozenset({"swipe", "scroll", "draw"})  # actions that take their `ms`


@dataclass
class Station:
    """An open device: what is installed on it, and the screens from which its interactions began."""

    device: Device
    driver: Driver
    versions: dict[str, str] = field(default_factory=dict)  # of installed apps by package
    broken: dict[str, str] = field(default_factory=dict)  # apps that cannot be installed, and why
    starts: dict[str, bytes] = field(default_factory=dict)  # grey cells by Trial.of

    def record(
        self, trial: Trial, into: Path, start: Callable[[Trial], bytes | None], halt: Callable[[], None]
    ) -> Recording:
        """Make one recording in the folder `into`.

        `start` gives the screen of the first good trial as PNG; `halt` raises where all is to stop.
        """
        app, interaction, driver = trial.app, trial.interaction, self.driver
        self._alive(driver.vitals())
        version = self._installed(app)
        halt()
        driver.make_ready(app, interaction)
        for step in interaction.prepare:
            halt()
            driver.do(step, app)
        picture = driver.picture()
        state = self._state(trial, picture, start)
        before = driver.vitals()
        halt()
        began = datetime.now(UTC)
        take = driver.film(app, interaction, into / "film")
        beside = driver.gather(into / "film")
        after = driver.vitals()
        length_ms = _checked(take.video, take.action_ms, interaction)
        notes = []
        if take.action_ms is not None and take.uncertain_ms > UNSURE_MS:
            notes.append(f"the action is known to ± {take.uncertain_ms:.0f} ms only")
        return Recording(
            trial=trial, take=take, beside=beside, facts=driver.facts, before=before, after=after,
            app_version=version, recorded_at=began, length_ms=length_ms, start=state, picture=picture,
            notes=tuple(notes),
        )  # fmt: skip

    def accept(self, recording: Recording) -> None:
        """Take the screen of a good trial for what those after it are held against, if it is the first."""
        if recording.trial.of not in self.starts:
            self.starts[recording.trial.of] = films.cells(recording.picture)

    def close(self) -> None:
        """Give the device back, whatever it says to it."""
        with suppress(Exception):
            self.driver.close()

    def _alive(self, vitals: Vitals) -> None:
        charge = vitals.battery_pct
        if charge is not None and charge < LEAST_BATTERY_PCT:
            raise DeviceGoneError(f"{self.device.name} is out of battery ({charge:.0f} %): charge it, and go on")

    def _installed(self, app: App) -> str:
        """Install an app once in this session; return its version."""
        if app.package in self.broken:
            raise SettledTrialError(self.broken[app.package])
        if app.package not in self.versions:
            try:
                self.versions[app.package] = self.driver.install(app, app.install.get(self.device.os_version))
            except SettledTrialError as error:
                self.broken[app.package] = str(error)
                raise
        return self.versions[app.package]

    def _state(self, trial: Trial, picture: bytes, start: Callable[[Trial], bytes | None]) -> str:
        """Say how the screen compares with that of the first good trial."""
        seen = films.cells(picture)
        if trial.of not in self.starts:
            kept = start(trial)
            if kept is None:
                return FIRST
            self.starts[trial.of] = films.cells(kept)
        apart = films.difference(self.starts[trial.of], seen)
        if not apart.other:
            return SAME
        return f"differs by {apart.levels:.1f} levels, in {apart.share:.0%} of the screen"


def _checked(video: Path, action_ms: float | None, interaction: Interaction) -> float:
    film = films.look_at(video)
    takes_ms = interaction.action.ms if interaction.action.kind in _GOES_ON else 0.0
    films.long_enough(
        film, action_ms, lead_ms=interaction.lead_ms, takes_ms=takes_ms, watch_ms=interaction.watch_ms
    )
    return film.length_ms
