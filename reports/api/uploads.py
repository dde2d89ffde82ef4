"""Uploads in parts as tus 1.0.0 describes them: creation, expiration, termination, checksum (sha256).

The protocol's headers are read and written here; what becomes of a file is decided in reports/uploads.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.http import http_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from analysis.manifest.rows import Problem as LineProblem
from reports.api.base import METHODS
from reports.api.problems import Problem
from reports.api.schema import ProblemSerializer
from reports.importing.gathered import keep_refused
from reports.models import Upload
from reports.uploads.services import (
    Owner,
    TooLargeError,
    UploadError,
    WrongKindError,
    add_part,
    begin,
    forget,
    get_upload,
    longest_bytes,
    part_bytes,
)
from reports.web.problems import PROBLEM
from reports.web.requests import signed_in_user

VERSION, EXTENSIONS, ALGORITHM = "1.0.0", "creation,expiration,termination,checksum", "sha256"
PART = "application/offset+octet-stream"
SHA256_BYTES, SHA256_HEX = 32, re.compile("[0-9a-fA-F]{64}")
_LONGEST_METADATA = 4_000
_MOST_DIGITS = 18


def owner_of(request: Request) -> Owner:
    """Return whose uploads a request may see: those of the token that it brings, else of the session's person."""
    return Owner(signed_in_user(request).pk, request.auth.pk if request.auth is not None else None)


@contextmanager
def upload_problems() -> Iterator[None]:
    """Answer for what an upload refuses meanwhile."""
    try:
        yield
    except UploadError as error:
        words = str(error)
        told = {"field": error.field, "title": error.title, "cure": error.cure}
        raise Problem(error.status, words[:1].upper() + words[1:], **told) from error


@contextmanager
def _in_log(request: Request, file_name: str, refusal: type[UploadError]) -> Iterator[None]:
    """Keep in the import log that a script's file is none to take; a person sees it on the page that sends."""
    try:
        yield
    except refusal as error:
        if request.auth is not None:
            keep_refused(fields={"video": file_name}, problems=[LineProblem(0, "video", str(error))])
        raise


def refusals(**words: str) -> dict[Any, Any]:
    """Describe further refusals for the schema: ``s412="…"``."""
    return {(int(key[1:]), PROBLEM): OpenApiResponse(ProblemSerializer, text) for key, text in words.items()}


TEXT = {"type": "string", "maxLength": _LONGEST_METADATA}
BYTES = {"type": "integer", "format": "int64", "minimum": 0, "maximum": 10**_MOST_DIGITS - 1}


def header(name: str, words: str, kind: Any = TEXT, *, required: bool = True) -> OpenApiParameter:
    """Describe a header for the schema."""
    return OpenApiParameter(name, kind, OpenApiParameter.HEADER, required=required, description=words)


class UploadSerializer(serializers.Serializer):
    """An upload as it stands."""

    id = serializers.UUIDField()
    filename = serializers.CharField(source="file_name")
    length = serializers.IntegerField(help_text="Bytes of the whole file.")
    offset = serializers.IntegerField(help_text="Bytes that are stored: where the next part begins.")
    complete = serializers.SerializerMethodField(help_text="Whole, and compared with its sha256.")
    sha256 = serializers.CharField(
        help_text="64 hex digits; empty until the whole is there, if none was announced."
    )
    expires_at = serializers.DateTimeField(help_text="When it is forgotten, unless a part comes.")

    def get_complete(self, upload: Upload) -> bool:
        """Tell whether it can be used."""
        return bool(upload.stored_name)


TUS = header("Tus-Resumable", f"Version of the protocol: {VERSION}.")
OLD = "The header Tus-Resumable names another version, or is missing."
DIFFERS = "The part, or behind the last one the whole, is not what was announced."
FULL = {"s503": "The storage cannot be reached.", "s507": "The disk is full."}


class Uploads(ViewSet):
    """Files sent in parts. Whoever began an upload goes on with it: a token, or a person in the browser."""

    http_method_names = [*METHODS, "options"]
    lookup_value_converter = "uuid"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse other versions of the protocol, behind the login."""
        super().initial(request, *args, **kwargs)
        if request.method not in ("GET", "OPTIONS") and request.headers.get("Tus-Resumable") != VERSION:
            raise Problem(
                412,
                f"This speaks tus {VERSION}, and the header Tus-Resumable does not say so.",
                field="Tus-Resumable",
                title="Another version of the protocol",
                cure=f"Send Tus-Resumable: {VERSION}.",
            )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say on every answer what is spoken here."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Tus-Resumable"] = response["Tus-Version"] = VERSION
        response["Cache-Control"] = "no-store"
        return response

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Say what is offered: extensions, algorithms, the longest file and part."""
        offered = {"Tus-Extension": EXTENSIONS, "Tus-Checksum-Algorithm": ALGORITHM}
        return Response(status=204, headers=offered | {"Tus-Max-Size": str(longest_bytes())} | _limit())

    @extend_schema(
        operation_id="uploads_create",
        summary="Begin an upload",
        parameters=[
            TUS,
            header("Upload-Length", "Bytes of the whole file.", BYTES),
            header("Upload-Metadata", "`filename` and `sha256` (hex digits) of the whole, each in Base64."),
        ],
        request=None,
        responses={
            201: OpenApiResponse(
                UploadSerializer,
                "Begun. `Location` is its address, `Upload-Limit` names the longest part (`max-append-size`, in "
                "bytes) and file (`max-size`), `Upload-Expires` when it is forgotten.",
            ),
            **refusals(s412=OLD, **FULL),
        },
    )
    def create(self, request: Request) -> Response:
        """Begin an upload of one file."""
        length = _whole_number(request, "Upload-Length")
        told = _metadata(request.headers.get("Upload-Metadata", ""))
        name, sha256 = _file_name(told), _sha256_of_whole(told)
        with upload_problems(), _in_log(request, name, TooLargeError):
            upload = begin(owner=owner_of(request), length=length, file_name=name, sha256=sha256)
        place = {"Location": reverse("api:uploads-detail", args=[upload.pk])}
        return Response(UploadSerializer(upload).data, status=201, headers=_stand(upload) | _limit() | place)

    @extend_schema(
        operation_id="uploads_retrieve",
        summary="Ask how far an upload has come",
        description="As JSON, and as headers with HEAD: `Upload-Offset`, `Upload-Length`, `Upload-Metadata`, "
        "`Upload-Expires`. HEAD takes `Tus-Resumable`.",
        responses={200: UploadSerializer, **refusals(s412=OLD)},
    )
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Say where it stands."""
        with upload_problems():
            upload = get_upload(owner_of(request), pk)
        name = base64.b64encode(upload.file_name.encode()).decode()
        headers = _stand(upload) | {"Upload-Length": str(upload.length), "Upload-Metadata": f"filename {name}"}
        return Response(None if request.method == "HEAD" else UploadSerializer(upload).data, headers=headers)

    @extend_schema(
        operation_id="uploads_part",
        summary="Add the next part",
        parameters=[
            TUS,
            header("Upload-Offset", "Where the part begins: what HEAD says.", BYTES),
            header("Upload-Checksum", "`sha256` and the part's own in Base64.", required=False),
        ],
        request={PART: OpenApiTypes.BINARY},
        responses={
            204: OpenApiResponse(
                None, "Stored. `Upload-Offset` is where the next begins; behind the last the whole is there."
            ),
            **refusals(s412=OLD, s460=DIFFERS, **FULL),
        },
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Store the bytes of the body at the offset."""
        if request._request.content_type != PART:
            raise Problem(415, f"A part comes as {PART}.", field="Content-Type", cure=f"Send it as {PART}.")
        offset = _whole_number(request, "Upload-Offset")
        sha256 = _checksum(request.headers.get("Upload-Checksum", ""))
        with upload_problems():
            upload = get_upload(owner_of(request), pk)
            with _in_log(request, upload.file_name, WrongKindError):
                upload = add_part(upload=upload, offset=offset, read=request._request.read, sha256=sha256)
        return Response(status=204, headers=_stand(upload))

    @extend_schema(
        operation_id="uploads_delete",
        summary="Delete an upload",
        parameters=[TUS],
        responses={204: OpenApiResponse(None, "Deleted, with all that was stored of it."), **refusals(s412=OLD)},
    )
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Forget it at once. Runs that were made of it stay."""
        with upload_problems():
            forget(upload=get_upload(owner_of(request), pk))
        return Response(status=204)


def _stand(upload: Upload) -> dict[str, str]:
    return {"Upload-Offset": str(upload.offset), "Upload-Expires": http_date(upload.expires_at.timestamp())}


def _limit() -> dict[str, str]:
    """Name the limits as the IETF's draft of resumable uploads does."""
    age = settings.UPLOAD_HOURS * 3600
    return {"Upload-Limit": f"max-size={longest_bytes()}, max-append-size={part_bytes()}, max-age={age}"}


def _wrong(name: str, words: str) -> Problem:
    return Problem(400, f"{name} {words}", field=name, cure="Send the header as tus 1.0.0 describes it.")


def _whole_number(request: Request, name: str) -> int:
    text = request.headers.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise _wrong(name, "is no whole number from 0 on." if text else "is missing.")
    return int(text)


def _metadata(text: str) -> dict[str, bytes]:
    """Read ``key Base64,key Base64``; a value may be left out."""
    if len(text) > _LONGEST_METADATA:
        raise _wrong("Upload-Metadata", f"has more than {_LONGEST_METADATA} characters.")
    found = {}
    for pair in filter(None, map(str.strip, text.split(","))):
        key, _, value = pair.partition(" ")
        found[key] = _decoded("Upload-Metadata", value)
    return found


def _file_name(told: dict[str, bytes]) -> str:
    try:
        return told["filename"].decode()
    except KeyError:
        raise _wrong("Upload-Metadata", "names no filename.") from None
    except UnicodeDecodeError:
        raise _wrong("Upload-Metadata", "has a filename that is no UTF-8.") from None


def _sha256_of_whole(told: dict[str, bytes]) -> str:
    """Return the announced sha256 as hex digits; it may come as them, or as the bytes themselves."""
    given = told.get("sha256", b"")
    if len(given) in (0, SHA256_BYTES):
        return given.hex()
    if SHA256_HEX.fullmatch(given.decode("latin-1")):
        return given.decode().lower()
    raise _wrong("Upload-Metadata", "has a sha256 that is none: it takes 64 hex digits.")


def _checksum(text: str) -> bytes | None:
    """Read the checksum of a part; None if there is none."""
    if not text:
        return None
    algorithm, _, value = text.strip().partition(" ")
    if algorithm != ALGORITHM:
        raise _wrong("Upload-Checksum", f"names another algorithm than {ALGORITHM}.")
    found = _decoded("Upload-Checksum", value)
    if len(found) != SHA256_BYTES:
        raise _wrong("Upload-Checksum", f"has {len(found)} bytes, and a sha256 has {SHA256_BYTES}.")
    return found


def _decoded(name: str, value: str) -> bytes:
    try:
        return base64.b64decode(value.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise _wrong(name, "holds what is no Base64.") from None
