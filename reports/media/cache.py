"""Copies of remote files on this machine's disk: fetched once, checked, the longest unused given up for room.

Several processes share the folder without knowing of each other. Whoever reads a copy, or writes one, holds a lock
of the operating system on that very file; the lock ends with the process, however it ends: nothing is left to tidy.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_CHUNK_BYTES = 1 << 20
_PART = ".part"


class WrongContentError(Exception):
    """What came is not what was stored: another length, or another sha256."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A remote file: its name in the storage, its length, its sha256 if that is known, and what opens it."""

    name: str
    size_bytes: int
    sha256: str
    open: Callable[[], IO[bytes]]

    @property
    def key(self) -> str:
        """Return the file's name in the cache: names in the storage are never used for another content."""
        return hashlib.sha256(self.name.encode()).hexdigest() + Path(self.name).suffix


@dataclass(frozen=True, slots=True)
class FileCache:
    """A folder with at most ``limit_bytes`` of copies that nobody reads; those being read may go beyond."""

    folder: Path
    limit_bytes: int

    @contextmanager
    def borrow(self, wanted: Wanted) -> Iterator[Path]:
        """Give a whole copy for the time of the block; it is not given up before.

        Raises WrongContentError if what comes differs from what was stored, OSError if the storage does not give it
        or this disk does not take it.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / wanted.key
        while (held := _hold(path, fcntl.LOCK_SH)) is None or os.fstat(held).st_size != wanted.size_bytes:
            if held is not None:
                os.close(held)
                path.unlink(missing_ok=True)
            self._fetch(wanted, path)
        try:
            os.utime(path)
            yield path
        finally:
            os.close(held)

    def _fetch(self, wanted: Wanted, path: Path) -> None:
        """Write the copy apart and rename it; a process that waited for another's copy returns to look for it."""
        part = path.with_name(path.name + _PART)
        writing = _hold(part, fcntl.LOCK_EX, create=True)
        if writing is None or path.exists():  # another process has just finished it
            if writing is not None:
                part.unlink(missing_ok=True)
                os.close(writing)
            return
        try:
            self._make_room(wanted.size_bytes)
            try:
                _write(wanted, writing)
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT) or not self._make_room(self.limit_bytes):
                    raise
                _write(wanted, writing)
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        finally:
            os.close(writing)

    def _make_room(self, size_bytes: int) -> bool:
        """Give up the longest unused copies until so much more fits; tell whether any was given up."""
        copies = []
        for file in self.folder.iterdir():
            with suppress(OSError):  # another process was faster
                stat = file.stat()
                copies.append((stat.st_mtime, stat.st_size, file))
        left = sum(size for _, size, _ in copies)
        given_up = False
        for _, size, file in sorted(copies):
            if left + size_bytes <= self.limit_bytes:
                break
            if _give_up(file):
                left -= size
                given_up = True
        return given_up


def _hold(path: Path, kind: int, *, create: bool = False) -> int | None:
    """Open and lock a file, waiting for who holds it; None if the name is no file's, or another one's by then."""
    try:
        handle = os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, kind)
        if os.path.samestat(os.fstat(handle), path.stat()):
            return handle
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _give_up(file: Path) -> bool:
    """Delete a file unless a process reads or writes it."""
    try:
        handle = os.open(file, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.unlink()
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _write(wanted: Wanted, handle: int) -> None:
    """Copy the remote file into an open one and check what came; it is on the disk when this returns."""
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    sha256, size = hashlib.sha256(), 0
    with wanted.open() as stream, os.fdopen(handle, "wb", closefd=False) as copy:
        while piece := stream.read(_CHUNK_BYTES):
            sha256.update(piece)
            size += len(piece)
            copy.write(piece)
    os.fsync(handle)
    if size != wanted.size_bytes or sha256.hexdigest() != (wanted.sha256 or sha256.hexdigest()):
        raise WrongContentError(f"{size} of {wanted.size_bytes} bytes came, with the sha256 {sha256.hexdigest()}")
