"""Bring a file to the server in parts (tus 1.0.0), from where the server says that it has come.

An upload that was begun is remembered in a small file, so that a client which was killed goes on with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from upreg_client.failures import Fault, PassingError, RefusedError, ServerError
from upreg_client.server import Server

PART_BYTES = 4 * 1024 * 1024
TUS = {"Tus-Resumable": "1.0.0"}
_LONGEST_PART = re.compile(r"\bmax-append-size=([1-9]\d*)")
RESTARTS = 2  # the server begins an upload again whose whole has another sha256 than was announced
GONE, CONFLICT, WRONG_CHECKSUM = (404, 410), 409, 460


@dataclass(frozen=True)
class Content:
    """A file to bring: where it is, the name it is told by, its size in bytes and its sha256 in hexadecimal."""

    path: Path
    name: str
    size: int
    sha256: str


class Begun:
    """The uploads that were begun and not finished: sha256 → the server's id, kept in a file from push to push."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()
        self._ids = _read(file)
        self._left = dict(self._ids)

    def take(self, sha256: str) -> str:
        """Return the id under which an earlier push began a content, or nothing; each is given to one line only."""
        with self._lock:
            return self._left.pop(sha256, "")

    def keep(self, sha256: str, upload: str) -> None:
        """Remember an upload, or forget it when the id is empty."""
        with self._lock:
            if upload:
                self._ids[sha256] = upload
            else:
                self._ids.pop(sha256, None)
            self._write()

    def _write(self) -> None:
        try:
            if not self._ids:
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft = self._file.with_suffix(".new")
            draft.write_text(json.dumps(self._ids), encoding="utf-8")
            draft.replace(self._file)
        except OSError:
            return  # a host that can keep no state begins such an upload anew


def state_file(server: str, manifest: Path) -> Path:
    """Return where the state of pushing a manifest to a server is kept."""
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    key = hashlib.sha256(f"{server}\n{manifest.resolve()}".encode()).hexdigest()[:16]
    return home / "upreg" / f"push-{key}.json"


def _read(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


class Uploader:
    """Brings files to one server. ``on_bytes`` is told how many more bytes the server has; it may be negative."""

    def __init__(self, server: Server, begun: Begun, on_bytes: Callable[[int], None], part_bytes: int = PART_BYTES):
        self._server, self._begun = server, begun
        self._on_bytes, self._part_bytes = on_bytes, part_bytes

    def bring(self, content: Content) -> str:
        """Return the id of the finished upload; raises RefusedError if the server does not take the file."""
        upload = self._begun.take(content.sha256)
        offset = self._offset(upload) if upload else None
        if offset is None:
            upload, offset = self._begin(content), 0
            self._begun.keep(content.sha256, upload)
        self._on_bytes(offset)
        self._send(upload, offset, content)
        return upload

    def _begin(self, content: Content) -> str:
        said = {"filename": content.name, "sha256": content.sha256}
        metadata = ",".join(f"{key} {base64.b64encode(text.encode()).decode()}" for key, text in said.items())
        headers = {**TUS, "Upload-Length": str(content.size), "Upload-Metadata": metadata}
        answer = self._server.ask("POST", "uploads/", headers=headers)
        if limit := _LONGEST_PART.search(answer.headers.get("Upload-Limit", "")):
            self._part_bytes = min(self._part_bytes, int(limit[1]))
        # its own id alone: a proxy that knows a wrong scheme or host must not see the token
        upload = urlsplit(str(answer.headers.get("Location", ""))).path.rstrip("/").rpartition("/")[2]
        if not upload:
            raise ServerError("the server took the upload and did not say where: ask its administrator")
        return upload

    def _offset(self, upload: str) -> int | None:
        """Ask how many bytes the server has; None if it knows nothing of the upload any more."""
        answer = self._server.ask("HEAD", f"uploads/{upload}/", headers=TUS, known=GONE)
        if answer.status_code in GONE:
            return None
        return _told_offset(answer)

    def _send(self, upload: str, offset: int, content: Content) -> None:
        """Send what is missing; after a cut, go on from where the server says that it has come."""
        tried = restarts = 0
        with content.path.open("rb") as stream:
            while offset < content.size:
                stream.seek(offset)
                data = stream.read(self._part_bytes)
                try:
                    reached = self._send_part(upload, offset, data)
                except PassingError as failure:
                    tried += 1
                    self._server.rest(tried, failure)
                    reached = self._found_again(upload)
                restarts += reached < offset
                if restarts > RESTARTS:
                    raise _changed("is not what it was when the push began: push again when the recorder is done")
                tried = 0 if reached > offset else tried
                self._on_bytes(reached - offset)
                offset = reached

    def _found_again(self, upload: str) -> int:
        offset = self._offset(upload)
        if offset is None:
            raise _changed("the server has dropped the upload that was under way: push again")
        return offset

    def _send_part(self, upload: str, offset: int, data: bytes) -> int:
        if not data:
            raise _changed("became shorter while it was sent: push again when the recorder is done")
        digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
        headers = {
            **TUS,
            "Content-Type": "application/offset+octet-stream",
            "Upload-Offset": str(offset),
            "Upload-Checksum": f"sha256 {digest}",
        }
        known = (CONFLICT, WRONG_CHECKSUM)
        answer = self._server.once("PATCH", f"uploads/{upload}/", content=data, headers=headers, known=known)
        if answer.status_code == WRONG_CHECKSUM:
            raise PassingError("A part arrived damaged.")
        if answer.status_code == CONFLICT:
            raise PassingError("The server has another part of the file than expected.")
        return _told_offset(answer)


def _told_offset(answer: httpx.Response) -> int:
    told = answer.headers.get("Upload-Offset", "")
    if not told.isdecimal():
        raise ServerError(
            f"{answer.url.host} does not say how much of the upload it has: check what stands before it"
        )
    return int(told)


def _changed(message: str) -> RefusedError:
    return RefusedError(422, (Fault("video", message),))
