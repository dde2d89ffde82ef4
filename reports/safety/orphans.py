"""Files of the storage that no row names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePosixPath

from django.core.files.storage import default_storage
from django.utils import timezone

from reports.media.pictures import FOLDER as PICTURES
from reports.models import Proxy, Run, StagedImport, Upload, UploadPart
from reports.uploads.services import FOLDER as UPLOADS

# An import writes its files before its rows, a worker a proxy before it is done.
YOUNG = timedelta(days=1)
_NAMED = {"screencasts": "file_name", "logs": "log_name", "traces": "trace_name"}
_STAGED = "staging"  # what was sent by the page Import


@dataclass(frozen=True)
class Orphan:
    """A file that nothing names."""

    name: str
    size_bytes: int


def orphans() -> list[Orphan]:
    """Return the files that no run, proxy, screencast, upload or import has, and that are older than a day."""
    return [orphan for folder in (*_NAMED, "proxies", PICTURES, UPLOADS, _STAGED) for orphan in _in_folder(folder)]


def delete_orphans() -> int:
    """Delete them; return how many."""
    deleted = 0
    for orphan in orphans():
        with suppress(FileNotFoundError):
            default_storage.delete(orphan.name)
            deleted += 1
    return deleted


def _in_folder(folder: str) -> Iterator[Orphan]:
    if folder == PICTURES:
        named = set(Run.objects.values_list("sha256", flat=True).distinct())
    elif folder == _STAGED:
        named = {str(pk) for pk in StagedImport.objects.values_list("pk", flat=True)}
    elif folder == "proxies":
        named = set(Proxy.objects.values_list("file_name", flat=True))
    elif folder == UPLOADS:
        named = {
            name for model in (Upload, UploadPart) for name in model.objects.values_list("stored_name", flat=True)
        }
    else:
        named = set(Run.objects.order_by().values_list(_NAMED[folder], flat=True).distinct())
    before = timezone.now() - YOUNG
    for name in _walk(folder):
        owner = PurePosixPath(name).parent.name if folder in (PICTURES, _STAGED) else name
        with suppress(FileNotFoundError):
            if owner not in named and default_storage.get_modified_time(name) < before:
                yield Orphan(name, default_storage.size(name))


def _walk(folder: str) -> Iterator[str]:
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (f"{folder}/{name}" for name in files)
    for name in folders:
        yield from _walk(f"{folder}/{name}")
