"""Recordings made of blocks by hand: what each block shows is painted, and what changed is known without video."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from analysis.detection.changes import NOTHING, Changes
from analysis.events.background import find_background
from analysis.events.bars import Company
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import find_events
from analysis.events.judging import Judged, apply_rules
from analysis.events.mark import find_mark
from analysis.events.moments import Moments, decide, look
from analysis.events.scene import Scene
from analysis.events.touch import system_bars, touched
from analysis.kernels.limits import BlockLimits
from analysis.options import MeasureOptions
from analysis.video.decode import VideoInfo
from analysis.video.grid import BlockGrid
from analysis.video.recording import Recording
from analysis.video.store import BlockStore

SHAPE = (48, 30)  # blocks: rows, columns
SLOT = 1000 / 60
VISIBLE_LEVELS = 6.0
Paint = Callable[[np.ndarray, float], None]  # paints the luma level of each block at a time, ms


def slots(seconds: float) -> list[float]:
    """Return the times of a capture at 60 Hz."""
    return [index * SLOT for index in range(round(seconds * 60))]


def film_blocks(
    paint: Paint, times_ms: Sequence[float], *, variable: bool = False, key_frames: Sequence[int] = ()
) -> tuple[Recording, Changes]:
    """Return a recording of what was painted, and its visible changes."""
    boards = []
    for time in times_ms:
        board = np.full(SHAPE, 200.0)
        paint(board, time)
        boards.append(board)
    fresh = [True] + [bool((one != other).any()) for one, other in pairwise(boards)]
    pictures = [board for board, new in zip(boards, fresh, strict=True) if new]
    steps = [np.abs(now - before) for before, now in zip([pictures[0], *pictures], pictures, strict=False)]
    store = BlockStore(1, SHAPE[0] * SHAPE[1])
    for board, step in zip(pictures, steps, strict=True):
        strength = np.where(step < 32, np.rint(step * 4), 128 + (step - 32) / 2)
        store.append(np.rint(board.reshape(1, -1) * 64).astype(np.uint16), strength.ravel().astype(np.uint8))
    grid = BlockGrid(SHAPE[1] * 8, SHAPE[0] * 8, 8)
    still = np.zeros(len(pictures), np.float32)
    recording = Recording(
        info=VideoInfo(grid.width, grid.height, 0, times_ms[-1], len(times_ms), "none", "gray", True, "none"),
        grid=grid, time_ms=np.array(times_ms, float), picture=np.cumsum(fresh) - 1,
        key_frame=np.isin(np.arange(len(pictures)), [0, *key_frames]), store=store,
        median=still, upper=still, ssim_mean=still + 1, ssim_worst=still + 1, declared_variable=variable,
    )  # fmt: skip
    return recording, _changes(steps)


def _changes(steps: Sequence[np.ndarray]) -> Changes:
    visible = [step >= VISIBLE_LEVELS for step in steps]
    return Changes(
        shape=SHAPE,
        packed=[np.packbits(blocks) if blocks.any() else NOTHING for blocks in visible],
        count=np.array([blocks.sum() for blocks in visible], float),
        energy=np.array([step[step >= 2].sum() for step in steps]),
        limits=BlockLimits(),
        floor_levels=0.0,
    )


def changes_of(blocks: Sequence[np.ndarray]) -> Changes:
    """Return changes by what each picture changes, (rows, columns)."""
    return replace(_changes([100.0 * changed for changed in blocks]), shape=blocks[0].shape)


def find_in(changes: Changes, picture: int, place: tuple[slice | int, slice | int]) -> None:
    """Let what a picture changes be found, at this place (rows, columns) alone."""
    blocks = nothing_ignored()
    blocks[place] = True
    changes.packed[picture], changes.count[picture] = np.packbits(blocks), blocks.sum()


def nothing_ignored() -> np.ndarray:
    """Return (rows, columns) of a screen without masks."""
    return np.zeros(SHAPE, bool)


def ruled(recording: Recording, changes: Changes, options: MeasureOptions, finger=None, without=()) -> list[Judged]:
    """Return the events after the action, with the rules applied."""
    events = find_events(changes, recording.picture_ms)
    background = find_background(
        recording, changes, events, options, nothing_ignored(), system_bars(recording.grid)
    )
    finger = nothing_ignored() if finger is None else finger
    times, variable = recording.picture_ms, recording.variable_rate
    bars, near_finger = system_bars(recording.grid), touched(recording.grid, options.touch_xy)
    scene = Scene(
        recording, changes, events, background, finger, options.action_ms, times, variable, bars, near_finger,
        Pointer(SHAPE), Company(events, background, changes, times), nothing_ignored(),
        mark=find_mark(recording, changes, times, options.action_ms),
    )  # fmt: skip
    return apply_rules(scene, without)


def judged(recording: Recording, changes: Changes, options: MeasureOptions, without=()) -> Moments:
    """Return the moments of a recording without masks."""
    return decide(look(recording, changes, options, nothing_ignored(), without), without)
