"""How a strength in levels is written in 8 bits, and how blocks are gathered in cells."""

from __future__ import annotations

import numpy as np

CELL = 8  # blocks: CELL × CELL of them make a cell
FINE = 128  # the first codes of a strength are quarter levels, the others steps of two levels
LEVELS = np.concatenate([np.arange(FINE) / 4.0, 32.0 + 2.0 * np.arange(256 - FINE)]).astype(np.float32)
