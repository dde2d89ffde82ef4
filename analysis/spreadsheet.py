"""Write and read CSV that people open in a spreadsheet: no cell of it is ever a formula.

A spreadsheet runs what begins with one of a few signs (OWASP, "CSV Injection"), and names come from whoever wrote
a manifest. Such a cell gets an apostrophe in front, which spreadsheets take for "this is text"; what we read back
loses it again, so that a name survives the way out and in, whatever it looks like.
"""

import csv
import re
from collections.abc import Iterable

_FORMULA = r"[=+\-@\t\r\n＝＋－＠]"  # the wide forms are read as the plain ones by East Asian settings
_RISKY = re.compile(f"'*{_FORMULA}")
_ESCAPED = re.compile(f"'+{_FORMULA}")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def safe_cell(value: object) -> object:
    """Return a value as a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    if isinstance(value, str) and _RISKY.match(value) and not _NUMBER.fullmatch(value):
        return "'" + value
    return value


def plain_cell(cell: str) -> str:
    """Return the text that ``safe_cell`` was given."""
    return cell[1:] if _ESCAPED.match(cell) else cell


def csv_line(values: Iterable[object]) -> str:
    """Return one line of CSV with its line end (RFC 4180), every cell safe."""
    return str(_WRITER.writerow(map(safe_cell, values)))


class _Line:
    """What csv.writer writes to: it hands each line back."""

    def write(self, line: str) -> str:
        return line


_WRITER = csv.writer(_Line())  # it quotes a lone CR only while lines end in CR LF
