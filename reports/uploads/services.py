"""Files that come in parts: begun, added to, whole, forgotten.

Each part is a file of the storage by itself, and the offset of an upload moves by one conditional UPDATE in the
transaction that adds the part's row. So any web host may take any part, a server that is killed loses at most the
part it was receiving, and of two clients that send the same part one is told to look again.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from reports.media.screencasts import ScreencastMissingError, StorageError, keep_made, local_file
from reports.models import Upload, UploadPart
from reports.uploads.kinds import HEAD_BYTES, fault_of_kind, plain_file_name
from reports.uploads.parts import PartsReader
from reports.web.trouble import trouble_words

FOLDER = "uploads"
PART_BYTES = 8 << 20  # a request is read into memory, and UPREG_REQUEST_MB bounds it
_PIECE_BYTES = 1 << 16
_CHUNK_BYTES = 1 << 20
_COPIES = 2  # while the parts become the whole, and while the whole becomes a run's screencast


class UploadError(ValueError):
    """What is asked of an upload cannot be done.

    The message tells the cure; ``status`` is as HTTP and tus number it.
    """

    status, title = 400, "This upload cannot be begun like that"
    cure = "Correct that and begin again."

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class UploadGoneError(UploadError):
    """There is no such upload of whoever asks, or no longer."""

    status, title = 404, "There is no such upload"
    cure = "Begin the upload again."


class WrongOffsetError(UploadError):
    """The part does not begin where the upload stands: another client was there, or an answer got lost."""

    status, title = 409, "The upload stands elsewhere"
    cure = "Ask for Upload-Offset with HEAD and go on from there."


class TooLargeError(UploadError):
    """The file or the part is larger than it may be."""

    status, title = 413, "That is too large"
    cure = "Keep to the lengths that the header Upload-Limit names."


class WrongKindError(UploadError):
    """The file is none that is taken, by its first bytes."""

    status, title = 415, "Such a file is not taken"
    cure = "Send a screen recording, or a zip, manifest, log or trace."


class ChecksumError(UploadError):
    """What came is not what was sent. 460 is the number that tus gives it."""

    status, title = 460, "Something changed on the way"
    cure = "Send it again from where the upload stands."


class NoRoomError(UploadError):
    """The disk is full."""

    status, title = 507, "The disk of the server is full"
    cure = "Have room made on the server, then go on."


class StorageNotNowError(UploadError):
    """The storage cannot be reached or written."""

    status, title = 503, "The storage does not answer"
    cure = "Try again in a minute."


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose upload it is: a person in the browser, or one of a person's tokens."""

    user_id: int
    token_id: int | None = None


def longest_bytes() -> int:
    """Return how long a file may be."""
    return int(settings.UPLOAD_MB) << 20


def part_bytes() -> int:
    """Return how long a part may be."""
    return min(PART_BYTES, int(settings.REQUEST_MB) << 20)


def uploads_of(owner: Owner) -> QuerySet[Upload]:
    """Return the uploads of an owner that are not forgotten yet."""
    return Upload.objects.filter(user_id=owner.user_id, token_id=owner.token_id, expires_at__gt=timezone.now())


def get_upload(owner: Owner, pk: Any) -> Upload:
    """Return one of them; raises UploadGoneError, also for somebody else's."""
    found = uploads_of(owner).filter(pk=pk).first()
    if found is None:
        raise UploadGoneError(
            "no upload of yours has this number: it was never begun, or deleted, or its "
            f"{settings.UPLOAD_HOURS} hours are over: send the file again",
            field="upload",
        )
    return found


def begin(*, owner: Owner, length: int, file_name: str, sha256: str = "") -> Upload:
    """Begin an upload; ``sha256`` (64 hex digits) is compared with the whole at its end.

    Raises UploadError or one of its kin.
    """
    try:
        name = plain_file_name(file_name)
    except ValueError as error:
        raise UploadError(f"the file name {error}", field="filename") from None
    if length < 1:
        raise UploadError(f"the file {name} is empty: record or copy it again", field="Upload-Length")
    if length > longest_bytes():
        raise TooLargeError(
            f"the file {name} has {length:,} bytes, and {longest_bytes():,} are the most that is taken: record "
            "it in parts, or let whoever runs the server raise UPREG_UPLOAD_MB",
            field="Upload-Length",
        )
    _check_room(length, name)
    return Upload.objects.create(
        user_id=owner.user_id,
        token_id=owner.token_id,
        file_name=name,
        length=length,
        sha256=sha256,
        expires_at=_later(),
    )


def add_part(*, upload: Upload, offset: int, read: Callable[[int], bytes], sha256: bytes | None = None) -> Upload:
    """Store a part that ``read`` gives, and the whole if it was the last; return the upload as it stands then.

    ``sha256`` is the part's own. Kind and length are looked at while it is read. Raises UploadError or one of its
    kin; nothing of the part is kept then, unless only the whole could not be made of it.
    """
    if offset != upload.offset:
        raise _stands_at(upload)
    data = _received(upload, read)
    if sha256 is not None and hashlib.sha256(data).digest() != sha256:
        raise ChecksumError("the part differs from its Upload-Checksum: send it again from the same offset")
    if data:
        _add(upload, data)
        upload.refresh_from_db()
    return finish(upload=upload) if upload.offset == upload.length else upload


def finish(*, upload: Upload) -> Upload:
    """Make the whole of an upload whose parts are all there, compared with its sha256. May be repeated.

    Raises UploadError if parts are missing; ChecksumError or WrongKindError, after which it begins again at 0;
    NoRoomError, after which it may be tried again.
    """
    if upload.stored_name:
        return upload
    if upload.offset < upload.length:
        raise WrongOffsetError(
            f"the file {upload.file_name} is not whole: {upload.offset} of its {upload.length} bytes are there: "
            "send the rest",
            field="upload",
        )
    parts = list(upload.parts.all())
    try:
        sha256, name = _whole(upload, [(part.stored_name, part.size_bytes) for part in parts])
    except FileNotFoundError:
        upload.refresh_from_db()
        if upload.stored_name:  # another request was faster
            return upload
        _begin_again(upload)
        raise WrongOffsetError(
            "the storage no longer has what was received: send the file from its beginning"
        ) from None
    kept = {name}
    with transaction.atomic():
        values = {"stored_name": name, "sha256": sha256, "expires_at": _later()}
        if _unfinished(upload).update(**values):
            UploadPart.objects.filter(upload=upload).delete()
        else:
            kept = set(Upload.objects.filter(pk=upload.pk).values_list("stored_name", flat=True))
    _delete({name, *(part.stored_name for part in parts)} - kept)
    upload.refresh_from_db()
    return upload


@contextmanager
def as_file(upload: Upload) -> Iterator[Path]:
    """Give the whole of an upload as a file of this machine, to be read for the time of the block.

    Its name ends as the sender's did. Raises as `finish` does.
    """
    upload = finish(upload=upload)
    with in_words(), local_file(upload.stored_name) as path:
        yield path


@contextmanager
def in_words() -> Iterator[None]:
    """Raise NoRoomError, StorageNotNowError or UploadGoneError for what the storage does not do meanwhile.

    FileNotFoundError and what the database refuses for another reason than a full disk go through.
    """
    try:
        yield
    except UploadError:
        raise
    except ScreencastMissingError as error:
        raise UploadGoneError("the storage no longer has this file: send it again", field="upload") from error
    except (StorageError, DatabaseError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        if "is full" in trouble_words(error):
            raise NoRoomError(
                "the disk of the server is full: let whoever runs it make room, then go on where the upload "
                "stands; what was received before is kept"
            ) from error
        if not isinstance(error, DatabaseError):
            raise StorageNotNowError(
                "the storage of the server does not take or give files now: try again in a minute; what was "
                "received before is kept"
            ) from error
        raise


def used(*, upload: Upload, stored_name: str) -> None:
    """Let go of what an upload holds, as a run has the whole as ``stored_name`` by now.

    The upload itself goes an hour later, and is the run's file until then: whoever lost the answer may ask again.
    """
    soon = timezone.now() + timedelta(hours=1)
    here = Upload.objects.filter(pk=upload.pk, stored_name=upload.stored_name)
    if here.update(stored_name=stored_name, expires_at=min(upload.expires_at, soon)):
        _delete({upload.stored_name} - {stored_name})


def moved(uploads: Iterable[Upload]) -> bool:
    """Look where the wholes of uploads lie now; tell whether one was let go of since it was looked at last."""
    known = {upload.pk: upload for upload in uploads}
    found = dict(Upload.objects.filter(pk__in=known).values_list("pk", "stored_name"))
    before = {pk: upload.stored_name for pk, upload in known.items()}
    for pk, name in found.items():
        known[pk].stored_name = name
    return any(before[pk] != name for pk, name in found.items())


def forget(*, upload: Upload) -> None:
    """Delete an upload with all that is stored of it."""
    Upload.objects.filter(pk=upload.pk).delete()
    _delete(_files_of(upload))
    _delete({f"{FOLDER}/{upload.pk}"})  # of a storage that is a folder; an object store has none


def forget_expired() -> int:
    """Delete the uploads whose time is over; return how many."""
    expired = list(Upload.objects.filter(expires_at__lte=timezone.now()))
    for upload in expired:
        forget(upload=upload)
    return len(expired)


def _received(upload: Upload, read: Callable[[int], bytes]) -> bytes:
    """Read a part into memory, and no more than it may have."""
    room = upload.length - upload.offset
    most = min(part_bytes(), room)
    data = bytearray()
    judged = upload.offset > 0
    while piece := read(min(_PIECE_BYTES, most + 1 - len(data))):
        data += piece
        if len(data) > most:
            raise TooLargeError(
                f"the part goes beyond the {upload.length} bytes that were announced: send what is left of the file"
                if most == room
                else f"the part has more than {most} bytes: send parts of that length (see Upload-Limit)"
            )
        if not judged and len(data) >= min(HEAD_BYTES, upload.length):
            _judge(upload, bytes(data[:HEAD_BYTES]))
            judged = True
    return bytes(data)


def _judge(upload: Upload, head: bytes) -> None:
    if fault := fault_of_kind(upload.file_name, head):
        raise WrongKindError(fault, field="filename")


def _add(upload: Upload, data: bytes) -> None:
    """Keep the bytes, then say in one transaction that they are there."""
    name = _new_name(upload, f"{upload.offset:013d}")
    part = UploadPart(upload=upload, offset=upload.offset, size_bytes=len(data), stored_name=name)
    after = upload.offset + len(data)
    moved = False
    try:
        with in_words():
            keep_made(BytesIO(data), name)
            with transaction.atomic():
                here = Upload.objects.filter(pk=upload.pk, offset=upload.offset, stored_name="")
                moved = bool(here.update(offset=after, expires_at=_later()))
                if moved:
                    part.save()
    finally:
        if not moved:
            _delete({name})
    if not moved:
        raise _stands_at(upload)


def _whole(upload: Upload, parts: Sequence[tuple[str, int]]) -> tuple[str, str]:
    """Return the sha256 of the whole and the name under which it is stored; one part is the whole already."""
    raw: Any = PartsReader(parts)
    with in_words(), BufferedReader(raw, _CHUNK_BYTES) as stream:
        head = stream.read(HEAD_BYTES)
        stream.seek(0)
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        try:
            _judge(upload, head)  # the first part may have been shorter than what tells
            if upload.sha256 not in ("", sha256):
                raise ChecksumError(
                    f"the file {upload.file_name} is not the one whose sha256 was announced: what came was "
                    "dropped: send it again from its beginning",
                    field="sha256",
                )
        except UploadError:
            _begin_again(upload)
            raise
        if len(parts) == 1:
            return sha256, parts[0][0]
        stream.seek(0)
        name = _new_name(upload, "whole")
        keep_made(stream, name)
        return sha256, name


def _unfinished(upload: Upload) -> QuerySet[Upload]:
    """Match an upload whose parts are all there, if nobody has made its whole or dropped them meanwhile."""
    return Upload.objects.filter(pk=upload.pk, stored_name="", offset=F("length"))


def _begin_again(upload: Upload) -> None:
    """Drop what came; the next part is the first."""
    names: set[str] = set()
    with transaction.atomic():
        if _unfinished(upload).update(offset=0, expires_at=_later()):
            names = set(UploadPart.objects.filter(upload=upload).values_list("stored_name", flat=True))
            UploadPart.objects.filter(upload=upload).delete()
    _delete(names)


def _stands_at(upload: Upload) -> UploadError:
    """Say where an upload stands now, as others may have moved it."""
    at = Upload.objects.filter(pk=upload.pk).values_list("offset", flat=True).first()
    if at is None:
        return UploadGoneError("the upload was deleted meanwhile: begin again")
    return WrongOffsetError(
        f"the upload stands at {at}: ask for its Upload-Offset with HEAD, and go on from there",
        field="Upload-Offset",
    )


def _check_room(length: int, name: str) -> None:
    if not isinstance(default_storage, FileSystemStorage):
        return  # an object store tells nobody what it has
    folder = Path(default_storage.path(""))
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < length * _COPIES:
        raise NoRoomError(
            f"the file {name} needs {_mb(length * _COPIES)} of room while it is taken in, and {_mb(free)} are "
            "free: let whoever runs the server make room"
        )


def _new_name(upload: Upload, what: str) -> str:
    """Return a name that no other request has; it ends as the file does."""
    ending = PurePosixPath(upload.file_name).suffix.lower()
    plain = ending if ending[1:].isascii() and ending[1:].isalnum() and len(ending) < 20 else ""
    return f"{FOLDER}/{upload.pk}/{what}-{token_hex(4)}{plain}"


def _files_of(upload: Upload) -> set[str]:
    """Return what lies in the folder of an upload, also what no row names after a crash."""
    folder = f"{FOLDER}/{upload.pk}"
    with suppress(FileNotFoundError):
        return {f"{folder}/{name}" for name in default_storage.listdir(folder)[1]}
    return set()


def _delete(names: set[str]) -> None:
    """Delete files; one that cannot be is left to the doctor."""
    for name in names:
        with suppress(OSError):
            default_storage.delete(name)


def _later() -> Any:
    return timezone.now() + timedelta(hours=settings.UPLOAD_HOURS)


def _mb(size: int) -> str:
    return f"{size / (1 << 20):,.0f} MB"
