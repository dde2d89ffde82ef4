"""Turn the cells of one line into a checked row, or say what is wrong with each cell."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from django.utils.text import slugify

from reports.importing import fields
from reports.importing.manifest import KNOWN, Line
from reports.models import InteractionType

DEFAULT_DEVICE = "unspecified"
DEFAULT_REFRESH_HZ = "60"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # what the database's unique constraint takes "not given" for
_PARSERS: dict[str, Callable[[str], Any]] = {
    "os_version": partial(fields.name, limit=80),
    "device": partial(fields.name, limit=120),
    "refresh_hz": partial(fields.number, least=1.0, most=1000.0),
    "app": partial(fields.name, limit=200),
    "package": partial(fields.name, limit=200),
    "category": partial(fields.short, limit=80),
    "app_version": partial(fields.short, limit=80),
    "interaction": partial(fields.name, limit=160),
    "interaction_type": partial(fields.one_of, known=InteractionType.values),
    "scenario": partial(fields.short, limit=20_000),
    "repetition": fields.whole,
    "capture": fields.capture,
    "recorded_at": fields.moment,
    "video": lambda cell: fields.short(fields.required(cell), 500),
    "log": partial(fields.short, limit=500),
    "trace": partial(fields.short, limit=500),
    "action_ms": fields.number,
    "x": fields.optional_number,
    "y": fields.optional_number,
    "show_touches": fields.flag,
}


class Problem(NamedTuple):
    """Why a line was refused: its number, the column and the cure."""

    line: int
    field: str
    message: str


class Identity(NamedTuple):
    """What makes a run the same run: one recording of one interaction on one OS version."""

    package: str
    interaction: str
    os_version: str
    device: str
    refresh_hz: float
    app_version: str
    capture: str
    repetition: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestRow:
    """One screencast as its line describes it. Paths are as written, relative to the manifest."""

    line: int
    os_version: str
    device: str
    refresh_hz: float
    app: str
    package: str
    category: str
    app_version: str
    interaction: str
    interaction_type: str
    scenario: str
    repetition: int
    capture: str
    recorded_at: datetime | None
    video: str
    log: str
    trace: str
    action_ms: float
    x: float | None
    y: float | None
    show_touches: bool
    metadata: dict[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> Identity:
        """Return what tells this run from every other."""
        names = Identity._fields[:-1]
        return Identity._make([*(getattr(self, name) for name in names), self.recorded_at or EPOCH])


def parse_row(line: Line) -> tuple[ManifestRow | None, list[Problem]]:
    """Return the row, or None and every problem of the line."""
    if line.problem:
        return None, [Problem(line.number, "line", line.problem)]
    cells = _with_defaults(line.cells)
    values: dict[str, Any] = {}
    problems = [Problem(line.number, name, "contains a NUL byte: remove it") for name in _with_nul(cells)]
    for name, parse in _PARSERS.items():
        try:
            values[name] = parse(cells[name])
        except ValueError as error:
            problems.append(Problem(line.number, name, str(error)))
    if not problems and (values["x"] is None) != (values["y"] is None):
        problems.append(Problem(line.number, "x", "x and y belong together: give both or neither"))
    if problems:
        return None, problems
    return ManifestRow(line=line.number, metadata=_metadata(cells), **values), []


def _with_defaults(cells: dict[str, str]) -> dict[str, str]:
    filled = dict.fromkeys(_PARSERS, "") | cells
    filled["device"] = filled["device"] or DEFAULT_DEVICE
    filled["refresh_hz"] = filled["refresh_hz"] or DEFAULT_REFRESH_HZ
    filled["package"] = filled["package"] or slugify(filled["app"], allow_unicode=True) or filled["app"] or "-"
    return filled


def _with_nul(cells: dict[str, str]) -> list[str]:
    return [name for name, cell in cells.items() if "\x00" in cell]


def _metadata(cells: dict[str, str]) -> dict[str, str]:
    return {name: cell for name, cell in cells.items() if name not in KNOWN and cell}
