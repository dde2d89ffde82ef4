"""Finding: which blocks of which picture changed. Judging what that means is done elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools
from analysis.recording import Recording


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What changed, and how that was decided.

    `blocks` is (m, rows, columns): True where a block of picture i differs visibly from picture i - 1.
    """

    blocks: Bools
    threshold_levels: float
    noise_levels: float


def find_changes(recording: Recording, ignored: Bools, threshold: float = 4.0) -> Changes:
    """Find visibly changed blocks, leaving out the ignored ones."""
    rows, columns = recording.grid.shape
    steps = np.abs(
        np.diff(recording.planes.astype(np.int32), axis=0, prepend=recording.planes[:1].astype(np.int32))
    )
    strong = (steps.max(axis=1) >= threshold * 64).reshape(-1, rows, columns) & ~ignored
    return Changes(strong & (_neighbours(strong) >= 3), threshold, 0.0)


def _neighbours(blocks: Bools) -> np.ndarray:
    padded = np.pad(blocks.astype(np.int8), ((0, 0), (1, 1), (1, 1)))
    rows, columns = blocks.shape[1:]
    total = np.zeros(blocks.shape, np.int8)
    for dy in range(3):
        for dx in range(3):
            total += padded[:, dy : dy + rows, dx : dx + columns]
    return total
