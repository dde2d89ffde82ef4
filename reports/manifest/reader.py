"""Stream a manifest line by line, so that one wrong line never costs another."""

import csv
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from reports.manifest.columns import (
    ONE_LINE,
    SAVE_AS_UTF8,
    ManifestError,
    check_header,
    decode_header,
    find_delimiter,
    split_header,
)

MAX_LINE_BYTES = 1_000_000
MAX_LINES_OF_A_CELL = 50
NOT_UTF8 = "\ufffe"  # stands for a line that could not be decoded; no valid manifest holds this non-character


@dataclass(frozen=True, slots=True)
class Line:
    """One record: its first line number and its cells by column, or the problem that kept it from being split."""

    number: int
    cells: dict[str, str] = field(default_factory=dict)
    problem: str = ""


@contextmanager
def open_manifest(path: Path) -> Iterator["Reader"]:
    """Open a manifest and check its header; raises ManifestError, with the cure, if it cannot be read."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise ManifestError(f"{error.strerror}: name a CSV file that can be read") from error
    with stream:
        yield Reader(stream)


class Reader:
    """Yields a Line for every record of an open manifest, in constant memory.

    A quote that is never closed would swallow the lines after it. So a record over several lines that does not
    fit the header is refused by its first line alone, and the lines after it are read again on their own.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._again: deque[tuple[int, str]] = deque()
        self._taken: list[tuple[int, str]] = []
        self._number = 1
        header = decode_header(stream.readline(MAX_LINE_BYTES))
        self.delimiter = find_delimiter(header)
        self.columns = split_header(header, self.delimiter)
        check_header(self.columns)

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
        named = {name: cell.strip() for name, cell in zip(self.columns, cells, strict=False) if name}
        if any("\n" in named.get(name, "") for name in ONE_LINE):
            return self._refuse("has a cell that goes on in the next line: close its quote")
        return Line(self._taken[0][0], named)

    def _refuse(self, problem: str) -> Line:
        first, *rest = self._taken
        self._again.extendleft(reversed(rest))
        return Line(first[0], problem=problem)

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
