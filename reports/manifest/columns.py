"""The columns of a manifest and its header line."""

import csv
from collections import Counter

REQUIRED = ("os_version", "app", "interaction", "interaction_type", "repetition", "video", "action_ms")
OPTIONAL = (
    "device", "refresh_hz", "app_version", "package", "category", "scenario", "x", "y", "show_touches",
    "recorded_at", "capture", "log", "trace",
)  # fmt: skip
KNOWN = frozenset(REQUIRED + OPTIONAL)
ONE_LINE = KNOWN - {"scenario"}  # a scenario may be a paragraph; unknown columns may hold anything
DELIMITERS = ",;\t"
UTF_16_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
SAVE_AS_UTF8 = 'save it as UTF-8 (in a spreadsheet: "CSV UTF-8")'


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
    return max(DELIMITERS, key=lambda mark: len(KNOWN.intersection(split_header(header, mark))))


def split_header(header: str, delimiter: str) -> list[str]:
    """Return the column names, trimmed and in lower case."""
    cells = next(csv.reader([header], delimiter=delimiter), [])
    return [cell.strip().lower() for cell in cells]


def check_header(columns: list[str]) -> None:
    """Refuse a header that lacks a required column or names one twice."""
    doubled = [name for name, count in Counter(filter(None, columns)).items() if count > 1]
    if doubled:
        raise ManifestError(f"column named twice: {', '.join(doubled)}: keep one of each")
    missing = [name for name in REQUIRED if name not in columns]
    if len(missing) == len(REQUIRED):
        raise ManifestError(f"the first line names none of the columns: it must name {', '.join(REQUIRED)}")
    if missing:
        raise ManifestError(f"missing column: {', '.join(missing)}: add it to the first line and fill it")
