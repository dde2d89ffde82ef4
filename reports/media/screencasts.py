"""Keep files in the default storage by what they contain: one file for one sha256, whole or not at all."""

import errno
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, default_storage

_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}", re.ASCII)
_CHUNK_BYTES = 1 << 20
_PARTIAL = ".partial"
_PARTIAL_KEPT_S = 3600.0


class StorageError(RuntimeError):
    """The storage did not take or give a file; nothing half written remains. The message tells the cure."""


class ScreencastMissingError(StorageError):
    """The storage no longer has the file."""


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


def keep(path: Path, found: Fingerprint, *, storage: Storage = default_storage) -> None:
    """Copy a file into the storage unless it is there already.

    A file of another length under that name is what a crash left: it is written again. Raises StorageError if the
    storage has no room or refuses, OSError if the file itself can no longer be read as it was hashed.
    """
    with path.open("rb") as stream:
        if os.fstat(stream.fileno()).st_size != found.size_bytes:
            raise OSError(errno.EBUSY, "changed while it was imported")
        try:
            if not (storage.exists(found.name) and storage.size(found.name) == found.size_bytes):
                _save(storage, stream, found.name)
        except OSError as error:
            raise StorageError(
                f"the storage did not take {path.name}: {error.strerror or error}: "
                "make room or make it writable, then import again; what was imported before is kept"
            ) from error


@contextmanager
def local_path(name: str, *, storage: Storage = default_storage) -> Iterator[Path]:
    """Give a stored file as a real path for the time of the block; a remote one as a temporary copy.

    Raises ScreencastMissingError if the storage does not have it.
    """
    local = _path_in(storage, name)
    if local is not None:
        if not local.is_file():
            raise ScreencastMissingError(_missing(name))
        yield local
        return
    with tempfile.NamedTemporaryFile(suffix=Path(name).suffix) as copy:
        try:
            with storage.open(name) as stream:
                shutil.copyfileobj(stream, copy, _CHUNK_BYTES)
        except FileNotFoundError as error:
            raise ScreencastMissingError(_missing(name)) from error
        copy.flush()
        yield Path(copy.name)


def forget_partial_files(*, storage: Storage = default_storage) -> None:
    """Delete what killed imports have left half written."""
    if not isinstance(storage, FileSystemStorage):
        return
    for file in _partial_folder(storage).glob("*"):
        with suppress(OSError):  # another process was faster
            if time.time() - file.stat().st_mtime > _PARTIAL_KEPT_S:
                file.unlink()


def _save(storage: Storage, stream: BinaryIO, name: str) -> None:
    local = _path_in(storage, name)
    if local is None:
        _save_remote(storage, stream, name)
    else:
        _save_local(stream, local, _partial_folder(storage))


def _save_local(stream: BinaryIO, target: Path, partial: Path) -> None:
    """Write in a folder of the same disk, then rename: a reader sees the whole file or none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.mkdir(exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=partial)
    try:
        with os.fdopen(handle, "wb") as copy:
            shutil.copyfileobj(stream, copy, _CHUNK_BYTES)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _save_remote(storage: Storage, stream: BinaryIO, name: str) -> None:
    storage.delete(name)  # what a crash left; a storage that has no such file does not mind
    saved = storage.save(name, File(stream))
    if saved != name:  # another process was faster: the same sha256, so the same bytes
        storage.delete(saved)


def _path_in(storage: Storage, name: str) -> Path | None:
    return Path(storage.path(name)) if isinstance(storage, FileSystemStorage) else None


def _partial_folder(storage: Storage) -> Path:
    return Path(storage.path(_PARTIAL))


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    return suffix if _SUFFIX.fullmatch(suffix) else ".bin"


def _missing(name: str) -> str:
    return f"{name} is no longer in the storage: restore it, or import its manifest again"
