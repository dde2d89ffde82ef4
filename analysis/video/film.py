"""Pictures kept as what changes between them: where a cursor moves, that is some blocks of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import I64, U8

TILE_PX = 8  # a tile's rows are 8 bytes, so that they are compared at once
AT_HAND = 4  # pictures last asked for: most are asked for in pairs


@dataclass(frozen=True, slots=True)
class Step:
    """What turns a picture into the next one, and back: tiles, and the bits of theirs that flip, (n, 8, 8)."""

    rows: I64
    columns: I64
    flips: U8


class Film(Mapping[int, U8]):
    """Pictures by their rising number, each (height, width); quick to read in order, either way.

    What is read may be kept, not written to.
    """

    def __init__(self) -> None:
        """Start without a picture."""
        self.numbers: list[int] = []
        self.size = 0
        """Bytes that the steps take."""
        self._steps: deque[Step] = deque()  # between a picture and the next
        self._shown = np.zeros((0, 0), np.uint8)  # what picture `_at` shows, in whole tiles
        self._at = 0
        self._shape = (0, 0)
        self._at_hand: dict[int, U8] = {}

    def add(self, number: int, luma: U8) -> None:
        """Keep one more picture, (height, width); `number` is higher than those before."""
        whole = _in_tiles(luma)
        if self.numbers:
            self._go_to(len(self.numbers) - 1)
            step = _between(self._shown, whole)
            self._steps.append(step)
            self.size += step.flips.nbytes
            self._at += 1
        self._shape, self._shown = luma.shape, whole
        self.numbers.append(number)

    def forget_first(self) -> None:
        """Drop the first picture."""
        self._at_hand.pop(self.numbers.pop(0), None)
        if self._steps:
            if self._at == 0:
                self._go_to(1)
            self.size -= self._steps.popleft().flips.nbytes
            self._at -= 1

    def __getitem__(self, number: int) -> U8:
        """Return a picture."""
        found = self._at_hand.get(number)
        if found is None:
            at = int(np.searchsorted(self.numbers, number))
            if at == len(self.numbers) or self.numbers[at] != number:
                raise KeyError(number)
            self._go_to(at)
            found = self._shown[: self._shape[0], : self._shape[1]].copy()
            found.flags.writeable = False
            if len(self._at_hand) == AT_HAND:
                self._at_hand.pop(next(iter(self._at_hand)))
            self._at_hand[number] = found
        return found

    def __iter__(self) -> Iterator[int]:
        """Yield the numbers, rising."""
        return iter(self.numbers)

    def __len__(self) -> int:
        """Return how many pictures there are."""
        return len(self.numbers)

    def _go_to(self, at: int) -> None:
        """Turn what is shown into another picture, step by step."""
        tiles = self._shown.reshape(-1, TILE_PX, self._shown.shape[1] // TILE_PX, TILE_PX)
        while self._at != at:
            forward = at > self._at
            step = self._steps[self._at if forward else self._at - 1]
            tiles[step.rows, :, step.columns] ^= step.flips
            self._at += 1 if forward else -1


def _in_tiles(luma: U8) -> U8:
    """Return a copy of a picture that is made wider and higher to whole tiles."""
    height, width = (-(-length // TILE_PX) * TILE_PX for length in luma.shape)
    whole = np.zeros((height, width), np.uint8)
    whole[: luma.shape[0], : luma.shape[1]] = luma
    return whole


def _between(one: U8, other: U8) -> Step:
    """Return what turns one picture of whole tiles into another."""
    lines = one.view(np.uint64) != other.view(np.uint64)
    rows, columns = np.nonzero(lines.reshape(-1, TILE_PX, lines.shape[1]).any(axis=1))
    before, now = (whole.reshape(-1, TILE_PX, lines.shape[1], TILE_PX) for whole in (one, other))
    return Step(rows, columns, before[rows, :, columns] ^ now[rows, :, columns])
