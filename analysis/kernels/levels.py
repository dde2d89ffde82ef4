"""What compiled kernels and their callers must agree on: how blocks are sampled, coded and gathered in cells."""

from __future__ import annotations

import numpy as np

LUMA_LINES, CHROMA_LINES = 8, 4  # of each block are sampled, at even distances
CELL = 8  # blocks: CELL × CELL of them make a cell
SUMS = 14  # of each block tell how it was displaced (displacing.py)
FINE = 128  # the first codes of a strength are quarter levels, the others steps of two levels
LEVELS = np.concatenate([np.arange(FINE) / 4.0, 32.0 + 2.0 * np.arange(256 - FINE)]).astype(np.float32)
