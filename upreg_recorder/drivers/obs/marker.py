"""The patch that OBS draws into its film: it tells when, on the clock of the film, something happened here.

OBS shows and hides it by request. Each change reaches the film with the next picture that OBS composes. So where a
change was asked for at `sent_s` and answered at `answered_s`, the picture of `seen_ms` that is the first to show it
was composed in (sent_s, answered_s + one picture]. Changes at different phases of OBS's beat narrow that down.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from upreg_recorder.drivers.obs.connection import EXISTS, MISSING, Connection, RefusedError
from upreg_recorder.drivers.obs.staging import Rate, StageError
from upreg_recorder.failures import DeviceGoneError

NAME = "UPReg marker"
MAGENTA = 0xFFFF00FF  # OBS writes colours as alpha, blue, green, red; few apps have it in a corner
SIDE = 0.12  # of the canvas's shorter side; a corner's flash is seen from 0.04 on
REMOVED_S = 5.0
LOOK_S = 0.02
ROUNDED_MS = 0.5  # Matroska keeps whole ms
SHOWN_PICTURES = (3.25, 3.25, 3.25, 3.25)  # between changes: each falls a quarter later into OBS's beat


@dataclass(frozen=True)
class Change:
    """The marker was shown or hidden between two instants of this computer's `time.monotonic`."""

    sent_s: float
    answered_s: float


@dataclass(frozen=True)
class Sync:
    """What to add to `time.monotonic` in ms for the film's time, ms after its first frame, and to ± how much."""

    offset_ms: float
    uncertain_ms: float

    def film_ms(self, host_s: float) -> float:
        """Return when in the film something happened."""
        return host_s * 1000 + self.offset_ms


class Marker:
    """The patch in the lower right corner of a scene; made if need be, and taken away again if it was made."""

    def __init__(self, obs: Connection, scene: str, rate: Rate) -> None:
        self._obs, self._scene = obs, scene
        self._period_s = 1 / rate.fps
        self.side = 2 * math.ceil(SIDE * min(rate.canvas) / 2)
        self._item = self._make(rate)

    def __enter__(self) -> Self:
        """Make it ready."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Take it away; an error that is under way stays the one that is told."""
        with suppress(DeviceGoneError, RefusedError):
            self.remove()

    def blink(self) -> list[Change]:
        """Show it and hide it twice; returns the four changes."""
        changes = []
        for number, pictures in enumerate(SHOWN_PICTURES):
            sent = time.monotonic()
            self._show(number % 2 == 0)
            changes.append(Change(sent, time.monotonic()))
            time.sleep(pictures * self._period_s)
        return changes

    def remove(self) -> None:
        """Take it out of the scene."""
        try:
            self._obs.ask("RemoveInput", inputName=NAME)
        except RefusedError as error:
            if error.code != MISSING:
                raise

    def _make(self, rate: Rate) -> int:
        kinds = self._obs.ask("GetInputKindList")["inputKinds"]
        kind = max((kind for kind in kinds if kind.startswith("color_source")), default="")
        if not kind:
            raise StageError("this OBS has no colour source, which marks the clock in its films: install it whole")
        item = self._create(kind)
        place = {"positionX": rate.canvas[0] - self.side, "positionY": rate.canvas[1] - self.side}
        self._obs.ask("SetSceneItemTransform", sceneName=self._scene, sceneItemId=item, sceneItemTransform=place)
        return item

    def _create(self, kind: str) -> int:
        """Create the patch, hidden; one left from before is taken away first, which OBS does in its time."""
        until = time.monotonic() + REMOVED_S
        while True:
            try:
                made = self._obs.ask(
                    "CreateInput", sceneName=self._scene, inputName=NAME, inputKind=kind, sceneItemEnabled=False,
                    inputSettings={"color": MAGENTA, "width": self.side, "height": self.side},
                )  # fmt: skip
                return int(made["sceneItemId"])
            except RefusedError as error:
                if error.code != EXISTS or time.monotonic() > until:
                    raise
            self.remove()
            time.sleep(LOOK_S)

    def _show(self, shown: bool) -> None:
        self._obs.ask("SetSceneItemEnabled", sceneName=self._scene, sceneItemId=self._item, sceneItemEnabled=shown)


def synchronise(changes: Sequence[Change], seen_ms: Sequence[float], period_ms: float) -> Sync:
    """Return how this computer's clock and the film's belong together.

    `seen_ms` are the first pictures that show each of the changes. A picture that OBS composed too late shows a
    change later than it should: then the bounds contradict each other, and the latest of them does not count.
    """
    pairs = list(zip(changes, seen_ms, strict=True))
    high = min(seen - change.sent_s * 1000 for change, seen in pairs) + ROUNDED_MS
    lows = [seen - change.answered_s * 1000 - period_ms - ROUNDED_MS for change, seen in pairs]
    low = max(lows) if max(lows) <= high else min(lows)
    return Sync((low + high) / 2, (high - low) / 2)
