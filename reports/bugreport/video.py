"""Which file of a run goes into a bug report: the recording, or a copy of it that every browser plays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZipFile

from analysis.isolation.decoder import DecoderError
from analysis.isolation.picturing import plays_apart
from reports.media.decoding import decoders
from reports.media.files import film_of
from reports.media.proxies import make_proxy
from reports.media.screencasts import ScreencastMissingError, local_file
from reports.media.stills import find_proxy
from reports.models import Proxy, ProxyStatus, Run

MAX_VIDEO_BYTES = 256 << 20


@dataclass(frozen=True)
class VideoPart:
    """The screencast in the report. ``name`` is empty where there is none; ``note`` is what a reader must know."""

    name: str = ""
    note: str = ""
    plays: bool = False


def add_video(out: ZipFile, key: str, run: Run, *, transcode: bool = False) -> VideoPart:
    """Copy a run's screencast into the zip, never whole in memory.

    A recording that browsers do not play is replaced by its proxy. With ``transcode`` a missing proxy is made now,
    which takes seconds; without, the recording goes in as it is, and the note says so.
    """
    gone = film_of(run).words
    if not run.filmed:
        return VideoPart(note=gone)
    try:
        with local_file(run.file_name) as path:
            part = _add(out, key, run, path, transcode)
        return replace(part, note=f"{gone} {part.note}".strip()) if gone else part
    except ScreencastMissingError as error:
        return VideoPart(note=gone or f"The screencast is missing: {error}.")


def _add(out: ZipFile, key: str, run: Run, path: Path, transcode: bool) -> VideoPart:
    if _plays(path):
        return _copy(out, key, path)
    proxy = find_proxy(run) or (_made(run) if transcode else None)
    if proxy is None:
        return _copy(out, key, path, note=_unplayable(run), plays=False)
    note = (
        "A copy in H.264 with every frame at its own time; the recording itself, which browsers do not play, "
        "stays in UPReg."
    )
    with local_file(proxy) as copy:
        return _copy(out, key, copy, note=note)


def _copy(out: ZipFile, key: str, path: Path, *, note: str = "", plays: bool = True) -> VideoPart:
    size = path.stat().st_size
    if size > MAX_VIDEO_BYTES:
        limit = f"{size >> 20} MB, more than the {MAX_VIDEO_BYTES >> 20} MB that a report takes"
        return VideoPart(note=f"The screencast is left out: it has {limit}. It stays in UPReg.")
    name = f"{key}{path.suffix}"
    out.write(path, name)
    return VideoPart(name, note, plays)


def _plays(path: Path) -> bool:
    """Tell whether every browser plays it; what cannot be told goes in with that note."""
    try:
        return plays_apart(decoders(), path)
    except DecoderError:
        return False


def _made(run: Run) -> str | None:
    proxy, _ = Proxy.objects.get_or_create(sha256=run.sha256, defaults={"source_name": run.file_name})
    make_proxy(proxy_id=proxy.pk)
    return find_proxy(run)


def _unplayable(run: Run) -> str:
    failed = Proxy.objects.filter(sha256=run.sha256, status=ProxyStatus.FAILED).first()
    if failed:
        return f"This is the recording itself; not every browser plays it, and {failed.error}."
    return (
        "This is the recording itself; not every browser plays it. The page of this interaction prepares a copy "
        "that does: open it, wait until the players are ready, and download the report again."
    )
