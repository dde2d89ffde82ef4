"""The lanes of a plan, each a thread: devices take turns, a failed trial is tried again, a lost device left."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from upreg_recorder.delivering.folder import Folder, Row
from upreg_recorder.delivering.rows import Recording
from upreg_recorder.drivers.contract import Driver
from upreg_recorder.engine.space import DiskFullError, full_is_told, room_for
from upreg_recorder.engine.stations import Station
from upreg_recorder.failures import DeviceGoneError, RecorderError, SettledTrialError
from upreg_recorder.plans.model import Device
from upreg_recorder.plans.trials import Trial

LOOK_S = 0.05


class Watch(Protocol):
    """Who is told what happens; called by several threads."""

    def tell(self, words: str) -> None:
        """Tell whatever else a person must know."""

    def trying(self, lane: str, trial: Trial) -> None:
        """Tell that a trial is begun."""

    def again(self, lane: str, trial: Trial, reason: str) -> None:
        """Tell that a trial failed and is tried again."""

    def recorded(self, lane: str, recording: Recording, row: Row) -> None:
        """Tell that a recording is in the folder."""

    def failed(self, lane: str, trial: Trial, reasons: Sequence[str]) -> None:
        """Tell that a trial is given up."""

    def gone(self, lane: str, device: Device, reason: str) -> None:
        """Tell that a device cannot be used any more; its trials are left."""


@dataclass
class Outcome:
    """What came of the trials. `stopped` says why not all were begun; empty if they were."""

    recorded: list[Trial] = field(default_factory=list)
    flagged: list[tuple[Trial, str]] = field(default_factory=list)
    failed: list[tuple[Trial, list[str]]] = field(default_factory=list)
    gone: dict[str, str] = field(default_factory=dict)  # devices and why
    left: list[Trial] = field(default_factory=list)
    stopped: str = ""
    disk_full: bool = False
    interrupted: bool = False


class StoppedError(Exception):
    """All is to stop, between two steps of a trial."""


class Recorder:
    """Records lanes into a folder. `open_device` opens a device for the thread of its lane."""

    def __init__(
        self,
        folder: Folder,
        open_device: Callable[[Device], Driver],
        watch: Watch,
        *,
        tries: int,
        batch: str = "",
        room: Callable[..., None] = room_for,
    ) -> None:
        self.outcome = Outcome()
        self._folder, self._open, self._watch = folder, open_device, watch
        self._tries, self._batch, self._room = tries, batch, room
        self._stop, self._lock, self._lanes = threading.Event(), threading.Lock(), 1

    def run(self, lanes: Mapping[str, Sequence[Trial]]) -> Outcome:
        """Do all trials. A first KeyboardInterrupt ends it between two steps, devices closed; a second at once."""
        self._lanes = len(lanes)
        threads = [
            threading.Thread(target=self._lane, args=(name, trials), name=f"lane {name}", daemon=True)
            for name, trials in lanes.items()
        ]
        for thread in threads:
            thread.start()
        try:
            _join(threads)
        except KeyboardInterrupt:
            self.stop("interrupted")
            self.outcome.interrupted = True
            self._watch.tell("stopping when the films under way are done and devices closed; again: at once")
            _join(threads)
        return self.outcome

    def stop(self, reason: str) -> None:
        """Have all lanes end between two steps."""
        with self._lock:
            self.outcome.stopped = self.outcome.stopped or reason
        self._stop.set()

    def _lane(self, lane: str, trials: Sequence[Trial]) -> None:
        stations: dict[str, Station] = {}
        done = 0
        try:
            for device in {trial.device.name: trial.device for trial in trials}.values():
                self._halt()
                self._opened(lane, device, stations)
            for trial in trials:
                self._halt()
                if trial.device.name in stations:
                    self._trial(lane, trial, stations)
                else:
                    self._leave(trial)
                done += 1
        except StoppedError:
            pass
        except Exception as error:  # no room, a folder that cannot be written, a fault of ours: no lane goes on
            self.outcome.disk_full |= isinstance(error, DiskFullError)
            self.stop(words_of(error))
        finally:
            for trial in trials[done:]:
                self._leave(trial)
            for station in stations.values():
                station.close()

    def _opened(self, lane: str, device: Device, stations: dict[str, Station]) -> None:
        try:
            stations[device.name] = Station(device, self._open(device))
        except Exception as error:  # whatever a library raises, the other devices go on
            self._gone(lane, device, words_of(error))

    def _trial(self, lane: str, trial: Trial, stations: dict[str, Station]) -> None:
        """Do one trial, as often as it takes or is allowed."""
        station, reasons = stations[trial.device.name], list[str]()
        self._watch.trying(lane, trial)
        while True:
            self._room(self._folder.path, self._folder.mean_bytes(), self._lanes)
            try:
                self._once(lane, trial, station, len(reasons) + 1)
                return
            except DeviceGoneError as error:
                stations.pop(trial.device.name).close()
                self._gone(lane, trial.device, str(error))
                self._leave(trial)
                return
            except (StoppedError, DiskFullError):
                raise
            except Exception as error:  # a TrialError, or what a driver's library raises
                reasons.append(words_of(error))
                if isinstance(error, SettledTrialError) or len(reasons) >= self._tries:
                    self._failed(lane, trial, reasons)
                    return
                self._watch.again(lane, trial, reasons[-1])
            self._halt()

    def _once(self, lane: str, trial: Trial, station: Station, tries: int) -> None:
        with full_is_told(self._folder.path):
            part = self._folder.part(lane)
            recording = replace(station.record(trial, part, self._folder.start, self._halt), tries=tries)
            row = self._folder.deliver(recording, self._batch)
        station.accept(recording)
        with self._lock:
            self.outcome.recorded.append(trial)
            if recording.flagged:
                self.outcome.flagged.append((trial, recording.start))
        self._watch.recorded(lane, recording, row)

    def _failed(self, lane: str, trial: Trial, reasons: list[str]) -> None:
        with self._lock:
            self.outcome.failed.append((trial, reasons))
        with full_is_told(self._folder.path):
            self._folder.note("failed", trial=trial.key, reasons=reasons)
        self._watch.failed(lane, trial, reasons)

    def _gone(self, lane: str, device: Device, reason: str) -> None:
        with self._lock:
            self.outcome.gone[device.name] = reason
        self._watch.gone(lane, device, reason)

    def _leave(self, trial: Trial) -> None:
        with self._lock:
            self.outcome.left.append(trial)

    def _halt(self) -> None:
        if self._stop.is_set():
            raise StoppedError


def _join(threads: Sequence[threading.Thread]) -> None:
    """Wait for all. Not in join: a signal there makes Python 3.11 take a thread for ended that goes on."""
    while any(thread.is_alive() for thread in threads):
        time.sleep(LOOK_S)


def words_of(error: Exception) -> str:
    """Return what an error says; one that is not ours also with its kind."""
    return str(error) if isinstance(error, RecorderError) else f"{type(error).__name__}: {error}".strip(": ")
