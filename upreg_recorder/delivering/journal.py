"""What has been done in a folder, one JSON object a line, each on disk before anything builds on it.

After a cut the last line may be torn: it is dropped, and what it told of is done again.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from upreg_recorder.failures import RecorderError

Entry = dict[str, Any]


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Hold a folder for this process, by a file in it; raises RecorderError if another one records into it."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = file.read_text(encoding="utf-8", errors="replace").strip()
            cure = "wait for it, or record into another folder"
            raise RecorderError(
                f"another recorder works on {file.parent} ({holder or 'unknown'}): {cure}"
            ) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        yield
    finally:
        os.close(descriptor)  # which gives the lock back, as the end of the process does


class Journal:
    """The lines of a folder; `damaged` counts those that could not be read."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock, self.damaged = file, threading.Lock(), 0
        self.entries: list[Entry] = []
        self._read()

    def add(self, **entry: Any) -> None:
        """Write a line to the disk; one that does not fit is taken back as a whole."""
        line = json.dumps(entry, ensure_ascii=False, default=str) + "\n"
        with self._lock, self._file.open("ab") as stream:
            before = stream.tell()
            try:
                stream.write(line.encode())
                stream.flush()
                os.fsync(stream.fileno())
            except OSError:
                os.truncate(self._file, before)
                raise
        self.entries.append(json.loads(line))

    def _read(self) -> None:
        if not self._file.exists():
            return
        data = self._file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(self._file, len(whole))
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # UnicodeDecodeError, too
                entry = None
            if isinstance(entry, dict) and "what" in entry:
                self.entries.append(entry)
            else:
                self.damaged += 1


def on_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
