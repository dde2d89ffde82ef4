"""A store of block means that stays flat in memory: beyond a budget it spills to a temporary file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

import numpy as np

from analysis.arrays import U8, U16

BUDGET_BYTES = 64 * 2**20


class BlockStore:
    """Appends pictures and reads them back in order, as often as asked.

    A picture is `means` (planes, blocks) in 1/64 levels and `strength` (blocks,), coded as levels.LEVELS says.
    """

    def __init__(self, planes: int, blocks: int, budget_bytes: int = BUDGET_BYTES) -> None:
        self._shape, self._budget = (planes, blocks), budget_bytes
        self._held: list[bytes] = []  # means and strength in turns, as long as the budget lasts
        self._file: IO[bytes] | None = None
        self._count = 0

    @property
    def planes(self) -> int:
        """How many planes a picture has."""
        return self._shape[0]

    def __len__(self) -> int:
        return self._count

    def append(self, means: U16, strength: U8) -> None:
        """Add one picture."""
        self._count += 1
        if self._file is None and self._count * (means.nbytes + strength.nbytes) > self._budget:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
            self._file.writelines(self._held)
            self._held.clear()
        if self._file is None:
            self._held += [means.tobytes(), strength.tobytes()]
        else:
            self._file.seek(0, 2)
            self._file.write(means.data)
            self._file.write(strength.data)

    def __iter__(self) -> Iterator[tuple[U16, U8]]:
        return self.span(0, self._count - 1)

    def span(self, first: int, last: int) -> Iterator[tuple[U16, U8]]:
        """Yield the pictures first … last, without reading the others; those that there are not are left out."""
        first, end = max(first, 0), min(last + 1, self._count)
        parts = iter(self._held[2 * first : 2 * end]) if self._file is None else self._read(self._file, first, end)
        for means, strength in zip(parts, parts, strict=True):
            yield np.frombuffer(means, np.uint16).reshape(self._shape), np.frombuffer(strength, np.uint8)

    def at(self, picture: int) -> tuple[U16, U8]:
        """Return one picture, as `span` yields it; the first is 0.

        Raises
        ------
        IndexError
            If there is none of this number.

        """
        if not 0 <= picture < self._count:
            raise IndexError(f"there is no picture {picture}: the recording has {self._count}")
        if self._file is None:
            means, strength = self._held[2 * picture : 2 * picture + 2]
        else:
            means, strength = self._read(self._file, picture, picture + 1)
        return np.frombuffer(means, np.uint16).reshape(self._shape), np.frombuffer(strength, np.uint8)

    def _read(self, file: IO[bytes], first: int, end: int) -> Iterator[bytes]:
        planes, blocks = self._shape
        for picture in range(first, end):
            file.seek(picture * (2 * planes + 1) * blocks)  # each time: another span may be read in between
            record = file.read((2 * planes + 1) * blocks)
            yield record[: 2 * planes * blocks]
            yield record[2 * planes * blocks :]

    def close(self) -> None:
        """Give the memory or the file back."""
        self._held.clear()
        if self._file is not None:
            self._file.close()
