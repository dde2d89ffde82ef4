"""Read the boxes of an MP4 or MOV file (ISO/IEC 14496-12) strictly: sizes must fit, tables must be whole."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.arrays import I64

TOP, LARGE, TO_THE_END = 8, 1, 0
MOST_BYTES = 32 << 20  # of one table: an hour at 120 Hz takes 3.5 MB
MOST_PIECES = 2_000_000  # boxes, elements or chunks: an hour in fragments of one picture at 60 Hz has 432,000


class DamagedError(Exception):
    """What a file says of itself does not agree. The message says what, without the cure."""


@dataclass(frozen=True, slots=True)
class Source:
    """An open file, read by position; a read beyond its end is damage, never a short answer."""

    descriptor: int
    size: int

    def read(self, at: int, length: int) -> bytes:
        """Return exactly `length` bytes."""
        if length < 0 or at < 0 or at + length > self.size:
            raise DamagedError("a part of it lies behind its end")
        if length > MOST_BYTES:
            raise DamagedError(f"a table of it has {length >> 20} MB")
        data = os.pread(self.descriptor, length, at)
        if len(data) != length:
            raise DamagedError("it became shorter while it was read")
        return data


@dataclass(slots=True)
class Pieces:
    """Counts what a file is cut into, so that no file takes for ever."""

    seen: int = 0

    def count(self) -> None:
        """Take the next piece."""
        self.seen += 1
        if self.seen > MOST_PIECES:
            raise DamagedError(f"it is cut into more than {MOST_PIECES} pieces")


@dataclass(frozen=True, slots=True)
class Box:
    """A box: its four-letter type, and where its contents begin and end in the file."""

    source: Source
    kind: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """Bytes of the contents."""
        return self.end - self.start

    def data(self) -> bytes:
        """Return the contents."""
        return self.source.read(self.start, self.size)

    def children(self) -> Iterator[Box]:
        """Yield the boxes inside, which must fill this one; a few zero bytes at the end are QuickTime's."""
        at, pieces = self.start, Pieces()
        while at < self.end:
            pieces.count()
            box = _box(self.source, at, self.end)
            if box is None:
                if any(self.source.read(at, min(self.end - at, TOP))):
                    raise DamagedError(f"the box {self.kind} holds bytes that are no box")
                return
            if box.end > self.end:
                raise DamagedError(f"the box {box.kind} is longer than {self.kind}, which it lies in")
            yield box
            at = box.end

    def all(self, kind: str) -> list[Box]:
        """Return the boxes of a kind inside."""
        return [box for box in self.children() if box.kind == kind]

    def find(self, kind: str) -> Box | None:
        """Return the only box of a kind inside, or None; two are damage."""
        found = self.all(kind)
        if len(found) > 1:
            raise DamagedError(f"the box {kind} is there {len(found)} times")
        return found[0] if found else None

    def need(self, *path: str) -> Box:
        """Return the only box at a path inside; without it the file is damaged."""
        box: Box | None = self
        for kind in path:
            box = box.find(kind) if box else None
            if box is None:
                raise DamagedError(f"the box {kind} is missing")
        assert box is not None
        return box

    def table(self, columns: int, *, after: int = 8) -> I64:
        """Return (entries, columns) of a table of 32-bit numbers; `after` is where its rows begin."""
        data = self.data()
        count = number(data, after - 4)
        if len(data) < after + 4 * columns * count:
            raise DamagedError(f"the table {self.kind} ends before its {count} entries")
        rows = np.frombuffer(data, ">u4", columns * count, after)
        return rows.reshape(count, columns).astype(np.int64)


def top_boxes(source: Source) -> Iterator[Box]:
    """Yield the outermost boxes. What a device appends behind them may be no box; the last may be cut off."""
    at, pieces = 0, Pieces()
    while at < source.size:
        pieces.count()
        box = _box(source, at, source.size)
        if box is None or not box.kind.isprintable():
            return
        yield box
        at = box.end


def number(data: bytes, at: int, *, size: int = 4) -> int:
    """Return an unsigned number of `size` bytes, most significant byte first."""
    if at < 0 or at + size > len(data):
        raise DamagedError("a box of it is too short")
    return int.from_bytes(data[at : at + size], "big")


def signed(values: I64) -> I64:
    """Return 32-bit numbers that were read without a sign, with it."""
    return np.where(values >= 1 << 31, values - (1 << 32), values)


def _box(source: Source, at: int, end: int) -> Box | None:
    """Return the box at a position, or None where none can begin."""
    if end - at < TOP:
        return None
    size, kind = struct.unpack(">I4s", source.read(at, TOP))
    head = TOP
    if size == LARGE and end - at >= TOP + 8:
        size, head = number(source.read(at + TOP, 8), 0, size=8), TOP + 8
    elif size == TO_THE_END and kind != bytes(4):
        size = end - at
    if size < head:
        return None
    return Box(source, kind.decode("latin-1"), at + head, at + size)
