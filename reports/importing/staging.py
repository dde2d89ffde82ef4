"""Take in what somebody sends by the page, keep it until it is imported or dropped, forget it after its time."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from tempfile import NamedTemporaryFile
from typing import BinaryIO
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.manifest.guesses import Guesser, Known
from analysis.verdicts.text import count_text
from analysis.video.opening import HEAD_BYTES, UnreadableVideoError, demuxer_of
from reports.importing.archive import ArchiveError, Entry, chunks_of, entries_of, open_archive, safe_path
from reports.media.screencasts import keep_made
from reports.models import (
    App,
    Device,
    Interaction,
    OsVersion,
    StagedFile,
    StagedImport,
    StagedKind,
    StagedStatus,
    Upload,
)
from reports.uploads.services import Owner, as_file, get_upload, uploads_of
from reports.uploads.services import forget as forget_upload

FOLDER = "staging"
MOST_OPEN = 10  # of one person at a time
MOST_FILES = 5_000
MOST_LINES = 20_000  # of a manifest: each look at it reads them all
MOST_KNOWN = 5_000  # names of each kind that are looked for in paths
MANIFEST_NAMES = ("manifest.csv", "runs.csv", "manifest.tsv", "runs.tsv")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_CHUNK_BYTES = 1 << 20
_TABLES = (".csv", ".tsv")
_NUMBERS = re.compile(r"([0-9]+)")


class StagingError(ValueError):
    """What was sent cannot be taken in at all; the message tells the cure."""


def most_bytes() -> int:
    """Return how much may be sent for one import, unpacked."""
    return int(settings.IMPORT_MB) << 20


def open_of(user: AbstractBaseUser) -> QuerySet[StagedImport]:
    """Return what somebody has sent and not yet imported, the newest first."""
    return StagedImport.objects.filter(user_id=user.pk, expires_at__gt=timezone.now()).exclude(
        status=StagedStatus.DONE
    )


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that was sent: what it is called, with its folders if they are known, and how it is opened."""

    path: str
    open: Callable[[], AbstractContextManager[BinaryIO]]


def stage(*, user: AbstractBaseUser, files: Sequence[Sent]) -> StagedImport:
    """Take files in: recordings, a manifest, or a zip of them; raises StagingError if nothing can be taken in.

    A file that is refused stands in the table with the cure, the others are taken. Raises StorageError if the
    storage has no room: nothing is kept then.
    """
    if open_of(user).count() >= MOST_OPEN:
        raise StagingError(f"you have {MOST_OPEN} imports open: import or drop one of them first")
    staged = StagedImport.objects.create(user_id=user.pk, name=_name_of(files))
    try:
        taking = _Taking(staged)
        for file in files:
            taking.take(file)
        taking.check()
        _guess(taking.rows)
        taking.rows.sort(key=_as_read)
        with transaction.atomic():
            StagedFile.objects.bulk_create(taking.rows, batch_size=500)
    except BaseException:
        forget(staged=staged)
        raise
    return staged


def stage_uploads(*, user: AbstractBaseUser, sent: Sequence[tuple[UUID, str]]) -> StagedImport:
    """Take in files that were sent in parts, each with the path that it had; let go of the uploads.

    Raises as ``stage``; UploadError if one of them is not there, or no longer.
    """
    owner = Owner(user.pk)
    uploads = {upload.pk: upload for upload in uploads_of(owner).filter(pk__in=[pk for pk, _ in sent])}
    found = [(uploads.get(pk) or get_upload(owner, pk), path) for pk, path in sent]
    staged = stage(user=user, files=[Sent(path, partial(_opened, upload)) for upload, path in found])
    for upload in uploads.values():
        forget_upload(upload=upload)
    return staged


@contextmanager
def _opened(upload: Upload) -> Iterator[BinaryIO]:
    with as_file(upload) as path, path.open("rb") as stream:
        yield stream


def _name_of(files: Sequence[Sent]) -> str:
    names = [PurePosixPath(file.path).name or "file" for file in files]
    chosen = next((name for name in names if PurePosixPath(name).suffix.lower() in (".zip", *_TABLES)), "")
    name = chosen or (names[0] if len(names) == 1 else count_text(len(names), "file"))
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in name)[:200]


def _as_read(row: StagedFile) -> list[str | int]:
    """Return what orders paths as people do, 2 before 10: browsers send a folder in no order at all."""
    return [int(part) if at % 2 else part for at, part in enumerate(_NUMBERS.split(row.path.casefold()))]


class _Taking:
    """The files of one import while they come in; all their bytes are counted."""

    def __init__(self, staged: StagedImport) -> None:
        self._staged = staged
        self._left = most_bytes()
        self._paths: set[str] = set()
        self.rows: list[StagedFile] = []

    def take(self, file: Sent) -> None:
        """Take one file, or each file of a zip."""
        with file.open() as stream:
            head = stream.read(len(_ZIP[0]))
            size = stream.seek(0, os.SEEK_END)
            stream.seek(0)
            if head in _ZIP:
                self._take_zip(file.path, stream, size)
            else:
                self._take_plain(file.path, iter(partial(stream.read, _CHUNK_BYTES), b""))

    def check(self) -> None:
        """Raise StagingError if there is nothing to import."""
        if len(self.rows) > MOST_FILES:
            raise StagingError(f"these are {len(self.rows):,} files: send at most {MOST_FILES:,} at once")
        manifests = [row for row in self.rows if row.kind == StagedKind.MANIFEST]
        chosen = _chosen_manifest(manifests)
        if len(manifests) > 1 and chosen is None:
            names = ", ".join(row.path for row in manifests[:5])
            raise StagingError(
                f"there are {len(manifests)} tables ({names}): send one, or call it {MANIFEST_NAMES[0]}"
            )
        for row in manifests:
            if row is not chosen:
                row.kind = StagedKind.OTHER
        if chosen is None and not any(row.kind == StagedKind.VIDEO for row in self.rows):
            fault = next((f"{row.path} {row.fault}" for row in self.rows if row.fault), "")
            raise StagingError(
                f"there is no recording among these files: {fault}" if fault else "there is no recording"
            )

    def _take_zip(self, name: str, stream: BinaryIO, size: int) -> None:
        try:
            with open_archive(stream) as archive:
                for entry in entries_of(archive, packed_bytes=size, most_bytes=self._left):
                    self._take_entry(entry, chunks_of(archive, entry))
        except ArchiveError as error:
            raise StagingError(f"{name}: {error}") from error

    def _take_plain(self, written: str, chunks: Iterator[bytes]) -> None:
        try:
            path = safe_path(written)
        except ValueError as error:
            self._refuse(written, str(error))
        else:
            self._keep(path, chunks)

    def _take_entry(self, entry: Entry, chunks: Iterator[bytes]) -> None:
        if entry.fault:
            self._refuse(entry.path, entry.fault)
            return
        try:
            self._keep(entry.path, chunks)
        except ArchiveError as error:
            self._refuse(entry.path, str(error))

    def _refuse(self, path: str, fault: str) -> None:
        self.rows.append(StagedFile(staged=self._staged, path=path[:400], fault=fault))

    def _keep(self, path: str, chunks: Iterable[bytes]) -> None:
        if path in self._paths:
            self._refuse(path, "was sent twice: give one of them another name")
            return
        self._paths.add(path)
        row = StagedFile(staged=self._staged, path=path)
        hashing = hashlib.sha256()
        with NamedTemporaryFile() as copy:
            lines = 0
            for chunk in chunks:
                row.size_bytes += len(chunk)
                lines += chunk.count(b"\n")
                self._left -= len(chunk)
                if self._left < 0:
                    raise StagingError(f"these are more than {most_bytes() / 1e6:,.0f} MB: send them in parts")
                hashing.update(chunk)
                copy.write(chunk)
            copy.flush()
            row.sha256 = hashing.hexdigest()
            with open(copy.name, "rb") as stream:
                row.kind, row.fault = _judge(path, stream.read(HEAD_BYTES))
                if row.kind == StagedKind.MANIFEST and lines > MOST_LINES:
                    raise StagingError(f"{path} has {lines:,} lines: send manifests of at most {MOST_LINES:,}")
                if row.size_bytes:
                    stream.seek(0)
                    row.stored_name = f"{FOLDER}/{self._staged.pk}/{len(self.rows):05d}{_ending(path)}"
                    keep_made(stream, row.stored_name)
        self.rows.append(row)


def _judge(path: str, head: bytes) -> tuple[StagedKind, str]:
    """Say what a file is by its first bytes, and why it is no recording."""
    if not head:
        return StagedKind.OTHER, "is empty: record or copy it again"
    if PurePosixPath(path).suffix.lower() in _TABLES:
        return StagedKind.MANIFEST, ""
    try:
        demuxer_of(head)
    except UnreadableVideoError as error:
        return StagedKind.OTHER, str(error)
    return StagedKind.VIDEO, ""


def _ending(path: str) -> str:
    ending = PurePosixPath(path).suffix.lower()
    return ending if ending.isascii() and ending[1:].isalnum() and len(ending) <= 9 else ""


def _chosen_manifest(rows: list[StagedFile]) -> StagedFile | None:
    """Return the manifest: the only table, else the one that is called so and lies highest."""
    called = (
        [row for row in rows if PurePosixPath(row.path).name.lower() in MANIFEST_NAMES] if len(rows) > 1 else rows
    )
    ordered = sorted(called, key=lambda row: row.path.count("/"))
    if len(ordered) > 1 and ordered[0].path.count("/") == ordered[1].path.count("/"):
        return None
    return ordered[0] if ordered else None


def _guess(rows: list[StagedFile]) -> None:
    """Fill in what the names of recordings tell, where no manifest says it."""
    if any(row.kind == StagedKind.MANIFEST for row in rows):
        return
    guesser = Guesser(_known())
    for row in rows:
        if row.kind == StagedKind.VIDEO:
            row.cells = guesser.guess(row.path)


def _known() -> Known:
    types = Interaction.objects.values_list("app__name", "name", "type")[:MOST_KNOWN]
    return Known(
        versions=list(OsVersion.objects.values_list("name", flat=True)[:MOST_KNOWN]),
        apps=list(App.objects.values_list("name", flat=True)[:MOST_KNOWN]),
        devices=list(Device.objects.values_list("name", flat=True).distinct()[:MOST_KNOWN]),
        types={(app, name): type_ for app, name, type_ in types},
    )


def discard(*, staged: StagedImport) -> bool:
    """Drop what was sent, unless it is being imported or was; tell whether it was dropped."""
    deleted, _ = StagedImport.objects.filter(pk=staged.pk, status=StagedStatus.OPEN).delete()
    if deleted:
        drop_files(staged)
    return bool(deleted)


def forget(*, staged: StagedImport) -> None:
    """Delete it with its files."""
    drop_files(staged)
    staged.delete()


def drop_files(staged: StagedImport) -> None:
    """Delete the files of it that are stored, also those that no row names after a crash."""
    folder = f"{FOLDER}/{staged.pk}"
    with suppress(FileNotFoundError):
        for name in default_storage.listdir(folder)[1]:
            with suppress(OSError):
                default_storage.delete(f"{folder}/{name}")
    with suppress(OSError):  # the folder itself; an object store has none
        default_storage.delete(folder)


def forget_expired() -> int:
    """Delete what was sent and not imported in its time; return how many imports."""
    over = StagedImport.objects.filter(expires_at__lte=timezone.now())
    expired = list(over.exclude(status=StagedStatus.RUNNING))
    for staged in expired:
        forget(staged=staged)
    return len(expired)
