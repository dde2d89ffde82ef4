"""What to measure: a list of videos with their options, from the command line or from a manifest."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.options import MeasureOptions


class ManifestError(Exception):
    """The manifest as a whole cannot be read. The message tells the cure."""


@dataclass(frozen=True, slots=True)
class Job:
    """One video to measure: its name as the user wrote it, where it lies, its options or why they were refused."""

    name: str
    path: Path
    options: MeasureOptions | None
    problem: str = ""


def read_manifest(path: str | Path) -> list[Job]:
    """Return a job per row of a manifest (docs/metrics.md); a wrong row becomes a job with a problem."""
    manifest = Path(path)
    try:
        with manifest.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines, delimiter=_delimiter(lines.readline()))
            lines.seek(0)
            reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
            if "video" not in (reader.fieldnames or ()):
                raise ManifestError(f"{manifest}: the column video is missing: add it to the header")
            return [_job(row, manifest, reader.line_num) for row in reader]
    except OSError as error:
        raise ManifestError(f"{manifest}: {error.strerror}: check the path") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ManifestError(f"{manifest} is no UTF-8 CSV ({error}): save it as CSV with UTF-8 encoding") from error


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def _job(row: Mapping[str, str | None], manifest: Path, line: int) -> Job:
    name = (row.get("video") or "").strip()
    path = manifest.parent / name
    try:
        if not name:
            raise ValueError("video is empty: give the path of a file, relative to the manifest")
        return Job(name, path, options_from_row(row))
    except ValueError as error:
        return Job(name, path, None, f"line {line}: {error}")


def options_from_row(row: Mapping[str, str | None]) -> MeasureOptions:
    """Return the options of one manifest row; ValueError names the field and the cure."""
    touch = (_number(row, "x", None), _number(row, "y", None))
    return MeasureOptions(
        action_ms=_number(row, "action_ms", 0.0) or 0.0,
        interaction_type=(row.get("interaction_type") or "tap").strip(),
        refresh_hz=_number(row, "refresh_hz", 60.0) or 60.0,
        touch_xy=None if touch[0] is None or touch[1] is None else (touch[0], touch[1]),
        capture=(row.get("capture") or "").strip().lower(),
        show_touches=(row.get("show_touches") or "0").strip().lower() in {"1", "true", "yes"},
    )


def _number(row: Mapping[str, str | None], field: str, default: float | None) -> float | None:
    text = (row.get(field) or "").strip()
    if not text:
        return default
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{field} is {text!r}: give a number") from None
