"""Messages between a process and the child that decodes for it: JSON, and bytes behind it. Never pickles.

Whoever captures a decoder writes what its parent reads: lengths are bounded, and nothing that is read names code.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST_JSON, MOST_DATA = 32 << 20, 128 << 20  # bytes: the index of a film of hours, a picture of 8192 × 8192
MOST_MESSAGES = 100_000  # of one job: a proxy tells its progress every 20 frames
_HEADER = struct.Struct(">II")
_CHUNK = 1 << 20

Message = tuple[dict[str, Any], bytes]


class BrokenMessageError(Exception):
    """What was read is no message, or too long for one. It says what."""


class TooLateError(Exception):
    """The other side did not write or read in time."""


class GoneError(Exception):
    """The other side has ended."""


def pack(values: dict[str, Any], data: bytes = b"") -> bytes:
    """Return a message as it goes over the pipe."""
    text = json.dumps(values, separators=(",", ":")).encode()
    return _HEADER.pack(len(text), len(data)) + text + data


def read(handle: int, *, until: float | None = None) -> Message:
    """Read one message; ``until`` is an instant of the monotonic clock.

    Raises GoneError, TooLateError, BrokenMessageError.
    """
    sizes = _HEADER.unpack(_exactly(handle, _HEADER.size, until))
    for size, most in zip(sizes, (MOST_JSON, MOST_DATA), strict=True):
        if size > most:
            raise BrokenMessageError(f"it is {size} bytes long, more than {most}")
    text, data = _exactly(handle, sizes[0], until), _exactly(handle, sizes[1], until)
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenMessageError("it is no JSON") from error
    if not isinstance(values, dict):
        raise BrokenMessageError("it is no JSON object")
    return values, data


def write(handle: int, message: bytes, *, until: float | None = None) -> None:
    """Write a message, however small the pipe is; raises GoneError, TooLateError."""
    rest = memoryview(message)
    with _never_blocking(handle, until):
        while rest:
            _wait(handle, until, writing=True)
            try:
                rest = rest[os.write(handle, rest) :]
            except BrokenPipeError as error:
                raise GoneError from error


def _exactly(handle: int, size: int, until: float | None) -> bytes:
    parts, left = [], size
    while left:
        _wait(handle, until)
        part = os.read(handle, min(left, _CHUNK))
        if not part:
            raise GoneError
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _wait(handle: int, until: float | None, *, writing: bool = False) -> None:
    """Wait until something can be read or written. Not by select, which knows no handle above 1023."""
    if until is None:
        return
    watched = select.poll()
    watched.register(handle, select.POLLOUT if writing else select.POLLIN)
    if not watched.poll(max(0.0, 1000 * (until - time.monotonic()))):
        raise TooLateError


@contextmanager
def _never_blocking(handle: int, until: float | None) -> Iterator[None]:
    """Let a write take what fits, if there is a time by which it must be done."""
    if until is None:
        yield
        return
    os.set_blocking(handle, False)
    try:
        yield
    finally:
        os.set_blocking(handle, True)
