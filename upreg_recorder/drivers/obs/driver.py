"""A phone filmed by OBS from a capture card, and touched by other hands."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from upreg_recorder.drivers.contract import Beside, Take, Vitals
from upreg_recorder.drivers.hands import Aim, Hands
from upreg_recorder.drivers.obs import films, staging
from upreg_recorder.drivers.obs.connection import Connection, RefusedError
from upreg_recorder.drivers.obs.judging import Shot, judged
from upreg_recorder.drivers.obs.marker import Marker
from upreg_recorder.drivers.obs.recording import (
    Recording,
    refuse_while_recording,
    skipped,
)
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.failures import DeviceGoneError, TrialError
from upreg_recorder.plans.model import App, Device, Interaction, Step

QUIET_MS = 300.0  # between the marker and the action: whoever measures looks at the calm before the action
TAIL_MS = 100.0  # OBS ends a film a few pictures before it is told to


class ObsDriver:
    """One phone before a capture card; see `upreg_recorder.drivers.contract.Driver`."""

    def __init__(self, device: Device, settings: Settings, obs: Connection, hands: Hands) -> None:
        """Look whether OBS is as the plan says; DeviceGoneError with the cure if not."""
        self._settings, self._obs, self._hands = settings, obs, hands
        self._recording = Recording(obs)
        self._last = Shot()
        self._open = True
        refresh_hz = device.refresh_hz or hands.facts.refresh_hz
        try:
            refuse_while_recording(obs)
            staging.check_profile(obs)
            self._rate = staging.read_rate(obs)
            self._note = staging.judge_rate(self._rate, refresh_hz)
            staging.check_scene(obs, settings)
            staging.take_picture(obs, settings.source)
            staging.check_disk(obs.ask("GetStats"), settings)
            version = obs.ask("GetVersion")
        except (staging.StageError, RefusedError, TrialError) as error:
            raise DeviceGoneError(str(error)) from error
        self.facts = replace(
            hands.facts,
            refresh_hz=refresh_hz,
            size=self._rate.film,
            more={**hands.facts.more, **self._more(version)},
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Give back what was taken."""
        self.close()

    def vitals(self) -> Vitals:
        """Return how the phone is; DeviceGoneError if it or OBS is gone."""
        self._obs.ask("GetStats")
        return self._hands.vitals()

    def install(self, app: App, file: Path | None) -> str:
        """Install the app on the phone."""
        return self._hands.install(app, file)

    def make_ready(self, app: App, interaction: Interaction) -> None:
        """Make the phone ready, and look whether the capture card shows it."""
        self._hands.make_ready(app, interaction)
        with _as_trial():
            staging.check_signal(staging.take_picture(self._obs, self._settings.source), self._settings.source)

    def do(self, step: Step, app: App) -> None:
        """Do a step that is not filmed."""
        self._hands.do(step, app)

    def picture(self) -> bytes:
        """Return what the capture card shows, without anything that the scene puts over it."""
        with _as_trial():
            return staging.take_picture(self._obs, self._settings.source)

    def film(self, app: App, interaction: Interaction, into: Path) -> Take:
        """Let OBS film the action; what it filmed is checked from end to end before it counts."""
        self._last, self._recording = Shot(), Recording(self._obs)
        aim = self._hands.aim(interaction.action, app)
        with _as_trial():
            staging.check_disk(self._obs.ask("GetStats"), self._settings)
            frame = staging.check_scene(self._obs, self._settings)
            try:
                shot, spot = self._shoot(aim, app, interaction)
                file = films.find_file(shot.path, self._settings.folder)
                films.wait_until_written(file)
                if self._settings.marker == "obs":
                    shot.touch = self._hands.when()
                self._hands.check(app)
                take = judged(shot, films.look(file, spot), interaction, self._settings, self._rate)
                notes = (*((self._note,) if self._note else ()), *take.notes)
            except BaseException:
                films.drop(self._recording.path, self._settings.folder)
                raise
            x, y = frame.px(aim.at, self._rate) if frame is not None and aim.at is not None else (None, None)
            return replace(take, video=films.take_away(file, into), x=x, y=y, notes=notes)

    def gather(self, into: Path) -> Beside:
        """Write the phone's log and trace, and OBS's own figures at the head of the log."""
        beside = self._hands.gather(into)
        log = into.with_name(into.name + ".log")
        phone = beside.log.read_text(encoding="utf-8", errors="replace") if beside.log is not None else ""
        head = "".join(f"OBS {when}: {json.dumps(dict(stats))}\n" for when, stats in self._last.stats.items())
        log.write_text(head + phone, encoding="utf-8")
        if beside.log is not None and beside.log != log:
            beside.log.unlink()
        return Beside(log=log, trace=beside.trace)

    def close(self) -> None:
        """End a recording of ours that still runs, and let go of OBS and the phone."""
        if not self._open:
            return
        self._open = False
        try:
            with _unless_gone():
                self._recording.end()
        finally:
            self._obs.close()
            self._hands.close()

    def _shoot(self, aim: Aim, app: App, interaction: Interaction) -> tuple[Shot, films.Spot | None]:
        if self._settings.marker != "obs":
            return self._recorded(None, aim, app, interaction), None
        with Marker(self._obs, self._settings.scene, self._rate) as marker:
            (wide, tall), (width, height) = self._rate.canvas, self._rate.film
            side = marker.side * width / wide
            spot = films.Spot(width - side, height - marker.side * height / tall, side)
            return self._recorded(marker, aim, app, interaction), spot

    def _recorded(self, marker: Marker | None, aim: Aim, app: App, interaction: Interaction) -> Shot:
        shot = self._last
        try:
            self._recording.start()
            shot.stats["before"] = self._obs.ask("GetStats")
            if marker is not None:
                shot.changes = marker.blink()
            time.sleep(max(interaction.lead_ms, QUIET_MS if marker is not None else 0.0) / 1000)
            self._hands.act(aim, app)
            time.sleep((interaction.watch_ms + self._settings.capture_delay_ms + TAIL_MS) / 1000)
            shot.stats["after"] = self._obs.ask("GetStats")
            shot.path = self._recording.stop()
        finally:
            with _unless_gone():
                self._recording.end()
        shot.skipped = skipped(shot.stats["before"], shot.stats["after"])
        return shot

    def _more(self, version: Mapping[str, Any]) -> dict[str, str]:
        more = {
            "obs": str(version["obsVersion"]),
            "obs_websocket": str(version["obsWebSocketVersion"]),
            "obs_fps": f"{self._rate.fps:.6g}",
            "obs_marker": self._settings.marker,
            "obs_capture_delay_ms": f"{self._settings.capture_delay_ms:g}",
        }
        return more | ({"obs_note": self._note} if self._note else {})


@contextmanager
def _as_trial() -> Iterator[None]:
    """Make of what OBS cannot do, or is not set to, the end of this trial alone."""
    try:
        yield
    except (staging.StageError, RefusedError) as error:
        raise TrialError(str(error)) from error


def _unless_gone() -> suppress:
    """Let go of what is not there any more; an error that is under way stays the one that is told."""
    return suppress(DeviceGoneError, RefusedError)
