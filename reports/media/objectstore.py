"""An S3-compatible object store as Django storage: parts of objects are read, failures are those of files."""

from __future__ import annotations

import errno
import io
import os
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from reports.media.screencasts import StorageAwayError
from reports.media.seeking import SeekingReader

T = TypeVar("T")
_DENIED = {"AccessDenied", "403", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"}
_MISSING = {"NoSuchKey", "404", "NotFound"}


def _as_files_fail(method: Callable[..., T]) -> Callable[..., T]:
    """Raise FileNotFoundError or StorageAwayError for what boto3 raises."""

    @wraps(method)
    def call(self: ObjectStorage, *args: Any, **kwargs: Any) -> T:
        try:
            return method(self, *args, **kwargs)
        except (BotoCoreError, ClientError, Boto3Error) as error:
            raise self.failure(error) from error

    return call


class ObjectStorage(S3Storage):
    """django-storages' S3 storage with one connection for all threads of a process.

    Objects appear whole or not at all: large ones are sent in parts, each with a checksum that the store compares,
    and the parts become an object when the last one is there.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._connecting = threading.Lock()
        self._connected: tuple[int, Any] = 0, None

    @property
    def connection(self) -> Any:
        """Return boto3's resource, made once in a process: forked ones must not share a socket."""
        with self._connecting:
            if self._connected[0] != os.getpid():
                self._connections = threading.local()
                self._connected = os.getpid(), super().connection
            return self._connected[1]

    @property
    def bucket(self) -> Any:
        """Return the bucket on this process's connection."""
        return self.connection.Bucket(self.bucket_name)

    exists = _as_files_fail(S3Storage.exists)
    size = _as_files_fail(S3Storage.size)
    delete = _as_files_fail(S3Storage.delete)
    listdir = _as_files_fail(S3Storage.listdir)
    _save = _as_files_fail(S3Storage._save)

    @_as_files_fail
    def get_modified_time(self, name: str) -> datetime:
        """Return when the object was written; raises FileNotFoundError."""
        return super().get_modified_time(name)

    @_as_files_fail
    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError("objects are read in binary, and written by save()")
        return File(io.BufferedReader(ObjectReader(self, name, self.size(name)), 1 << 16), name)

    @_as_files_fail
    def body(self, name: str, start: int) -> Any:
        """Return the stream of an object's bytes from ``start`` on; it must be closed."""
        key = self._normalize_name(clean_name(name))
        return self.bucket.Object(key).get(Range=f"bytes={start}-")["Body"]

    def failure(self, error: Exception) -> OSError:
        """Put what boto3 raised into words."""
        code = str(error.response.get("Error", {}).get("Code", "")) if isinstance(error, ClientError) else ""
        if code in _MISSING:
            return FileNotFoundError(errno.ENOENT, "no such object in the object store")
        if code == "NoSuchBucket":
            return StorageAwayError(errno.ENODEV, f"the object store has no bucket {self.bucket_name}: make it")
        if code in _DENIED:
            cure = "look at UPREG_S3_ACCESS_KEY, UPREG_S3_SECRET_KEY and the rights of that key"
            return StorageAwayError(errno.EACCES, f"the object store refuses bucket {self.bucket_name}: {cure}")
        what = code or type(error).__name__
        return StorageAwayError(errno.EIO, f"the object store does not answer as it should ({what}): try again")


class ObjectReader(SeekingReader):
    """Reads an object from wherever it is sought to, without fetching what is before it."""

    def __init__(self, storage: ObjectStorage, name: str, size: int) -> None:
        self._storage, self._name = storage, name
        self._body: Any = None
        super().__init__(size)

    def piece(self, most: int) -> bytes:
        """Read as far as one piece of the answer goes."""
        try:
            if self._body is None:
                self._body = self._storage.body(self._name, self.at)
            found: bytes = self._body.read(most)
        except (BotoCoreError, ClientError) as error:
            self.leave()
            raise self._storage.failure(error) from error
        if not found:
            raise StorageAwayError(errno.EIO, "the object store ended an object before its end: try again")
        return found

    def leave(self) -> None:
        """Give the connection back."""
        if self._body is not None:
            with suppress(Exception), closing(self._body):
                pass
        self._body = None
