"""Whether stored files still are what was stored: looked at in the background, noted once, told on every page."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.formats import date_format

from reports.media.pictures import pictures_of
from reports.media.screencasts import ScreencastMissingError, StorageAwayError, fingerprint, local_file
from reports.models import FileState, Proxy, ProxyStatus, Run, StoredFile
from reports.models.files import GONE

NOT_FILMED = "not_filmed"
NO_SCREENCAST = "No screencast: a benchmark measured this run, and its values came from a file of results."
ROT = (FileState.DAMAGED, FileState.MISSING)  # by accident
AGAIN_AFTER = timedelta(days=7)  # a file that was found intact is left alone for so long
SLICE_S = 120.0  # of each hour, in one process of a worker
_CHUNK_BYTES = 1 << 20
_BATCH = 500
Sleep = Callable[[float], None]


class ScreencastDamagedError(ScreencastMissingError):
    """The storage has the file, but not as it was stored."""


def with_file_state(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Load with each run the state of its screencast (``file_state``; None: never looked at) and since when."""
    mine = StoredFile.objects.filter(name=OuterRef("file_name"))
    return runs.annotate(
        file_state=Subquery(mine.values("state")[:1]), file_changed_at=Subquery(mine.values("changed_at")[:1])
    )


def rotten_screencasts() -> int:
    """Count the screencasts that are damaged or missing."""
    return StoredFile.objects.filter(state__in=ROT, name__startswith="screencasts/").count()


@dataclass(frozen=True)
class Film:
    """The screencast of a run as pages tell of it."""

    state: str | None
    since: datetime | None

    @property
    def words(self) -> str:
        """What became of it and what cures that; nothing for one that is as it was stored."""
        return file_words(self.state, self.since)

    @property
    def plays(self) -> bool:
        """Whether there is anything to be played, damaged or not."""
        return self.state not in (FileState.MISSING, FileState.DROPPED, NOT_FILMED)

    @property
    def rotten(self) -> bool:
        """Whether that is an accident, and not what retention did."""
        return self.state in ROT


def film_of(run: Run) -> Film:
    """Return the screencast of a run that was loaded ``with_file_state``; of any other one, as never looked at."""
    if not run.filmed:
        return Film(NOT_FILMED, None)
    return Film(getattr(run, "file_state", None), getattr(run, "file_changed_at", None))


def file_words(state: str | None, since: datetime | None) -> str:
    """Say what became of a recording and what cures it; nothing for one that is as it was stored."""
    if state == NOT_FILMED:
        return NO_SCREENCAST
    day = f" on {date_format(timezone.localtime(since), 'j M Y')}" if since else ""
    stands = "Its numbers are those of the original."
    return (
        {
            FileState.DAMAGED: (
                "This recording has changed on the disk since it was stored"
                + (f" (noticed{day})" if day else "")
                + f". {stands} Import it again to heal it."
            ),
            FileState.MISSING: (
                "This recording is no longer on the disk"
                + (f" (noticed{day})" if day else "")
                + f". {stands} Import it again to bring it back."
            ),
            FileState.DROPPED: f"The screencast was dropped{day} by retention; its measurements stand.",
        }.get(FileState(state), "")
        if state
        else ""
    )


def state_words(run: Run) -> str:
    """Say the same of a run that was loaded without its file's state: one query."""
    if not run.filmed:
        return NO_SCREENCAST
    found = StoredFile.objects.filter(name=run.file_name).values_list("state", "changed_at").first()
    return file_words(*found) if found else ""


@transaction.atomic
def note_state(*, name: str, state: FileState, sha256: str = "") -> bool:
    """Keep what was seen of a file just now; True if that is news. What was dropped stays so while it is away."""
    now = timezone.now()
    known = StoredFile.objects.select_for_update().filter(name=name).first()
    if known is None:
        seen = {"checked_at": now, "changed_at": None if state == FileState.INTACT else now}
        StoredFile.objects.create(name=name, sha256=sha256 or sha256_in(name), state=state, **seen)
        return state != FileState.INTACT
    if known.state == FileState.DROPPED and state == FileState.MISSING:
        state = FileState.DROPPED
    news = known.state != state
    known.state, known.checked_at = state, now
    known.changed_at = now if news else known.changed_at
    known.sha256 = sha256 or known.sha256
    known.save()
    return news


def sha256_in(name: str) -> str:
    """Return the sha256 that a file is named by; nothing for a proxy, whose name only tells its screencast."""
    stem = PurePosixPath(name).stem
    return stem if len(stem) == 64 else ""


def files_came_back(names: Collection[str]) -> int:
    """Note which of these files, stored just now, were gone before; return how many.

    What was made of a screencast while it was damaged is forgotten: it is made anew when it is needed.
    """
    gone = list(StoredFile.objects.filter(name__in=names, state__in=GONE))
    for file in gone:
        note_state(name=file.name, state=FileState.INTACT)
        forget_made(sha256=file.sha256)
    return len(gone)


def forget_made(*, sha256: str) -> int:
    """Delete the proxy and the pictures of a screencast; return how many files that were."""
    proxies = list(Proxy.objects.filter(sha256=sha256))
    names = [proxy.file_name for proxy in proxies if proxy.file_name]
    Proxy.objects.filter(pk__in=[proxy.pk for proxy in proxies]).exclude(status=ProxyStatus.RUNNING).delete()
    StoredFile.objects.filter(name__in=names).delete()
    folder = pictures_of(sha256)
    with suppress(FileNotFoundError):
        names += [f"{folder}/{name}" for name in default_storage.listdir(folder)[1]]
    for name in names:
        default_storage.delete(name)
    return len(names)


@dataclass(frozen=True)
class Looked:
    """What came of a look at stored files."""

    files: int = 0
    size_bytes: int = 0
    news: int = 0  # files that were found in another state than before


def look_at_files(
    *, bytes_per_s: float, seconds: float = SLICE_S, everything: bool = False, sleep: Sleep = time.sleep
) -> Looked:
    """Compare stored files with their sha256 for some seconds, those first that were checked longest ago.

    Reads no faster than ``bytes_per_s``, so that players and measurements have the disk for themselves.
    ``everything`` looks at every file, however lately it was checked and however long it takes. A storage that does
    not answer ends the look: that says nothing of its files.
    """
    know_files()
    until, started = time.monotonic() + seconds, timezone.now()
    due = StoredFile.objects.exclude(state=FileState.DROPPED).filter(sha256__gt="")
    files, size, news = 0, 0, 0
    while everything or time.monotonic() < until:
        longest_ago = due.order_by(F("checked_at").asc(nulls_first=True), "name")
        before = started if everything else timezone.now() - AGAIN_AFTER
        chosen = (longest_ago.filter(checked_at=None) | longest_ago.filter(checked_at__lt=before)).first()
        if chosen is None:
            break
        try:
            state, read = check_file(chosen.name, chosen.sha256, bytes_per_s=bytes_per_s, sleep=sleep)
        except StorageAwayError:
            break
        news += note_state(name=chosen.name, state=state)
        files, size = files + 1, size + read
    return Looked(files, size, news)


def check_file(
    name: str, sha256: str, *, bytes_per_s: float = 0.0, sleep: Sleep = time.sleep
) -> tuple[FileState, int]:
    """Read a file and return its state and how many bytes were read; 0 bytes/s is as fast as it can be."""
    digest, read, started = hashlib.sha256(), 0, time.monotonic()
    try:
        with default_storage.open(name) as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                digest.update(chunk)
                read += len(chunk)
                ahead = read / bytes_per_s - (time.monotonic() - started) if bytes_per_s else 0.0
                if ahead > 0:
                    sleep(ahead)
    except FileNotFoundError:
        return FileState.MISSING, read
    except StorageAwayError:
        raise
    except OSError:  # the disk does not give its bytes
        return FileState.DAMAGED, read
    return (FileState.INTACT if digest.hexdigest() == sha256 else FileState.DAMAGED), read


def know_files() -> None:
    """Make the rows of the files that runs name and nobody has looked at yet."""
    for field in ("file_name", "log_name", "trace_name"):
        known = Exists(StoredFile.objects.filter(name=OuterRef(field)))
        runs = Run.objects.exclude(**{field: ""}).exclude(known).order_by()
        if field == "file_name":
            found = dict(runs.values_list("file_name", "sha256").distinct())
        else:
            found = {name: sha256_in(name) for name in runs.values_list(field, flat=True).distinct()}
        rows = [StoredFile(name=name, sha256=sha256) for name, sha256 in found.items()]
        StoredFile.objects.bulk_create(rows, batch_size=_BATCH, ignore_conflicts=True)


def note_missing() -> int:
    """Look which known files are away, without reading any, and note it; return how many are news."""
    know_files()
    news = 0
    for name in StoredFile.objects.filter(state=FileState.INTACT).values_list("name", flat=True):
        if not default_storage.exists(name):
            news += note_state(name=name, state=FileState.MISSING)
    return news


@contextmanager
def intact_file(name: str) -> Iterator[Path]:
    """Give a stored screencast as a file of this machine, after its bytes were compared with its name.

    What is measured or copied must be what was imported. Raises as local_file does, and ScreencastDamagedError if
    the bytes are others; both are noted for the pages.
    """
    try:
        with local_file(name) as path:
            expected = sha256_in(name)
            if expected and fingerprint(path).sha256 != expected:
                raise ScreencastDamagedError(
                    "the recording has changed on the disk since it was imported: import its manifest again, which "
                    "heals it"
                )
            yield path
    except ScreencastDamagedError:
        note_state(name=name, state=FileState.DAMAGED)
        raise
    except ScreencastMissingError:
        note_state(name=name, state=FileState.MISSING)
        raise
