"""Finding: a screen that is filmed by a camera, which moves, flickers or sets its exposure.

What a camera does, it does to all places at once: the shifts of thousands of blocks, picture after picture, are the
same few patterns over and over (two for the directions of a shake, one for exposure, two for a flicker that rolls).
Noise has as many patterns as pictures, and so has what moves on a screen. A camera goes on before the user acts and
after the screen has settled, and it goes to and fro; a page that scrolls does neither.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, F64
from analysis.detection.changes import Changes
from analysis.detection.noise import FROZEN, NOISE, calmest_share
from analysis.video.areas import by_cells
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class CameraLimits:
    """When all that changes is a camera's."""

    window_ms: float = 600.0  # before the action, and before the end
    start_ms: float = 100.0  # after the first picture, which the encoder still sharpens
    least_pictures: int = 8  # fewer tell nothing
    visible: float = 0.5  # of the parts of the screen change visibly in each window
    stays: float = (
        0.85  # of the picture's own variance is there all the time; of what scrolls or plays, 0.1 to 0.65
    )
    patterns: int = 3  # of a shake or a flicker, as a rule
    explained: float = (
        0.35  # of the energy of all shifts by these patterns, beyond the share that noise gives to any
    )
    reversals: int = 3  # of the strongest pattern, in each window: what pans or zooms slowly does not turn back
    apart: int = 4  # pictures: exposure drifts slowly, and grain does not add up
    gain: float = 0.5  # of the energy of such shifts is explained by a change of brightness


CAMERA = CameraLimits()


def filmed_by_camera(recording: Recording, changes: Changes, action_ms: float) -> bool:
    """Return whether the picture moves or flickers as a whole before the action and at the end as well.

    `changes` are those of a recording taken for a clean one. Where nothing was recorded before the action, what
    comes right after the first picture is looked at instead.
    """
    end_ms, times = float(recording.time_ms[-1]), recording.picture_ms
    stirs = calmest_share(recording.upper, times, end_ms, NOISE.calm_share)
    if not stirs and not calmest_share(changes.energy, times, end_ms, FROZEN.calm):
        return False  # a sensor is never so quiet, not even behind an encoder that freezes its grain
    before = max(action_ms - CAMERA.window_ms, CAMERA.start_ms), action_ms
    first = CAMERA.start_ms, CAMERA.start_ms + CAMERA.window_ms
    windows = [_pictures(times, *before), _pictures(times, end_ms - CAMERA.window_ms, end_ms)]
    if windows[0][1] - windows[0][0] < CAMERA.least_pictures:
        windows[0] = _pictures(times, *first)
        if windows[1][0] < windows[0][1]:  # else one page that scrolls would be seen in both
            middle = (windows[0][0] + windows[1][1]) // 2
            windows = [(windows[0][0], middle), (middle, windows[1][1])]
    return all(_as_a_whole(recording, changes, *window) for window in windows)


def _pictures(times_ms: F64, since_ms: float, until_ms: float) -> tuple[int, int]:
    """Return the first and the last picture that came in this time."""
    return int(np.searchsorted(times_ms, since_ms)), int(np.searchsorted(times_ms, until_ms)) - 1


def _as_a_whole(recording: Recording, changes: Changes, first: int, last: int) -> bool:
    if last - first < CAMERA.least_pictures:
        return False
    seen = np.any([changes.blocks(picture) for picture in range(first + 1, last + 1)], axis=0)
    if by_cells(seen.astype(np.float32)).mean() < CAMERA.visible:
        return False
    means = np.array([means[0] for means, _ in recording.store.span(first, last)], np.float32) / np.float32(64)
    structure = float(((means - means.mean(axis=1, keepdims=True)) ** 2).sum())
    if float(((means - means.mean(axis=0)) ** 2).sum()) > (1 - CAMERA.stays) * structure:
        return False
    return _shakes(means) or _brightness(means) >= CAMERA.gain


def _shakes(means: F32) -> bool:
    """Return whether the blocks (pictures, blocks) go to and fro in a few patterns that all of them share."""
    shifts = _levelled(np.diff(means, axis=0))
    energy, courses = np.linalg.eigh(shifts @ shifts.T)
    told = energy[-CAMERA.patterns :].sum() / max(float(energy.sum()), 1e-9)
    turns = np.count_nonzero(np.diff(np.sign(courses[:, -1])))
    return bool(told >= CAMERA.explained + CAMERA.patterns / len(shifts) and turns >= CAMERA.reversals)


def _levelled(shifts: F32) -> F32:
    """Return the shifts (pictures, blocks), none stronger than half of the pictures are: a step is but one."""
    lengths = np.sqrt((shifts**2).sum(axis=1, keepdims=True))
    levelled: F32 = shifts * np.minimum(1, np.median(lengths) / np.maximum(lengths, 1e-6))
    return levelled


def _brightness(means: F32) -> float:
    """Return the share of the energy of slow shifts that a gain and an offset of each picture explain."""
    earlier, later = means[: -CAMERA.apart], means[CAMERA.apart :]
    shifts, centred = _levelled(later - earlier), earlier - earlier.mean(axis=1, keepdims=True)
    offset = shifts.mean(axis=1, keepdims=True)
    gain = (shifts * centred).sum(axis=1, keepdims=True) / np.maximum((centred**2).sum(axis=1, keepdims=True), 1e-9)
    return float(((gain * centred + offset) ** 2).sum() / max(float((shifts**2).sum()), 1e-9))
