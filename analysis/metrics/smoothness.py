"""Smoothness: refresh slots in which a moving screen showed nothing new."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64
from analysis.metrics.base import Judged


@dataclass(frozen=True, slots=True)
class SmoothnessLimits:
    """What is a drop and what is none."""

    pause_ms: float = 249.0  # a quarter of a second, and what a 60 Hz grid makes of it: a timer, the network


SMOOTHNESS = SmoothnessLimits()


def lost_slots(gaps_ms: F64, refresh_hz: float) -> F64:
    """Return (n,): the refresh slots lost in each gap between two new pictures, round(Δt · refresh_hz / 1000) − 1.

    A gap of `pause_ms` or more is a pause (a timer, the network), not a drop. This counts for the metric and for
    the plots alike.
    """
    slots = np.rint(gaps_ms * refresh_hz / 1000) - 1
    return np.where(gaps_ms < SMOOTHNESS.pause_ms, np.maximum(slots, 0), 0)


def dropped_frames(judged: Judged) -> float | None:
    """Return the refresh slots without anything new while the screen moved, pauses left out."""
    gaps = _gaps_ms(judged)
    return None if gaps is None else float(lost_slots(gaps, judged.refresh_hz).sum())


def dropped_frames_paper(judged: Judged) -> float | None:
    """Return the paper's literal estimate, Σ ⌊Δt / vsync⌋ − 1 with vsync in ms rounded to two digits.

    It gives −1 for a perfect step of 16.667 ms; kept for comparison with published figures only.
    """
    gaps = _gaps_ms(judged)
    if gaps is None:
        return None
    vsync_ms = round(1000 / judged.refresh_hz, 2)
    return float(sum(math.floor(gap / vsync_ms) - 1 for gap in gaps))


def longest_freeze_ms(judged: Judged) -> float | None:
    """Return the longest time in ms between two changes of a moving screen, pauses left out."""
    gaps = _gaps_ms(judged)
    if gaps is None:
        return None
    return float(gaps[gaps < SMOOTHNESS.pause_ms].max(initial=0.0))


def _gaps_ms(judged: Judged) -> F64 | None:
    if judged.response is None or judged.finish is None:
        return None
    inside = judged.moving[(judged.moving >= judged.response) & (judged.moving <= judged.finish)]
    return np.diff(judged.time_ms[inside])
