"""Compare what an AVI file (Microsoft's RIFF) says of its rate and its pictures: it has no times, only a rate."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from analysis.video.containers.boxes import DamagedError, Pieces, Source

LISTS = (b"RIFF", b"LIST")
RATE_SHARE = 0.002  # 30 for 29.97 Hz, as some writers round the microseconds of a frame


Chunk = tuple[bytes, int, int]  # four letters, start and end of the contents


def check_avi(source: Source) -> str:
    """Return the four letters of the codec of the first video stream, empty if there is none.

    Raises DamagedError if head, index and pictures contradict each other.
    """
    riffs = list(_chunks(source, 0, source.size))
    first = riffs[0]
    parts = {_name(source, chunk): chunk for chunk in _chunks(source, first[1] + 4, min(first[2], source.size))}
    if first[2] > source.size:
        raise DamagedError(f"it is cut off: {first[2] - source.size} bytes are missing at its end")
    if b"hdrl" not in parts or b"movi" not in parts:
        raise DamagedError("its head (hdrl) or its pictures (movi) are missing")
    head = list(_chunks(source, parts[b"hdrl"][1] + 4, parts[b"hdrl"][2]))
    streams = [chunk for chunk in head if _name(source, chunk) == b"strl"]
    whole = {_name(source, chunk): chunk for chunk in head}
    if b"avih" not in whole:
        raise DamagedError("its main head (avih) is missing")
    (counted,) = struct.unpack("<I", source.read(whole[b"avih"][1] + 24, 4))
    if counted != len(streams):
        raise DamagedError(f"its main head (avih) counts {counted} streams, it describes {len(streams)} (strl)")
    for number, stream in enumerate(streams):
        inner = {_name(source, chunk): chunk for chunk in _chunks(source, stream[1] + 4, stream[2])}
        if b"strh" not in inner:
            raise DamagedError("a stream has no head (strh)")
        values = source.read(inner[b"strh"][1], 36)
        if values[:4] == b"vids":
            scale, rate, _, length = struct.unpack("<4I", values[20:36])
            if not scale or not rate:
                raise DamagedError("its rate is 0")
            (frame_us,) = struct.unpack("<I", source.read(whole[b"avih"][1], 4))
            if frame_us and abs(frame_us * rate / scale / 1e6 - 1) > RATE_SHARE:
                raise DamagedError(
                    f"its heads name two rates: {1e6 / frame_us:.2f} Hz (avih) and {rate / scale:.2f} Hz (strh)"
                )
            if len(riffs) == 1 and b"indx" not in inner:  # longer files go on elsewhere, with an index of their own
                _check_pictures(source, parts, number, length)
            return values[4:8].decode("latin-1").strip("\0 ")
    return ""


def _check_pictures(source: Source, parts: dict[bytes, Chunk], stream: int, length: int) -> None:
    """Pictures, index and head agree in number, and the index names pictures where they lie."""
    movi = parts[b"movi"]
    own = [chunk for chunk in _leaves(source, movi[1] + 4, movi[2]) if chunk[0] in _names(stream)]
    if len(own) != length:
        raise DamagedError(f"its head (strh) counts {length} pictures, the file holds {len(own)}")
    if b"idx1" not in parts:
        return
    data = source.read(parts[b"idx1"][1], parts[b"idx1"][2] - parts[b"idx1"][1])
    rows = [row for row in struct.iter_unpack("<4s3I", data[: len(data) // 16 * 16]) if row[0] in _names(stream)]
    base = own[0][1] - 8 - rows[0][2] if own and rows else 0  # counted from the file's start or from the list's
    if [(row[2] + base + 8, row[3]) for row in rows] != [(start, end - start) for _, start, end in own]:
        raise DamagedError("its index (idx1) names other pictures than the file holds")


def _names(stream: int) -> tuple[bytes, bytes]:
    return b"%02ddc" % stream, b"%02ddb" % stream


def _leaves(source: Source, start: int, end: int) -> Iterator[Chunk]:
    for chunk in _chunks(source, start, end):
        if chunk[0] == b"LIST":
            yield from _chunks(source, chunk[1] + 4, chunk[2])
        else:
            yield chunk


def _name(source: Source, chunk: Chunk) -> bytes:
    """Return the four letters of a chunk, of a list those of its kind."""
    return source.read(chunk[1], 4) if chunk[0] in LISTS else chunk[0]


def _chunks(source: Source, at: int, end: int) -> Iterator[Chunk]:
    """Yield the chunks of a stretch, which they fill; each begins at an even position."""
    pieces = Pieces()
    while at + 8 <= end:
        pieces.count()
        kind, size = struct.unpack("<4sI", source.read(at, 8))
        if kind != b"RIFF" and at + 8 + size > end:
            raise DamagedError(f"the chunk {kind.decode('latin-1')!r} is longer than what it lies in")
        if kind == b"LIST" and size < 4:
            raise DamagedError("a list of chunks has no name")
        yield kind, at + 8, at + 8 + size
        at += 8 + size + (size & 1)
