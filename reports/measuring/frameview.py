"""One frame of a run to look at, and where the next and the previous ones are: steps without a player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.measuring.series import NEAR_MS, RunSeries
from reports.models import Run

US_PER_MS = 1000


@dataclass(frozen=True)
class FrameView:
    """A frame, its time after the first frame and after the action (ms), and its neighbours in microseconds.

    It stays on the screen until ``until_ms``; a recorder that writes changes alone lets one stand for seconds.
    ``number`` counts from 1; both it and ``frames`` are None where the frames of the recording are not known, and
    steps go by slots of the screen then. The steps between changes lead to frames that show something new.
    """

    time_ms: float
    until_ms: float
    after_action_ms: float
    number: int | None
    frames: int | None
    previous: int | None
    next: int | None
    previous_change: int | None
    next_change: int | None

    @property
    def at_action(self) -> bool:
        """Tell whether the frame was on the screen when the user acted."""
        return self.time_ms <= self.time_ms - self.after_action_ms < self.until_ms

    @property
    def stays_ms(self) -> float:
        """How long the frame is on the screen."""
        return self.until_ms - self.time_ms

    @property
    def time_us(self) -> int:
        """The time of the frame, as addresses of stills carry it."""
        return round(self.time_ms * US_PER_MS)


def view_frame(run: Run, series: RunSeries | None, at_us: int | None) -> FrameView | None:
    """Return the frame on the screen at this time, the one of the action if none is asked for.

    None for a recording of which nothing was ever read: it has no pictures to show.
    """
    if not run.width_px:
        return None
    at_ms = run.action_ms if at_us is None else at_us / US_PER_MS
    if series is None or not len(series.series.time_ms):
        return _by_slots(run, at_ms)
    times, changed = series.series.time_ms, series.changed
    at = max(0, int(np.searchsorted(times, at_ms + NEAR_MS, side="right")) - 1)
    return FrameView(
        time_ms=float(times[at]),
        until_ms=float(times[at + 1]) if at + 1 < len(times) else max(float(times[at]), run.duration_ms or 0.0),
        after_action_ms=float(times[at]) - run.action_ms,
        number=at + 1,
        frames=len(times),
        previous=_time_us(times, at - 1),
        next=_time_us(times, at + 1),
        previous_change=_time_us(times, _last(changed[changed < at])),
        next_change=_time_us(times, _first(changed[changed > at])),
    )


def _by_slots(run: Run, at_ms: float) -> FrameView:
    slot_ms = 1000.0 / run.device.refresh_hz
    end_ms = run.duration_ms or at_ms + slot_ms
    at_ms = min(max(at_ms, 0.0), end_ms)
    return FrameView(
        time_ms=at_ms,
        until_ms=at_ms + slot_ms,
        after_action_ms=at_ms - run.action_ms,
        number=None,
        frames=None,
        previous=round(max(0.0, at_ms - slot_ms) * US_PER_MS) if at_ms > 0 else None,
        next=round(min(end_ms, at_ms + slot_ms) * US_PER_MS) if at_ms < end_ms else None,
        previous_change=None,
        next_change=None,
    )


def _time_us(times: NDArray[np.float64], index: int | None) -> int | None:
    return None if index is None or not 0 <= index < len(times) else round(float(times[index]) * US_PER_MS)


def _first(indices: NDArray[np.int64]) -> int | None:
    return int(indices[0]) if len(indices) else None


def _last(indices: NDArray[np.int64]) -> int | None:
    return int(indices[-1]) if len(indices) else None
