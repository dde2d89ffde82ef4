"""Turn the cells of one line into a checked row, or say what is wrong with each cell."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from analysis.manifest.columns import COLUMNS, OF_REFUSAL, identifier
from analysis.manifest.reader import Line
from analysis.options import MeasureOptions


class Problem(NamedTuple):
    """Why a line was refused: its number, the column and the cure."""

    line: int
    field: str
    message: str

    @property
    def text(self) -> str:
        """The problem in one line, as both the import and the measurement print it."""
        return f"line {self.line}, {self.field}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestRow:
    """One screencast as its line describes it. Paths are as written, relative to the manifest."""

    line: int
    os_version: str
    channel: str
    released_on: date | None
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
    batch: str
    action_ms: float
    action_from: str
    x: float | None
    y: float | None
    show_touches: bool
    given: frozenset[str] = frozenset()
    """The columns that the line has a cell for; all others have their default."""
    metadata: dict[str, str] = field(default_factory=dict)


def parse_row(line: Line, needed: Collection[str]) -> tuple[ManifestRow | None, list[Problem]]:
    """Return the row, or None and every problem of the line.

    ``needed`` (`TO_IMPORT` or `TO_MEASURE`) takes no default. Whatever else a line says is read alike for both, so
    that a cell which one of them refuses is refused by the other in the same words.
    """
    if line.problem:
        return None, [Problem(line.number, "line", line.problem)]
    cells = _with_defaults(line.cells, needed)
    values: dict[str, Any] = {}
    problems = [Problem(line.number, name, "contains a NUL byte: remove it") for name in _with_nul(cells)]
    for name, column in COLUMNS.items():
        try:
            values[name] = column.parse(cells[name])
        except ValueError as error:
            problems.append(Problem(line.number, name, str(error)))
    if not problems and (values["x"] is None) != (values["y"] is None):
        problems.append(Problem(line.number, "x", "x and y belong together: give both or neither"))
    if not problems and values["action_from"] and line.cells.get("action_ms"):
        problems.append(
            Problem(line.number, "action_from", "is for recordings without action_ms: leave one of them empty")
        )
    if problems:
        return None, problems
    given = frozenset(name for name in COLUMNS if line.cells.get(name))
    return ManifestRow(line=line.number, given=given, metadata=_metadata(cells), **values), []


def options_of(row: ManifestRow) -> MeasureOptions:
    """Return the facts of a row that a measurement starts from; no row that was taken is refused here."""
    return MeasureOptions(
        action_ms=row.action_ms,
        interaction_type=row.interaction_type,
        refresh_hz=row.refresh_hz,
        touch_xy=None if row.x is None or row.y is None else (row.x, row.y),
        show_touches=row.show_touches,
        capture=row.capture,
        find_action=row.action_from,
    )


def _with_defaults(cells: dict[str, str], needed: Collection[str]) -> dict[str, str]:
    filled = dict(cells)
    for name, column in COLUMNS.items():
        filled[name] = cells.get(name) or ("" if name in needed else column.default)
    filled["package"] = filled["package"] or identifier(filled["app"]) or filled["app"] or "-"
    return filled


def _with_nul(cells: dict[str, str]) -> list[str]:
    return [name for name, cell in cells.items() if "\x00" in cell]


def _metadata(cells: dict[str, str]) -> dict[str, str]:
    return {name: cell for name, cell in cells.items() if cell and name not in COLUMNS and name not in OF_REFUSAL}
