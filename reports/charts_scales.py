"""What the plots of the drill-down are drawn on: the height of an SSIM, still screens, ticks, the first view."""

import numpy as np
from numpy.typing import NDArray

from reports.measuring.series import RunSeries

GAP_TICKS_MS = (16.7, 33.3, 100.0, 300.0, 1000.0)
GAP_RANGE_MS = (10.0, 1600.0)
SSIM_TICKS = (0.0, 0.9, 0.99, 0.999, 1.0)
SSIM_STRETCH = 1000.0


def ssim_height(ssim: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return where an SSIM is drawn, 0 (SSIM 0) to 1 (SSIM 1): 1 − log(1 + 1000 (1 − s)) / log(1001).

    A tap's ripple lies at 0.998, a full change at 0.5: a plain axis would hide the one that matters.
    """
    distance = np.clip(1.0 - np.asarray(ssim, dtype=np.float64), 0.0, 1.0)
    return 1.0 - np.log1p(SSIM_STRETCH * distance) / np.log1p(SSIM_STRETCH)


def still_gaps(run: RunSeries) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return times and frame indices with a "still" point (index −1) wherever the screen stood after a frame.

    A gap of more than a refresh shows the same picture: equal to itself, SSIM 1. Without the point a plot would
    draw a slope between two frames where nothing happened.
    """
    clock = run.clock_ms
    frames = np.arange(len(clock))
    slot = 1000.0 / run.refresh_hz
    long = np.flatnonzero(np.diff(clock) > 1.5 * slot)
    extra = np.repeat(long, 2)
    times = np.empty(len(extra))
    times[0::2], times[1::2] = clock[long] + slot * 0.5, clock[long + 1] - slot * 0.5
    order = np.argsort(np.concatenate([clock, times]), kind="stable")
    return np.concatenate([clock, times])[order], np.concatenate([frames, np.full(len(extra), -1)])[order]


def time_range(runs: list[RunSeries]) -> list[float]:
    """Return the first view: from just before the action to just after the later finish, ms."""
    ends = [run.finish_ms if run.finish_ms is not None else float(run.clock_ms[-1]) for run in runs]
    end = max(ends, default=1000.0)
    pad = max(60.0, 0.12 * end)
    return [-pad, end + pad]
