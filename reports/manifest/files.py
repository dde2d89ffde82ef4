"""Find the files that a manifest names; they must lie inside the manifest's folder."""

import stat
from dataclasses import dataclass
from pathlib import Path


class SourceFileError(ValueError):
    """A file that cannot be taken; the message tells the cure."""


@dataclass(frozen=True, slots=True)
class Source:
    """A regular, non-empty file inside the manifest's folder."""

    path: Path
    size_bytes: int


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
