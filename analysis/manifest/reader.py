"""Read a manifest: its header and its lines, one by one. What the cells say is for `rows`."""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from analysis.manifest.columns import COLUMNS
from analysis.spreadsheet import plain_cell

DELIMITERS = ",;\t"
UTF_16_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
SAVE_AS_UTF8 = 'save it as UTF-8 (in a spreadsheet: "CSV UTF-8")'
MAX_LINE_BYTES = 1_000_000
MAX_LINES_OF_A_CELL = 50
NOT_UTF8 = "\ufffe"  # stands for a line that could not be decoded; no valid manifest holds this non-character


class ManifestError(ValueError):
    """The manifest as a whole cannot be read; the message tells the cure."""


def decode_header(raw: bytes) -> str:
    """Return the first line as text, without a byte-order mark; raises ManifestError if it is no UTF-8."""
    if not raw.strip():
        raise ManifestError("the manifest is empty: its first line must name the columns")
    if raw.startswith(UTF_16_32) or b"\x00" in raw:
        raise ManifestError(f"the manifest is UTF-16 or no text at all: {SAVE_AS_UTF8}")
    try:
        text = raw.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ManifestError(f"the manifest is not UTF-8: {SAVE_AS_UTF8}") from None
    if "\r" in text:
        raise ManifestError("the lines end in the old Macintosh way (CR): save it with line feeds (LF)")
    return text


def find_delimiter(header: str) -> str:
    """Return the delimiter with which most known columns appear: comma, semicolon or tab."""
    return max(DELIMITERS, key=lambda mark: len(COLUMNS.keys() & set(split_header(header, mark))))


def split_header(header: str, delimiter: str) -> list[str]:
    """Return the column names, trimmed and in lower case."""
    try:
        cells = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error as error:
        raise ManifestError(f"the first line cannot be read: {error}: it must name the columns") from error
    return [cell.strip().lower() for cell in cells]


def check_header(columns: Sequence[str], needed: Sequence[str]) -> None:
    """Refuse a header that lacks a needed column or names one twice."""
    doubled = [name for name, count in Counter(filter(None, columns)).items() if count > 1]
    if doubled:
        raise ManifestError(f"column named twice: {', '.join(doubled)}: keep one of each")
    missing = [name for name in needed if name not in columns]
    if missing and not COLUMNS.keys() & set(columns):
        raise ManifestError(f"the first line names none of the columns: it must name {', '.join(needed)}")
    if missing:
        raise ManifestError(f"missing column: {', '.join(missing)}: add it to the first line and fill it")


@dataclass(frozen=True, slots=True)
class Line:
    """One record: its first line number and its cells by column, or the problem that kept it from being split.

    ``text`` is what such a line says; empty if it is no UTF-8.
    """

    number: int
    cells: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    text: str = ""


@contextmanager
def open_manifest(path: Path, needed: Sequence[str]) -> Iterator[Reader]:
    """Open a manifest whose header names at least the needed columns (`TO_IMPORT` or `TO_MEASURE`).

    Raises ManifestError, with the cure, if it cannot be read.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise ManifestError(f"{error.strerror}: name a CSV file that can be read") from error
    with stream:
        yield Reader(stream, needed)


class Reader:
    """Yields a Line for every record of an open manifest, in constant memory.

    A quote that is never closed would swallow the lines after it. So a record over several lines that does not
    fit the header is refused by its first line alone, and the lines after it are read again on their own.
    """

    def __init__(self, stream: BinaryIO, needed: Sequence[str]) -> None:
        self._stream = stream
        self._again: deque[tuple[int, str]] = deque()
        self._taken: list[tuple[int, str]] = []
        self._number = 1
        header = decode_header(stream.readline(MAX_LINE_BYTES))
        self.delimiter = find_delimiter(header)
        self.columns = split_header(header, self.delimiter)
        check_header(self.columns, needed)

    def __iter__(self) -> Iterator[Line]:
        records = csv.reader(self._physical_lines(), delimiter=self.delimiter, strict=True)
        while True:
            self._taken = []
            try:
                cells = next(records)
            except StopIteration:
                return
            except csv.Error as error:
                records = csv.reader(self._physical_lines(), delimiter=self.delimiter, strict=True)
                yield self._refuse(f"{error}: check the quotes of this line")
                continue
            if cells and not (len(cells) == 1 and not cells[0].strip()):
                yield self._line(cells)

    def _line(self, cells: list[str]) -> Line:
        if any(NOT_UTF8 in cell for cell in cells):
            return self._refuse(f"is not UTF-8: {SAVE_AS_UTF8}")
        width = len(self.columns)
        if len(cells) < width or any(cell.strip() for cell in cells[width:]):
            return self._refuse(f"has {len(cells)} cells in place of {width}: check its delimiters and quotes")
        named = {name: plain_cell(cell.strip()) for name, cell in zip(self.columns, cells, strict=False) if name}
        if any("\n" in named.get(name, "") for name, column in COLUMNS.items() if not column.many_lines):
            return self._refuse("has a cell that goes on in the next line: close its quote")
        return Line(self._taken[0][0], named)

    def _refuse(self, problem: str) -> Line:
        first, *rest = self._taken
        self._again.extendleft(reversed(rest))
        return Line(first[0], problem=problem, text="" if NOT_UTF8 in first[1] else first[1].rstrip("\r\n"))

    def _physical_lines(self) -> Iterator[str]:
        while True:
            if len(self._taken) >= MAX_LINES_OF_A_CELL:
                raise csv.Error("a quote is not closed")
            taken = self._again.popleft() if self._again else self._read()
            if taken is None:
                return
            self._taken.append(taken)
            yield taken[1]

    def _read(self) -> tuple[int, str] | None:
        raw = self._stream.readline(MAX_LINE_BYTES)
        if not raw:
            return None
        self._number += 1
        while len(raw) == MAX_LINE_BYTES and not raw.endswith(b"\n") and (more := self._stream.readline(65536)):
            if more.endswith(b"\n"):
                break
        try:
            return self._number, raw.decode("utf-8")
        except UnicodeDecodeError:
            return self._number, NOT_UTF8 + "\n"
