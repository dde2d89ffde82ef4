"""The part of an imported log around the user's action, found without reading the whole file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import IO

from django.core.files.storage import default_storage

from reports.models import Run

BEFORE, AFTER = timedelta(seconds=3), timedelta(seconds=7)
MAX_BYTES = 48 << 10  # of one excerpt
CHUNK_BYTES = 8 << 10
MAX_LINE = 500
# logcat (11-20 10:12:33.123) and ISO 8601 (2026-11-20T10:12:33.123)
_TIME = re.compile(rb"(?:(\d{4})-)?(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,6}))?")
# colours of terminals, control characters, and those that turn the direction of writing round
_UNSEEN = re.compile(
    r"\x1b\[[0-9;]*[A-Za-z]|[\u202a-\u202e\u2066-\u2069]|[^\t\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]"
)


@dataclass(frozen=True)
class LogExcerpt:
    """Lines of a log as text, split at the action. ``note`` says which part this is, or why there is none."""

    before: str = ""
    after: str = ""
    note: str = ""


def log_excerpt(run: Run) -> LogExcerpt:
    """Return the lines around the action, or the log's end where its times do not tell; nothing without a log."""
    if not run.log_name:
        return LogExcerpt()
    try:
        with default_storage.open(run.log_name) as file:
            return _excerpt(file, run)
    except OSError:
        return LogExcerpt(note="The log is no longer in the storage: import its manifest again.")


def _excerpt(file: IO[bytes], run: Run) -> LogExcerpt:
    size = file.seek(0, 2)
    action = run.recorded_at and run.recorded_at.astimezone(UTC) + timedelta(milliseconds=run.action_ms)
    zone = _zone(file, size, action) if action else None
    if action is None or zone is None:
        note = "Its end: the log's times do not tell more."
        return LogExcerpt(_text(file, max(0, size - MAX_BYTES), size), note=note)
    at = action.replace(tzinfo=None) + zone
    start, middle, end = (_offset(file, size, instant) for instant in (at - BEFORE, at, at + AFTER))
    clock = f"{at:%H:%M:%S}.{at.microsecond // 1000:03d}"
    note = f"From 3 s before to 7 s after the action, which was at {clock} by the log's clock."
    if end - start > MAX_BYTES:
        start, end = max(start, middle - MAX_BYTES // 2), min(end, middle + MAX_BYTES // 2)
        note = f"Around the action, which was at {clock} by the log's clock."
    return LogExcerpt(_text(file, start, middle), _text(file, middle, end), note)


def _zone(file: IO[bytes], size: int, action: datetime) -> timedelta | None:
    """Return the difference of the log's clock to UTC for which the action lies within the log; UTC if it may be.

    Logs are written in the device's time, whose zone nobody noted: zones are multiples of 15 minutes.
    """
    first, last = _time_after(file, 0, size, action.year), _last_time(file, size, action.year)
    if first is None or last is None:
        return None
    instant = action.replace(tzinfo=None)
    quarters = sorted(range(-12 * 4, 14 * 4 + 1), key=abs)
    zones = (timedelta(minutes=15 * quarter) for quarter in quarters)
    return next((zone for zone in zones if first - BEFORE <= instant + zone <= last + BEFORE), None)


def _offset(file: IO[bytes], size: int, instant: datetime) -> int:
    """Return where the first line of ``instant`` or later begins, by bisection: a log is in order of time."""
    low, high = 0, size
    while high - low > CHUNK_BYTES:
        middle = (low + high) // 2
        time = _time_after(file, middle, size, instant.year)
        if time is None or time >= instant:
            high = middle
        else:
            low = middle
    return _first_line(file, low, min(size, high + CHUNK_BYTES), instant)


def _first_line(file: IO[bytes], start: int, end: int, instant: datetime) -> int:
    file.seek(start)
    at = start
    for line in file.read(end - start).splitlines(keepends=True):
        time = _time_in(line, instant.year)
        if time is not None and time >= instant:
            return at
        at += len(line)
    return at


def _time_after(file: IO[bytes], offset: int, size: int, year: int) -> datetime | None:
    file.seek(offset)
    return _time_in(file.read(min(CHUNK_BYTES, size - offset)), year)


def _last_time(file: IO[bytes], size: int, year: int) -> datetime | None:
    file.seek(max(0, size - CHUNK_BYTES))
    times = (_time_in(line, year) for line in reversed(file.read(CHUNK_BYTES).splitlines()))
    return next((time for time in times if time), None)


def _time_in(text: bytes, year: int) -> datetime | None:
    found = _TIME.search(text)
    if found is None:
        return None
    given, month, day, hour, minute, second, fraction = found.groups()
    micros = int((fraction or b"0").ljust(6, b"0"))
    try:
        return datetime(int(given or year), int(month), int(day), int(hour), int(minute), int(second), micros)
    except ValueError:
        return None


def _text(file: IO[bytes], start: int, end: int) -> str:
    """Return whole lines as text; bytes that are no text become a mark, long lines are cut."""
    file.seek(max(0, start - 1))
    cut_in = start > 0 and file.read(1) != b"\n"
    lines = file.read(min(end - start, MAX_BYTES)).decode("utf-8", errors="replace").splitlines()
    if cut_in and len(lines) > 1:
        lines = lines[1:]
    return "\n".join(_UNSEEN.sub("·", line[:MAX_LINE]) for line in lines)
