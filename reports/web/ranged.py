"""Answer with a stored file, whole or the part that a player asks for (RFC 9110, section 14)."""

import re
from collections.abc import Iterator
from typing import IO

from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified, StreamingHttpResponse
from django.utils.http import content_disposition_header, parse_etags, quote_etag

_CHUNK_BYTES = 1 << 18
_RANGE = re.compile(r"bytes=\s*(\d{0,18})-(\d{0,18})\s*", re.ASCII | re.IGNORECASE)
CONTENT_TYPES = {
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "mov": "video/quicktime",
    "webm": "video/webm",
    "mkv": "video/x-matroska",
    "avi": "video/x-msvideo",
    "3gp": "video/3gpp",
    "ts": "video/mp2t",
}
NO_PART = range(0)


def stored_file(
    request: HttpRequest, name: str, *, etag: str, download_as: str = "", storage: Storage = default_storage
) -> HttpResponseBase:
    """Answer GET or HEAD with a stored file: 200, 206, 304 or 416. It is streamed, never held in memory.

    ``etag`` names the content for ever, such as its sha256; ``download_as`` makes it an attachment of that name.
    Raises FileNotFoundError if the storage does not have the file. Several ranges at once, or a range of a content
    that has changed since (If-Range), are answered with the whole file, as the RFC allows.
    """
    quoted = quote_etag(etag)
    size = storage.size(name)
    if _is_known(request, quoted):
        response: HttpResponseBase = HttpResponseNotModified()
    else:
        part = requested_part(request, quoted, size)
        response = _unsatisfiable(size) if part == NO_PART else _answer(request, name, storage, size, part)
    if download_as:
        response["Content-Disposition"] = content_disposition_header(True, download_as)
    response["ETag"] = quoted
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = "private, max-age=3600"
    return response


def requested_part(request: HttpRequest, etag: str, size: int) -> range | None:
    """Return the positions asked for, None for the whole file, NO_PART for a range that it does not have."""
    found = _RANGE.fullmatch(request.headers.get("Range", ""))
    if request.method != "GET" or not found or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = found.groups()
    if (first and last and int(first) > int(last)) or not (first or last):
        return None
    if not first:
        return range(max(0, size - int(last)), size) or NO_PART
    return range(int(first), min(int(last) + 1, size) if last else size) or NO_PART


def content_type(name: str) -> str:
    """Return the media type by the file's extension."""
    return CONTENT_TYPES.get(name.rpartition(".")[2].lower(), "application/octet-stream")


def _answer(
    request: HttpRequest, name: str, storage: Storage, size: int, part: range | None
) -> HttpResponse | StreamingHttpResponse:
    wanted = range(size) if part is None else part
    headers = {"Content-Length": str(len(wanted)), "Content-Type": content_type(name)}
    if part is not None:
        headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    if request.method == "HEAD":
        return HttpResponse(headers=headers)
    stream = storage.open(name)
    body = FilePart(stream, wanted)
    response = StreamingHttpResponse(body, status=200 if part is None else 206, headers=headers)
    if isinstance(storage, FileSystemStorage):
        # As FileResponse does: Django hands the file, where it stands, to the server, which sends Content-Length of
        # it by its own loop. No thread waits for a slow reader.
        response.file_to_stream = stream  # type: ignore[attr-defined]
        response.block_size = _CHUNK_BYTES  # type: ignore[attr-defined]
    return response


def _unsatisfiable(size: int) -> HttpResponse:
    return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})


def _is_known(request: HttpRequest, etag: str) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return known == ["*"] or etag in (tag.removeprefix("W/") for tag in known)


class FilePart:
    """Iterates over some bytes of an open file in pieces; closing it closes the file, read to the end or not."""

    def __init__(self, stream: IO[bytes], part: range) -> None:
        # The file's own way to be closed: Django puts the answer's in its place when a server takes the file over.
        self._stream, self._left, self._close = stream, len(part), stream.close
        if self._left:
            stream.seek(part.start)

    def __iter__(self) -> Iterator[bytes]:
        while self._left and (piece := self._stream.read(min(_CHUNK_BYTES, self._left))):
            self._left -= len(piece)
            yield piece

    def close(self) -> None:
        """Close the file."""
        self._close()
