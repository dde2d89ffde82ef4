"""Finding: a screen that is filmed by a camera, which moves, flickers or sets its exposure.

What a camera does, it does to all places at once, and it never rests: whichever two instants a tenth of a second
apart are compared, a shift, a turn, a zoom, a change of brightness and bands that roll over the picture (sway.py)
explain a good part of what differs, at every place. A screen that does such a thing, as a page that scrolls, rests
before or after, or a toolbar stays; noise is never at rest, and has nothing that all places share. Light alone may
rest where it turns back: it changes before the user acts and after the screen has settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, F64
from analysis.detection.changes import Changes
from analysis.detection.noise import FROZEN, NOISE, calmest_share
from analysis.detection.sway import Sway, sway_between
from analysis.video.areas import by_cells
from analysis.video.recording import Recording


@dataclass(frozen=True, slots=True)
class CameraLimits:
    """When all that changes is a camera's."""

    start_ms: float = 100.0  # after the first picture, which the encoder still sharpens
    apart_ms: tuple[float, ...] = (120.0, 70.0, 40.0)  # a hand sways far in the longest; light may beat as fast
    every_ms: float = 50.0
    most: int = 120  # instants: as many tell as much as more
    least: int = 8  # fewer tell nothing
    rests: float = 0.05  # of the instants, in which a camera may seem to: it turns back
    rests_of_few: float = 0.25  # of the fewest that tell something, which are asked first
    moves_levels: float = 0.15  # in all others: the root of the mean square over all blocks
    nearly: float = 0.25  # of it: then it may move far enough until another instant, and else hardly
    told: float = 0.2  # of what differs, in half of the instants
    along: float = 0.5  # of what all of the picture does, in half of the instants, …
    everywhere: float = 0.8  # … is done by this share of its places: a toolbar stays while a list scrolls
    window_ms: float = 600.0  # before the action, and before the end: where light may go on
    least_pictures: int = 8  # there; fewer tell nothing
    visible: float = 0.5  # of the parts of the screen change visibly in each
    stays: float = 0.85  # of the variance is there all the time; of what scrolls or plays, 0.1 to 0.65
    lag: int = 4  # pictures: exposure drifts slowly, and grain does not add up
    gain: float = 0.5  # of the energy of such shifts is explained by a change of brightness


CAMERA = CameraLimits()


def filmed_by_camera(recording: Recording, changes: Changes, action_ms: float) -> bool:
    """Return whether the picture moves as a whole all the time, or its light before the action and at the end.

    `changes` are those of a recording taken for a clean one.
    """
    return _sways(recording) or _light_changes(recording, changes, action_ms)


def _sways(recording: Recording) -> bool:
    """Return whether all of the picture moves at nearly every instant, and every place of it with the others."""
    end_ms = float(recording.time_ms[-1])
    instants = np.arange(CAMERA.start_ms, end_ms - max(CAMERA.apart_ms), CAMERA.every_ms)
    if len(instants) < CAMERA.least:
        return False
    chosen = instants[np.linspace(0, len(instants) - 1, min(len(instants), CAMERA.most)).astype(int)]
    few = chosen[
        np.linspace(0, len(chosen) - 1, CAMERA.least).astype(int)
    ]  # they tell of nearly every other screen
    return _sways_at(recording, few, CAMERA.rests_of_few) and _sways_at(recording, chosen, CAMERA.rests)


def _sways_at(recording: Recording, instants: F64, rests: float) -> bool:
    """Return the same of some instants, of which this share may rest."""
    may_rest = int(rests * len(instants))
    pairs = [_pairs(recording, *shown) for shown in _shown(recording, instants)]
    if sum(not there for there in pairs) > may_rest:
        return False  # as nearly every recording soon is, before anything is fitted
    seen: list[Sway] = []
    for there in pairs:
        found = _sway(there)
        may_rest -= found is None
        if may_rest < 0:
            return False
        seen += [found] if found else []
    parts = np.array([one.along for one in seen])
    along = np.nanmedian(parts[:, ~np.isnan(parts).all(axis=0)], axis=0)
    told = float(np.median([one.told for one in seen]))
    return told >= CAMERA.told and bool((along >= CAMERA.along).mean() >= CAMERA.everywhere)


def _shown(recording: Recording, at_ms: F64) -> Iterator[tuple[int, ...]]:
    """Yield which picture is shown at each of some instants, and which are in the times after it."""
    shown = [at_ms + apart_ms for apart_ms in (0.0, *CAMERA.apart_ms)]
    yield from zip(
        *((np.searchsorted(recording.picture_ms, at, side="right") - 1).tolist() for at in shown), strict=True
    )


def _pairs(recording: Recording, earlier: int, *others: int) -> list[tuple[F32, F32]]:
    """Return the picture and each of some others that differs enough, beginning with the one that does most."""
    before = _luma(recording, earlier)
    later = [_luma(recording, other) for other in others if other > earlier]
    apart = [float(np.sqrt(((after - before) ** 2).mean())) for after in later]
    order = np.argsort(apart)[::-1].tolist()
    return [(before, later[at]) for at in order if apart[at] >= CAMERA.moves_levels]


def _sway(pairs: Sequence[tuple[F32, F32]]) -> Sway | None:
    """Return how all of the picture moves in the first of some pairs in which it moves far enough.

    None if it rests: in none of them it does, nor nearly so in the first that is asked.
    """
    for before, after in pairs:
        sway = sway_between(before, after)
        if sway.levels >= CAMERA.moves_levels:
            return sway
        if sway.levels < CAMERA.nearly * CAMERA.moves_levels:
            return None
    return None


def _luma(recording: Recording, picture: int) -> F32:
    """Return (rows, columns): the mean luma of each block of a picture, levels."""
    means, _ = recording.store.at(picture)
    levels: F32 = (means[0] / 64).astype(np.float32)
    return levels.reshape(recording.grid.shape)


def _light_changes(recording: Recording, changes: Changes, action_ms: float) -> bool:
    """Return whether one gain and one offset for all blocks go on before the action and at the end.

    Where nothing was recorded before the action, what comes right after the first picture is looked at instead.
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
    return all(_goes_on(recording, changes, *window) for window in windows)


def _pictures(times_ms: F64, since_ms: float, until_ms: float) -> tuple[int, int]:
    """Return the first and the last picture that came in this time."""
    return int(np.searchsorted(times_ms, since_ms)), int(np.searchsorted(times_ms, until_ms)) - 1


def _goes_on(recording: Recording, changes: Changes, first: int, last: int) -> bool:
    if last - first < CAMERA.least_pictures:
        return False
    seen = changes.ever(range(first + 1, last + 1))
    if by_cells(seen.astype(np.float32)).mean() < CAMERA.visible:
        return False
    means = np.array([means[0] for means, _ in recording.store.span(first, last)], np.float32) / np.float32(64)
    structure = float(((means - means.mean(axis=1, keepdims=True)) ** 2).sum())
    if float(((means - means.mean(axis=0)) ** 2).sum()) > (1 - CAMERA.stays) * structure:
        return False
    return _brightness(means) >= CAMERA.gain


def _levelled(shifts: F32) -> F32:
    """Return the shifts (pictures, blocks), none stronger than half of the pictures are: a step is but one."""
    lengths = np.sqrt((shifts**2).sum(axis=1, keepdims=True))
    levelled: F32 = shifts * np.minimum(1, np.median(lengths) / np.maximum(lengths, 1e-6))
    return levelled


def _brightness(means: F32) -> float:
    """Return the share of the energy of slow shifts that a gain and an offset of each picture explain."""
    earlier, later = means[: -CAMERA.lag], means[CAMERA.lag :]
    shifts, centred = _levelled(later - earlier), earlier - earlier.mean(axis=1, keepdims=True)
    offset = shifts.mean(axis=1, keepdims=True)
    gain = (shifts * centred).sum(axis=1, keepdims=True) / np.maximum((centred**2).sum(axis=1, keepdims=True), 1e-9)
    return float(((gain * centred + offset) ** 2).sum() / max(float((shifts**2).sum()), 1e-9))
