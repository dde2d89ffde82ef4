"""Whether there is room for the next recording."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from upreg_recorder.failures import RecorderError

LEAST_BYTES = 200 * 1024 * 1024  # also for what else is written on such a host: logs, a browser's cache
FILMS = 3  # as many as the mean of those so far: one that is made, one that is gathered, one that is long
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class DiskFullError(RecorderError):
    """There is no room for another recording: all lanes stop, and what is recorded is whole."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def room_for(folder: Path, mean_bytes: float, lanes: int, free: Callable[[Path], int] = _free) -> None:
    """Raise DiskFullError if a recording in each lane might not fit."""
    needed = max(LEAST_BYTES, FILMS * mean_bytes * lanes)
    is_free = free(folder)
    if is_free < needed:
        raise DiskFullError(
            f"{is_free / 1e6:.0f} MB are free in {folder}, {needed / 1e6:.0f} MB are needed: "
            "make room, and call again to go on"
        )


@contextmanager
def full_is_told(folder: Path) -> Iterator[None]:
    """Raise DiskFullError in the place of an error of the system that means it."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        cure = "make room, and call again to go on"
        raise DiskFullError(f"the disk takes no more in {folder} ({error.strerror}): {cure}") from error
