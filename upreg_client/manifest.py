"""Read a manifest with the csv module. What its cells mean, the server says; here are its lines and its files."""

from __future__ import annotations

import csv
import hashlib
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from upreg_client.failures import Fault, UsageError

DELIMITERS = ",;\t"
FILE_COLUMNS = ("video", "log", "trace")
MAX_LINES_OF_A_CELL = 50  # as on the server: a quote that is never closed must not swallow the rest
SAVE_AS_UTF8 = 'save it as UTF-8 (in a spreadsheet: "CSV UTF-8")'
_BLOCK = 1 << 20
_ESCAPED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")  # an apostrophe keeps spreadsheets from running a cell


@dataclass(frozen=True)
class Row:
    """One line: its number, its cells by column without the empty ones, its files by column and their bytes."""

    line: int
    cells: dict[str, str]
    files: dict[str, Path]
    size: int


@dataclass(frozen=True)
class BadLine:
    """A line that is refused before the server sees it."""

    line: int
    fault: Fault


def read_manifest(path: Path) -> Iterator[Row | BadLine]:
    """Yield every line of a manifest; raises UsageError if it cannot be read as a whole."""
    lines = _physical_lines(path)
    delimiter, columns = _header(path, lines[0])
    folder = path.resolve().parent
    for number, cells, problem in _records(lines, delimiter, len(columns)):
        if problem:
            yield BadLine(number, Fault("line", problem))
            continue
        named = {name: _plain(cell.strip()) for name, cell in zip(columns, cells, strict=False) if name}
        yield _row(number, {name: cell for name, cell in named.items() if cell}, folder)


def fingerprint(path: Path) -> tuple[int, str]:
    """Return the size of a file in bytes and its sha256 in hexadecimal."""
    size, found = 0, hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            found.update(block)
            size += len(block)
    return size, found.hexdigest()


def _physical_lines(path: Path) -> list[str]:
    """Return the lines as they stand in the file; bytes that are no UTF-8 become lone surrogates."""
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            lines = list(stream)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}: name a CSV file that can be read") from error
    if not "".join(lines[:1]).strip():
        raise UsageError(f"{path} is empty: its first line must name the columns")
    if not _is_utf8(lines[0]) or "\0" in lines[0]:
        raise UsageError(f"{path} is not UTF-8: {SAVE_AS_UTF8}")
    return lines


def _header(path: Path, line: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names, trimmed and in lower case."""
    found = {
        mark: [cell.strip().lower() for cell in next(csv.reader([line], delimiter=mark))] for mark in DELIMITERS
    }
    delimiter = max(DELIMITERS, key=lambda mark: ("video" in found[mark], len(found[mark])))
    columns = found[delimiter]
    if "video" not in columns:
        raise UsageError(f"{path}: missing column: video: add it to the first line and fill it")
    doubled = [name for name, times in Counter(filter(None, columns)).items() if times > 1]
    if doubled:
        raise UsageError(f"{path}: column named twice: {', '.join(doubled)}: keep one of each")
    return delimiter, columns


def _records(lines: list[str], delimiter: str, width: int) -> Iterator[tuple[int, list[str], str]]:
    """Yield (line number, cells, problem). The lines after one that is refused are read on their own."""
    at = 1
    while at < len(lines):
        reader = csv.reader(lines[at : at + MAX_LINES_OF_A_CELL], delimiter=delimiter, strict=True)
        cells, problem, taken = [], "", 1
        try:
            cells = next(reader)
            taken = reader.line_num
        except csv.Error as error:
            problem = f"{error}: check the quotes of this line"
        if not problem and not _is_utf8("".join(cells)):
            problem = f"is not UTF-8: {SAVE_AS_UTF8}"
        if not problem and any("\0" in cell for cell in cells):
            problem = "contains a NUL byte: remove it"
        blank = not "".join(cells).strip()
        if not problem and not blank and (len(cells) < width or any(cell.strip() for cell in cells[width:])):
            problem = f"has {len(cells)} cells in place of {width}: check its delimiters and quotes"
        if problem or not blank:
            yield at + 1, cells, problem
        at += 1 if problem else taken


def _row(number: int, cells: dict[str, str], folder: Path) -> Row | BadLine:
    if "video" not in cells:
        return BadLine(number, Fault("video", "is empty: fill it"))
    files, size = {}, 0
    for column in FILE_COLUMNS:
        if column in cells:
            try:
                files[column], length = _file(folder, cells[column])
            except ValueError as problem:
                return BadLine(number, Fault(column, str(problem)))
            size += length
    return Row(number, cells, files, size)


def _file(folder: Path, written: str) -> tuple[Path, int]:
    """Return the file that a cell names, links followed, and its bytes; raises ValueError with the cure."""
    if "\\" in written:
        raise ValueError(f"{written}: write folders with / in place of \\")
    try:
        path = (folder / written).resolve()
        if not path.is_relative_to(folder):
            raise ValueError(f"{written} lies outside the manifest's folder: move it inside")
        found = path.stat()
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symbolic links
        reason = getattr(error, "strerror", None) or "cannot be found"
        raise ValueError(f"{written}: {reason}: check the path, relative to the manifest") from error
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{written} is no file: name the recording itself")
    if found.st_size == 0:
        raise ValueError(f"{written} is empty: record or copy it again")
    return path, found.st_size


def _plain(cell: str) -> str:
    return cell[1:] if _ESCAPED.match(cell) else cell


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)
