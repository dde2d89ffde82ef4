"""Pictures that an encoder coded anew without a key frame: all stirs a little, each block on its own."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from analysis.arrays import F32, F64, Bools
from analysis.kernels.levels import CELL, LEVELS
from analysis.video.areas import by_cells
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class RefreshLimits:
    """What tells a picture that was coded anew from one that shows something new."""

    alone_ms: float = 250.0  # before and after it, in which no picture stirs nearly as strongly: no fade, no motion
    as_strongly: float = 0.7  # as it: the steps of a fade are alike
    corrected_ms: float = 150.0  # after it, in which the encoder still corrects what it coded
    most_levels: float = 12.0  # of the upper quantile of its blocks: what is stronger all over is no noise
    stands_out: float = 4.0  # times that quantile: the strongest of thousands of blocks that err each on its own
    stir_levels: float = 2.0  # a block that moved at all
    structure_levels: float = 16.0  # between the means of a cell's blocks: something is shown there
    everywhere: float = 0.8  # of the cells that show something stir
    agree: float = 0.5  # |Σ shift| / Σ |shift|: 1 where all goes the same way, as a screen that dims does
    stays: float = 0.5  # of the energy by which blocks stand out from those around: of another page, none does


REFRESH = RefreshLimits()


def is_refresh(
    recording: Recording, blocks: Bools, picture: int, times_ms: F64, limits: RefreshLimits = REFRESH
) -> bool:
    """Return whether what these blocks, (rows, columns), do in a picture is only that the picture was coded anew.

    A block that stands out from thousands which err each on its own shows something else. So it does in the
    pictures after it, which correct it: there the limit is what most blocks had moved.
    """
    _, strength = recording.store.at(picture)
    strongest, stirs = float(LEVELS[strength[blocks.ravel()].max()]), recording.upper
    if strongest <= limits.stands_out * stirs[picture] and is_coded_anew(recording, picture, times_ms, limits):
        return True
    first = max(int(np.searchsorted(times_ms, times_ms[picture] - limits.corrected_ms)), 1)
    as_strong = first + np.flatnonzero(stirs[first:picture] >= strongest)
    return any(is_coded_anew(recording, earlier, times_ms, limits) for earlier in as_strong.tolist())


def is_coded_anew(recording: Recording, picture: int, times_ms: F64, limits: RefreshLimits = REFRESH) -> bool:
    """Return whether one picture, alone in time, stirs all that the screen shows, weakly and without any pattern.

    A key frame does, and says so; an encoder that changes its quality, or refreshes what it predicts from, does the
    same without saying. A screen that dims goes one way, and one that fades does so picture after picture.
    """
    own = float(recording.upper[picture])
    if not limits.stir_levels <= own <= limits.most_levels:
        return False
    since, until = np.searchsorted(
        times_ms, (times_ms[picture] - limits.alone_ms, times_ms[picture] + limits.alone_ms)
    )
    beside = np.delete(recording.upper[since:until], picture - since)
    if beside.max(initial=0) > limits.as_strongly * own:
        return False
    (before, _), (after, strength) = recording.store.span(picture - 1, picture)
    shape, levels = recording.grid.shape, LEVELS[strength]
    shown = (before[0] / np.float32(64)).reshape(shape)
    shift = (after[0] / np.float32(64)).reshape(shape) - shown
    stirred = (levels >= limits.stir_levels).reshape(shape)
    structured = _spread(shown) >= limits.structure_levels
    if not structured.any() or by_cells(stirred.astype(np.float32))[structured].mean() < limits.everywhere:
        return False
    if abs(float(shift.sum())) > limits.agree * float(np.abs(shift).sum()):
        return False
    left, structure = (float((_apart(values) ** 2).sum()) for values in (shift, shown))
    return left <= (1 - limits.stays) * structure


def _spread(values: F32) -> F32:
    """Return the difference between the largest and the smallest value of each cell."""
    highest: F32 = by_cells(values)
    return highest - (255 - by_cells(255 - values))


def _apart(values: F32) -> F32:
    """Return how far each value lies off the mean of those within half a cell."""
    apart: F32 = (values - cv2.blur(values, (CELL + 1, CELL + 1))).astype(np.float32)
    return apart
