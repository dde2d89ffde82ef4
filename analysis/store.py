"""A store of block means that stays flat in memory: beyond a budget it spills to a temporary file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

import numpy as np

from analysis.arrays import U8, U16

BUDGET_BYTES = 32 * 2**20


class BlockStore:
    """Appends pictures and reads them back in order, as often as asked.

    A picture is `means` (planes, blocks) in 1/64 levels and `strength` (blocks,) as kernels.tracking codes it.
    """

    def __init__(self, planes: int, blocks: int, budget_bytes: int = BUDGET_BYTES) -> None:
        self._shape = (planes, blocks)
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=budget_bytes)  # noqa: SIM115
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, means: U16, strength: U8) -> None:
        """Add one picture."""
        self._file.write(means.tobytes())
        self._file.write(strength.tobytes())
        self._count += 1

    def __iter__(self) -> Iterator[tuple[U16, U8]]:
        return self.span(0, self._count - 1)

    def span(self, first: int, last: int) -> Iterator[tuple[U16, U8]]:
        """Yield the pictures first … last, without reading the others; those that there are not are left out."""
        planes, blocks = self._shape
        first = max(first, 0)
        self._file.seek(first * (2 * planes + 1) * blocks)
        for _ in range(first, min(last + 1, self._count)):
            means = np.frombuffer(self._file.read(2 * planes * blocks), np.uint16).reshape(planes, blocks)
            yield means, np.frombuffer(self._file.read(blocks), np.uint8)
        self._file.seek(0, 2)

    def close(self) -> None:
        """Give the memory or the file back."""
        self._file.close()
