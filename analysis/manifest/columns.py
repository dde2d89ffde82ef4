"""The columns of a manifest: how a cell of each is read, what stands for an empty one, who must be told.

Every refusal of a cell is a ValueError whose message tells the cure.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from analysis.names import fault_of_name, tidy_name
from analysis.options import ACTION_FROM, INTERACTION_TYPES

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_FORBIDDEN = re.compile(r"[/\\?#\x00-\x1f\x7f]")
_CAPTURE = re.compile(r"(vfr|cfr)\d{0,8}", re.ASCII)
_YES, _NO = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no", ""})
MAX_REPETITION = 2_147_483_647


def required(cell: str) -> str:
    """Return the cell; refuse an empty one."""
    if not cell:
        raise ValueError("is empty: fill it")
    return cell


def short(cell: str, limit: int) -> str:
    """Return a text that fits its column."""
    if len(cell) > limit:
        raise ValueError(f"has {len(cell)} characters: shorten it to {limit}")
    return cell


def name(cell: str, limit: int) -> str:
    """Return a name that can stand in the address of a page."""
    if _FORBIDDEN.search(required(cell)) or cell in (".", ".."):
        raise ValueError(f"{cell[:80]!r} cannot be a name: leave out / \\ ? # and control characters")
    return label(cell, limit)


def label(cell: str, limit: int) -> str:
    """Return a name that stands in no address; it may be empty."""
    tidy = short(tidy_name(cell), limit)
    if fault := fault_of_name(tidy):
        raise ValueError(f"{cell[:80]!a} {fault}")
    return tidy


def optional_name(cell: str, limit: int) -> str:
    """Return a name that can stand in the address of a page; it may be empty."""
    return name(cell, limit) if cell else ""


def number(cell: str, *, least: float = 0.0, most: float = 1e9) -> float:
    """Return a finite number within its bounds."""
    if "," in cell and _NUMBER.fullmatch(cell.replace(",", ".", 1)):
        raise ValueError(f"{cell[:80]!r} has a decimal comma: write a point")
    value = float(cell) if _NUMBER.fullmatch(required(cell)) else math.nan
    if not math.isfinite(value):
        raise ValueError(f"{cell[:80]!r} is not a finite number")
    if not least <= value <= most:
        raise ValueError(f"{cell[:80]} is out of range: give {least:g} to {most:g}")
    return value


def whole(cell: str) -> int:
    """Return a whole number from 0, as spreadsheets write them too (``3.0``)."""
    value = number(cell, most=MAX_REPETITION)
    if value != int(value):
        raise ValueError(f"{cell} is not a whole number")
    return int(value)


def optional_number(cell: str) -> float | None:
    """Return a number, or None for an empty cell."""
    return number(cell, most=1e6) if cell else None


def flag(cell: str) -> bool:
    """Return 1/0, true/false, yes/no; empty is no."""
    word = cell.lower()
    if word not in _YES | _NO:
        raise ValueError(f"{cell[:80]!r} is neither 1 nor 0")
    return word in _YES


def capture(cell: str) -> str:
    """Return how the recorder kept time: vfr, cfr, or cfr with its rate such as cfr60; empty is unknown."""
    word = cell.lower()
    if word and not _CAPTURE.fullmatch(word):
        raise ValueError(f"{cell[:80]!r} is unknown: use vfr, cfr or cfr with its rate such as cfr60")
    return word


def one_of(cell: str, known: Collection[str]) -> str:
    """Return one of the known words, in lower case."""
    word = required(cell).lower()
    if word not in known:
        raise ValueError(f"{cell[:80]!r} is unknown: use one of {', '.join(known)}")
    return word


def action_from(cell: str) -> str:
    """Return what may decide when the user acts; empty: a person does, where `action_ms` is empty as well."""
    return one_of(cell, ACTION_FROM) if cell else ""


def moment(cell: str) -> datetime | None:
    """Return an ISO 8601 instant; one without an offset is taken as UTC. Empty is unknown."""
    if not cell:
        return None
    try:
        found = datetime.fromisoformat(cell)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{cell[:80]!r} is no ISO 8601 date: write it like 2026-11-20T08:49:45Z") from None


def day(cell: str) -> date | None:
    """Return a day; empty is unknown."""
    try:
        return date.fromisoformat(cell) if cell else None
    except ValueError:
        raise ValueError(f"{cell[:80]!r} is no day: write it like 2026-11-20") from None


def identifier(text: str) -> str:
    """Return a name as an address would write it, in any script: lower case, hyphens for what separates words.

    The stored packages of apps were made by Django's ``slugify(text, allow_unicode=True)``: this is its equal.
    """
    word = re.sub(r"[^\w\s-]", "", unicodedata.normalize("NFKC", text).lower())
    return re.sub(r"[-\s]+", "-", word).strip("-_")


@dataclass(frozen=True, slots=True)
class Column:
    """How the cells of one column are read.

    Parameters
    ----------
    parse : a trimmed cell → its value; ValueError tells the cure.
    default : the cell that stands for one that is empty or whose column is left out.
    to_import : a run cannot be stored without it: importing takes no default for it.
    to_measure : a recording cannot be measured without it.
    many_lines : a cell may go on in the next line.

    """

    parse: Callable[[str], Any]
    default: str = ""
    to_import: bool = False
    to_measure: bool = False
    many_lines: bool = False


UNSPECIFIED = "unspecified"
COLUMNS = {
    "os_version": Column(partial(name, limit=80), UNSPECIFIED, to_import=True),
    "channel": Column(partial(label, limit=40)),
    "released_on": Column(day),
    "app": Column(partial(name, limit=200), UNSPECIFIED, to_import=True),
    "interaction": Column(partial(name, limit=160), UNSPECIFIED, to_import=True),
    "interaction_type": Column(partial(one_of, known=INTERACTION_TYPES), "tap", to_import=True),
    "repetition": Column(whole, "0", to_import=True),
    "video": Column(lambda cell: short(required(cell), 500), to_import=True, to_measure=True),
    "action_ms": Column(number, "0"),
    "action_from": Column(action_from),
    "device": Column(partial(name, limit=120), UNSPECIFIED),
    "refresh_hz": Column(partial(number, least=1.0, most=1000.0), "60"),
    "app_version": Column(partial(label, limit=80)),
    "package": Column(partial(name, limit=200)),  # its default is made of the app's name
    "category": Column(partial(label, limit=80)),
    "scenario": Column(partial(short, limit=20_000), many_lines=True),
    "x": Column(optional_number),
    "y": Column(optional_number),
    "show_touches": Column(flag),
    "recorded_at": Column(moment),
    "capture": Column(capture),
    "log": Column(partial(short, limit=500)),
    "trace": Column(partial(short, limit=500)),
    "batch": Column(partial(optional_name, limit=120)),
}
# What a manifest of refused lines says beside them, for whoever mends it; reading it back keeps none of it.
OF_REFUSAL = ("refused_line", "refused_because", "refused_text")
TO_IMPORT = tuple(key for key, column in COLUMNS.items() if column.to_import)
TO_MEASURE = tuple(key for key, column in COLUMNS.items() if column.to_measure)
