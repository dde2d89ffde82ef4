"""Changes that nobody can see: an encoder that gets round to them shifts whole areas by a level or two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, AnyArray
from analysis.events.event import EVENT, Event
from analysis.kernels.levels import LEVELS
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class FaintLimits:
    """When a whole event is too faint to be seen."""

    levels: float = 5.0  # 24 px of a block that change by 12 levels move its mean by 4.5
    pictures: int = 16  # what goes on for longer is a motion


FAINT = FaintLimits()


def is_unseen(event: Event, others: Iterable[Event], recording: Recording, times_ms: F64) -> bool:
    """Return whether an event is too faint to be seen, and begins when all that can be seen of others rests.

    The last steps of a motion are faint as well, and follow at once.
    """
    if not _is_faint(event, recording):
        return False
    first = int(np.searchsorted(times_ms, event.start_ms - EVENT.apart_ms))
    for other in others:
        for picture in other.pictures[(other.pictures >= first) & (other.pictures < event.first)].tolist():
            ((_, codes),) = recording.store.span(picture, picture)
            if _strongest(codes, other) > FAINT.levels:
                return False
    return True


def _is_faint(event: Event, recording: Recording) -> bool:
    """Return whether a whole event changes no block visibly, neither in one picture nor in all of them together."""
    if not event.first or len(event.pictures) > FAINT.pictures:
        return False
    if any(_strongest(codes, event) > FAINT.levels for _, codes in recording.store.span(event.first, event.last)):
        return False
    where = event.place.ravel()
    (before, _), (now, _) = (
        next(recording.store.span(picture, picture)) for picture in (event.first - 1, event.last)
    )
    return bool(np.abs(now[:, where].astype(np.int32) - before[:, where]).max() <= 64 * FAINT.levels)


def _strongest(codes: AnyArray, event: Event) -> float:
    """Return the strongest change of an event's blocks in one picture, levels."""
    return float(LEVELS[(codes.reshape(event.shape)[event.box] * event.part).max()])
