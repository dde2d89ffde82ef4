"""One recording of OBS: begun, watched and ended by its own words, and never one that somebody else began."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from upreg_recorder.drivers.obs.connection import NOT_RUNNING, RUNNING, Connection, RefusedError
from upreg_recorder.failures import TrialError

START_S = 10.0  # until OBS has opened its file and its encoder gives pictures
STOP_S = 30.0  # until it has written the rest: software encoders look ahead
LOOK_S = 0.02
STATE = "OBS_WEBSOCKET_OUTPUT_"
STARTED, STOPPED, PAUSED = STATE + "STARTED", STATE + "STOPPED", STATE + "PAUSED"


@dataclass(frozen=True)
class Skipped:
    """Pictures that OBS did not compose in time (it repeats the one before), or did not encode, for a while."""

    composed: int
    encoded: int

    def __str__(self) -> str:
        """Say it as messages do."""
        return f"{self.composed} composed too late (OBS repeats the one before), {self.encoded} not encoded"

    @property
    def all(self) -> int:
        """Both together."""
        return self.composed + self.encoded


NONE_SKIPPED = Skipped(0, 0)


def skipped(before: Mapping[str, Any], after: Mapping[str, Any]) -> Skipped:
    """Return what OBS skipped between two answers to GetStats, whose counters never go back while it runs."""
    return Skipped(
        after["renderSkippedFrames"] - before["renderSkippedFrames"],
        after["outputSkippedFrames"] - before["outputSkippedFrames"],
    )


def refuse_while_recording(obs: Connection) -> None:
    """Raise TrialError if OBS records already."""
    if obs.ask("GetRecordStatus")["outputActive"]:
        raise TrialError(_taken())


class Recording:
    """The recording that this driver began, if any."""

    def __init__(self, obs: Connection) -> None:
        self._obs = obs
        self._ours = False
        self.path = ""

    def start(self) -> None:
        """Begin one, and wait until its pictures are encoded."""
        refuse_while_recording(self._obs)
        self._obs.forget_states()
        try:
            self._obs.ask("StartRecord")
        except RefusedError as error:
            if error.code == RUNNING:
                raise TrialError(_taken()) from error
            raise
        self._ours = True
        started = self._obs.wait_for(STARTED, START_S)
        if started is None:
            raise TrialError(
                f"OBS did not begin to record within {START_S:.0f} s: look at OBS for a question or an error, at "
                "its folder (Settings → Output → Recording Path) and at the space on its disk"
            )
        self.path = started.path
        self._wait_for_pictures()

    def stop(self) -> str:
        """End it and return the path of its file, once OBS says that it is written."""
        self._refuse_meddled()
        try:
            path = str(self._obs.ask("StopRecord").get("outputPath") or self.path)
        except RefusedError as error:
            if error.code == NOT_RUNNING:
                raise TrialError(self._stopped()) from error
            raise
        self._ours = False
        if not self._came_to_rest():
            raise TrialError(f"OBS did not finish its recording {path} within {STOP_S:.0f} s: look at OBS")
        return path

    def end(self) -> None:
        """End it if it still runs; what somebody else began in between goes on."""
        if not self._ours:
            return
        self._ours = False
        if any(state.name == STOPPED for state in self._obs.states()):
            return
        try:
            self._obs.ask("StopRecord")
            self._came_to_rest()
        except RefusedError as error:
            if error.code != NOT_RUNNING:
                raise

    def _wait_for_pictures(self) -> None:
        """Wait for the first bytes: `outputDuration` is 0 or 10¹² in OBS 29 once its rate was changed."""
        until = time.monotonic() + START_S
        while not self._obs.ask("GetRecordStatus")["outputBytes"]:
            if any(state.name == STOPPED for state in self._obs.states()):
                raise TrialError(self._stopped())
            if time.monotonic() > until:
                raise TrialError(
                    f"OBS records, but its encoder gave no picture within {START_S:.0f} s: choose another encoder"
                )
            time.sleep(LOOK_S)

    def _came_to_rest(self) -> bool:
        """Wait for the end of a recording; its event may come before OBS says that nothing is recorded any more."""
        until = time.monotonic() + STOP_S
        if self._obs.wait_for(STOPPED, STOP_S) is None:
            return False
        while self._obs.ask("GetRecordStatus")["outputActive"]:
            if time.monotonic() > until:
                return False
            time.sleep(LOOK_S)
        return True

    def _refuse_meddled(self) -> None:
        names = {state.name for state in self._obs.states()}
        if STOPPED in names:
            raise TrialError(self._stopped())
        if PAUSED in names:
            raise TrialError("the recording was paused in OBS: leave OBS alone while a plan runs")

    def _stopped(self) -> str:
        self._ours = False
        free = self._obs.ask("GetStats")["availableDiskSpace"]
        return (
            f"OBS ended the recording before its time: its disk has {free:.0f} MB left; if that is enough, "
            "somebody stopped it, or its encoder failed"
        )


def _taken() -> str:
    return "OBS is recording already: somebody else uses it. Stop that recording in OBS, or wait for its end"
