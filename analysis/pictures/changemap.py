"""The change map: where the screen changed after the action, how often, and what did not count."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from analysis.arrays import AnyArray
from analysis.detection.changes import above_noise, find_changes
from analysis.options import MeasureOptions
from analysis.video.grid import BlockGrid
from analysis.video.recording import read_recording

SELDOM_BGRA, OFTEN_BGRA = (60, 170, 250, 150), (40, 20, 170, 215)  # amber to dark red
IGNORED_BGRA = (130, 130, 130, 150)
OFTEN = 30  # changes that count as "often": half a second of motion at 60 Hz


def change_map(path: Path, options: MeasureOptions) -> bytes:
    """Return a PNG of the picture's shape; one picture element is one block of the measurement.

    Where black around the screen was cut off for that, it is one pixel instead, and what lies around is empty.
    It is coloured by in how many pictures after the action the block changed visibly; masked blocks are grey.
    Raises UnreadableVideoError.
    """
    return cv2.imencode(".png", _paint(*_counted(path, options)))[1].tobytes()


def _counted(path: Path, options: MeasureOptions) -> tuple[AnyArray, AnyArray]:
    """Return how often each element changed and which are masked, both (rows, columns), upright."""
    recording = replace(read_recording(path), declared_variable=options.variable_rate)
    with closing(recording.store):
        masked = recording.grid.masked(options.masks)
        changes = above_noise(recording, find_changes(recording, masked), masked)
    counts = np.zeros(recording.grid.shape, np.int64)
    for picture in changes.changed_pictures():
        if recording.picture_ms[picture] >= options.action_ms:
            counts += changes.blocks(picture)
    turns = {90: 3, 180: 2, 270: 1}.get(recording.grid.rotation, 0)
    return np.rot90(_placed(counts, recording.grid), turns), np.rot90(_placed(masked, recording.grid), turns)


def _placed(blocks: AnyArray, grid: BlockGrid) -> AnyArray:
    """Return blocks as they are; in pixels of the whole coded picture if the screen is but a part of it."""
    if not grid.whole:
        return blocks
    width, height = grid.whole
    placed = np.zeros((height, width), blocks.dtype)
    pixels = blocks.repeat(grid.size, axis=0).repeat(grid.size, axis=1)[: grid.height, : grid.width]
    placed[grid.top : grid.top + grid.height, grid.left : grid.left + grid.width] = pixels
    return placed


def _paint(counts: AnyArray, masked: AnyArray) -> AnyArray:
    share = np.clip(np.log1p(counts) / np.log1p(OFTEN), 0.0, 1.0)[..., None]
    picture = (1 - share) * np.array(SELDOM_BGRA) + share * np.array(OFTEN_BGRA)
    picture[counts == 0] = 0
    picture[masked] = IGNORED_BGRA
    painted: AnyArray = picture.astype(np.uint8)
    return painted
