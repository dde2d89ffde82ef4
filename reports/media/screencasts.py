"""Keep files in the default storage by what they contain: one file for one sha256, whole or not at all."""

import errno
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, default_storage

from reports.media.cache import FileCache, Wanted, WrongContentError

_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}", re.ASCII)
_CHUNK_BYTES = 1 << 20
_NAMED_BY_CONTENT = re.compile(r"[a-z]+/[0-9a-f]{2}/([0-9a-f]{64})\.[a-z0-9]{1,8}", re.ASCII)
_PARTIAL = ".partial"
_PARTIAL_KEPT_S = 3600.0
NOT_TAKEN = "the storage did not take"
_CHANGED = errno.EBUSY, "changed while it was imported"


class StorageError(RuntimeError):
    """The storage did not take or give a file; nothing half written remains. The message tells the cure."""


class NotNowError(StorageError):
    """The storage cannot be reached, or this machine has no room for a copy of its file: try again later."""


class StorageAwayError(OSError):
    """The storage does not answer, or refuses. It says so in words, with what may cure it."""

    def __str__(self) -> str:
        return str(self.strerror)


class ScreencastMissingError(StorageError):
    """The storage no longer has the file, or no longer as it was stored."""


class _ChangedError(OSError):
    """The file to be kept is no longer what it was when it was hashed."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a file contains and under which name the storage keeps it."""

    sha256: str
    size_bytes: int
    name: str


def fingerprint(path: Path, *, folder: str = "screencasts") -> Fingerprint:
    """Hash a file in constant memory; raises OSError if it cannot be read."""
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        size = stream.tell()
    return Fingerprint(sha256, size, f"{folder}/{sha256[:2]}/{sha256}{_suffix(path)}")


def keep(path: Path, found: Fingerprint, *, storage: Storage = default_storage) -> bool:
    """Copy a file into the storage unless it is there already; True if it was written.

    A file of other bytes under that name is what a crash left, or a disk has spoilt: it is written again. A remote
    storage is asked for the length alone, as its files are compared when they are fetched. Raises StorageError if
    the storage has no room or refuses, OSError if the file itself can no longer be read as it was hashed.
    """
    with path.open("rb") as stream:
        if os.fstat(stream.fileno()).st_size != found.size_bytes:
            raise _ChangedError(*_CHANGED)
        try:
            if _holds(storage, found):
                return False
            _save(storage, stream, found)
        except _ChangedError:
            raise
        except OSError as error:
            raise _refusal(error)(
                f"{NOT_TAKEN} {path.name}: {error.strerror or error}: "
                "make room or make it writable, then import again; what was imported before is kept"
            ) from error
    return True


def _holds(storage: Storage, found: Fingerprint) -> bool:
    if not (storage.exists(found.name) and storage.size(found.name) == found.size_bytes):
        return False
    local = _path_in(storage, found.name)
    try:
        return local is None or fingerprint(local).sha256 == found.sha256
    except OSError:  # the disk does not give its bytes any more
        return False


def keep_made(stream: BytesIO | BufferedReader, name: str, *, storage: Storage = default_storage) -> None:
    """Keep a file that was made of a screencast under this name, whole or not at all; raises StorageError."""
    sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    found = Fingerprint(sha256, stream.seek(0, os.SEEK_END), name)
    stream.seek(0)
    try:
        _save(storage, stream, found)
    except OSError as error:
        raise _refusal(error)(
            f"{NOT_TAKEN} {PurePath(name).name}: {error.strerror or error}: make room or make it writable"
        ) from error


@contextmanager
def local_file(name: str, *, storage: Storage = default_storage) -> Iterator[Path]:
    """Give a stored file as a file of this machine, to be read for the time of the block.

    A storage in a folder gives the file itself; of a remote one a copy is fetched, checked and kept for the next
    time. Raises ScreencastMissingError if the storage does not have it as it was stored, NotNowError if it cannot
    be reached or this machine has no room for the copy.
    """
    if not name:
        raise ScreencastMissingError("there is no screencast: a benchmark measured this run")
    local = _path_in(storage, name)
    if local is None:
        with _fetched(name, storage) as copy:
            yield copy
    elif local.is_file():
        yield local
    else:
        raise ScreencastMissingError(_missing(name))


@contextmanager
def _fetched(name: str, storage: Storage) -> Iterator[Path]:
    cache = FileCache(settings.MEDIA_CACHE, settings.MEDIA_CACHE_MB << 20)
    by_content = _NAMED_BY_CONTENT.fullmatch(name)
    with ExitStack() as held:  # what the block raises is not the storage's
        try:
            wanted = Wanted(
                name, storage.size(name), by_content[1] if by_content else "", partial(storage.open, name)
            )
            copy = held.enter_context(cache.borrow(wanted))
        except FileNotFoundError as error:
            raise ScreencastMissingError(_missing(name)) from error
        except WrongContentError as error:
            raise ScreencastMissingError(
                f"{name} is damaged in the storage: {error}: restore it, or import its manifest again"
            ) from error
        except OSError as error:
            raise NotNowError(_not_fetched(name, cache, error)) from error
        yield copy


def forget_partial_files(*, storage: Storage = default_storage) -> None:
    """Delete what killed imports have left half written."""
    if not isinstance(storage, FileSystemStorage):
        return
    for file in _partial_folder(storage).glob("*"):
        with suppress(OSError):  # another process was faster
            if time.time() - file.stat().st_mtime > _PARTIAL_KEPT_S:
                file.unlink()


def _save(storage: Storage, stream: BinaryIO, found: Fingerprint) -> None:
    local = _path_in(storage, found.name)
    if local is None:
        _save_remote(storage, stream, found)
    else:
        _save_local(stream, local, _partial_folder(storage), found.sha256)


def _save_local(stream: BinaryIO, target: Path, folder: Path, sha256: str) -> None:
    """Write in a folder of the same disk, then rename: a reader sees the whole file or none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "w+b") as copy:
            shutil.copyfileobj(stream, copy, _CHUNK_BYTES)
            _check(copy, sha256)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _save_remote(storage: Storage, stream: BinaryIO, found: Fingerprint) -> None:
    """Store under the very name; what came of it is looked at, as is the file: both must be what was hashed."""
    if storage.exists(found.name):
        storage.delete(found.name)  # what a crash left, where a storage shows files half written
    saved = storage.save(found.name, File(stream))
    if saved != found.name:  # another process was faster: the same sha256, so the same bytes
        storage.delete(saved)
    try:
        _check(stream, found.sha256)
        if storage.size(found.name) != found.size_bytes:
            raise OSError(errno.EIO, "it kept another length than it was given")
    except OSError:
        storage.delete(found.name)
        raise


def _check(stream: Any, sha256: str) -> None:
    stream.seek(0)
    if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
        raise _ChangedError(*_CHANGED)


def _path_in(storage: Storage, name: str) -> Path | None:
    return Path(storage.path(name)) if isinstance(storage, FileSystemStorage) else None


def _partial_folder(storage: Storage) -> Path:
    return Path(storage.path(_PARTIAL))


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    return suffix if _SUFFIX.fullmatch(suffix) else ".bin"


def _missing(name: str) -> str:
    return f"{name} is no longer in the storage: restore it, or import its manifest again"


def _refusal(error: OSError) -> type[StorageError]:
    return NotNowError if isinstance(error, StorageAwayError) else StorageError


def _not_fetched(name: str, cache: FileCache, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"there is no room for a copy of {name} in {cache.folder}: make room there, or let UPREG_MEDIA_CACHE "
            "name a folder on a larger disk"
        )
    return f"{name} could not be fetched from the storage: {error.strerror or error}"
