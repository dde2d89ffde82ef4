"""Read a zip that somebody sent: entry by entry, within bounds, and no entry under a name that leads elsewhere."""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO

from analysis.names import fault_of_name, tidy_name

LONGEST_PATH = 400  # characters; a manifest's cell takes 500
_ENCRYPTED = 0x1
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)


class ArchiveError(ValueError):
    """The zip as a whole is refused; the message tells the cure."""


@dataclass(frozen=True, slots=True)
class ArchiveBounds:
    """How much a zip may hold. Recordings are compressed already: what shrinks much is none."""

    files: int = 5_000
    ratio: float = 50.0  # of what its entries say they hold to what they take
    ratio_from: int = 64 << 20  # bytes: below, a ratio says nothing


BOUNDS = ArchiveBounds()


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a zip: its path in it, and why it is refused, if it is."""

    path: str
    size_bytes: int
    fault: str
    info: zipfile.ZipInfo


def entries_of(
    archive: zipfile.ZipFile, *, packed_bytes: int, most_bytes: int, bounds: ArchiveBounds = BOUNDS
) -> list[Entry]:
    """Return the files of a zip that itself has ``packed_bytes``; raises ArchiveError if they are too much.

    Folders and what systems add by themselves (``__MACOSX``, names with a dot in front) are left out.
    """
    files = [info for info in archive.infolist() if not info.is_dir() and not _is_added(info.filename)]
    if not files:
        raise ArchiveError("the zip holds no file: put recordings into it")
    if len(files) > bounds.files:
        raise ArchiveError(f"the zip holds {len(files):,} files: send at most {bounds.files:,} at once")
    declared = sum(info.file_size for info in files)  # `chunks_of` gives no more than that
    if declared > most_bytes:
        raise ArchiveError(
            f"the zip says it holds {declared / 1e6:,.0f} MB: send at most {most_bytes / 1e6:,.0f} MB at once"
        )
    if declared > bounds.ratio_from and declared > bounds.ratio * packed_bytes:
        raise ArchiveError(
            f"the zip grows from {packed_bytes / 1e6:,.1f} to {declared / 1e6:,.0f} MB, as no recordings do: "
            "send the recordings themselves"
        )
    seen: set[str] = set()
    return [_entry(info, seen) for info in files]


def open_archive(stream: BinaryIO | IO[bytes]) -> zipfile.ZipFile:
    """Open a zip; raises ArchiveError if it cannot be read."""
    try:
        return zipfile.ZipFile(stream)
    except _UNREADABLE as error:
        raise ArchiveError(
            f"the zip cannot be read ({error}): pack it again, or send the files themselves"
        ) from error


def chunks_of(archive: zipfile.ZipFile, entry: Entry, *, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield what an entry holds, at most what it said; raises ArchiveError if it is damaged or packed strangely."""
    try:
        with archive.open(entry.info) as stream:
            while chunk := stream.read(size):
                yield chunk
    except _UNREADABLE as error:
        raise ArchiveError(f"cannot be unpacked ({error}): pack it again, or send it by itself") from error


def safe_path(written: str) -> str:
    """Return the path of a file below the folder of an import; raises ValueError, with the cure."""
    if "\\" in written:
        raise ValueError("has \\ in its path: pack the zip again, with / between folders")
    if written.startswith("/") or written[1:2] == ":":
        raise ValueError("has an absolute path: pack it again, with paths that begin in its own folder")
    parts = [tidy_name(part) for part in written.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValueError("leads out of its folder (..): pack it again without that")
    path = "/".join(parts)
    if not path or len(path) > LONGEST_PATH:
        raise ValueError(f"has a path of {len(path)} characters: give it one of 1 to {LONGEST_PATH}")
    if fault := next(filter(None, map(fault_of_name, parts)), "") or _control(path):
        raise ValueError(fault)
    return path


def _control(path: str) -> str:
    return "" if path.isprintable() else "has a character in its name that cannot be printed: rename it"


def _entry(info: zipfile.ZipInfo, seen: set[str]) -> Entry:
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in info.filename)[:LONGEST_PATH]
    try:
        path = safe_path(info.filename)
    except ValueError as error:
        return Entry(shown, info.file_size, str(error), info)
    fault = _fault(info) or ("is in the zip twice: leave one of them out" if path in seen else "")
    seen.add(path)
    return Entry(path, info.file_size, fault, info)


def _fault(info: zipfile.ZipInfo) -> str:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) == stat.S_IFLNK:
        return "is a link to another file: pack the file itself"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is no regular file: pack only files"
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted: pack it without a password"
    return ""


def _is_added(name: str) -> bool:
    last = name.rsplit("/", 1)[-1]
    return name.startswith("__MACOSX/") or last.startswith(".") or last in ("Thumbs.db", "desktop.ini")
