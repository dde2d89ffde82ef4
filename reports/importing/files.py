"""The files that a row names: found beside the manifest, hashed, or refused with the cure."""

import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from analysis.manifest.rows import ManifestRow, Problem
from analysis.video.opening import UnreadableVideoError, check_kind
from reports.media.screencasts import Fingerprint, fingerprint


class SourceFileError(ValueError):
    """A file that cannot be taken; the message tells the cure."""


@dataclass(frozen=True, slots=True)
class Source:
    """A regular, non-empty file inside the manifest's folder."""

    path: Path
    size_bytes: int


class Kept(NamedTuple):
    """A file of a row and what it contains."""

    path: Path
    print: Fingerprint


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row whose files were found and hashed."""

    row: ManifestRow
    video: Kept
    log: Kept | None = None
    trace: Kept | None = None

    @property
    def files(self) -> list[tuple[str, Kept]]:
        """Return the files by their column."""
        named = (("video", self.video), ("log", self.log), ("trace", self.trace))
        return [(column, kept) for column, kept in named if kept]

    @property
    def values(self) -> dict[str, Any]:
        """Return the fields of the run that a later manifest may correct; what it leaves out stays."""
        row = self.row
        columns = {"x": ("touch_x_px", row.x), "y": ("touch_y_px", row.y)}
        columns["show_touches"] = ("show_touches", row.show_touches)
        given = {
            "log_name": self.log and self.log.print.name,
            "trace_name": self.trace and self.trace.print.name,
            "metadata": row.metadata,
        }
        return {
            **self._action,
            **{name: value for column, (name, value) in columns.items() if column in row.given},
            **{name: value for name, value in given.items() if value},
        }

    @property
    def _action(self) -> dict[str, Any]:
        """Return what the row says of the action, if it says anything."""
        if "action_ms" in self.row.given:
            return {"action_ms": self.row.action_ms, "action_from": "", "action_confirmed": False}
        return {"action_from": self.row.action_from} if self.row.action_from else {}


def find_files(folder: Path, row: ManifestRow) -> Candidate | Problem:
    """Find and hash the files of a row beside its manifest, or say which cannot be taken and why."""
    return _candidate(row, lambda _, written: source_file(folder, written).path)


def given_files(files: Mapping[str, Path], row: ManifestRow) -> Candidate | Problem:
    """Hash the files of a row that were given by their columns (``video``, ``log``, ``trace``), or say the same."""

    def path_of(column: str, written: str) -> Path:
        if column not in files:
            raise SourceFileError(f"{written} was not sent: send the file too, or leave this out")
        return files[column]

    return _candidate(row, path_of)


def _candidate(row: ManifestRow, path_of: Callable[[str, str], Path]) -> Candidate | Problem:
    found: dict[str, Kept | None] = {}
    for column, written in (("video", row.video), ("log", row.log), ("trace", row.trace)):
        try:
            found[column] = _kept(path_of(column, written), written, column) if written else None
        except SourceFileError as problem:
            return Problem(row.line, column, str(problem))
        except OSError as error:
            return Problem(row.line, column, f"{written} cannot be read: {error.strerror}: check its permissions")
    assert found["video"] is not None  # an empty video cell was refused with the row
    return Candidate(row, found["video"], found["log"], found["trace"])


def source_file(folder: Path, written: str) -> Source:
    """Return the file that a cell names, relative to ``folder``; raises SourceFileError.

    Symbolic links are followed first, so that neither ``..`` nor a link leads out of the folder.
    """
    if "\\" in written:
        raise SourceFileError(f"{written}: write folders with / in place of \\")
    try:
        root, path = folder.resolve(), (folder / written).resolve()
        if not path.is_relative_to(root):
            raise SourceFileError(f"{written} lies outside the manifest's folder: move it inside")
        found = path.stat()
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symbolic links
        raise SourceFileError(f"{written}: {_reason(error)}: check the path, relative to the manifest") from error
    if stat.S_ISDIR(found.st_mode):
        raise SourceFileError(f"{written} is a folder: name the file in it")
    if not stat.S_ISREG(found.st_mode):
        raise SourceFileError(f"{written} is no regular file: name a video file")
    if found.st_size == 0:
        raise SourceFileError(f"{written} is empty: record or copy it again")
    return Source(path, found.st_size)


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or "cannot be found")


def _kept(path: Path, written: str, column: str) -> Kept:
    if column == "video":
        try:
            check_kind(path)
        except UnreadableVideoError as problem:
            raise SourceFileError(f"{written}: {problem}") from problem
    return Kept(path, fingerprint(path, folder="screencasts" if column == "video" else f"{column}s"))
