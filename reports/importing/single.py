"""Import one recording that came with its file: by the API, by the import page, by whatever else takes files in.

The same rules as for a line of a manifest decide, in the same functions: what makes it the same run, what
contradicts what is stored, what is kept.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from analysis.manifest.columns import COLUMNS, TO_IMPORT
from analysis.manifest.reader import Line
from analysis.manifest.rows import ManifestRow, Problem, parse_row
from reports.importing.catalogue import Catalogue
from reports.importing.files import Candidate, given_files
from reports.importing.gathered import count_taken
from reports.importing.plan import Plan
from reports.importing.services import Notes
from reports.importing.write import write_batch
from reports.models import Run

MOST_FIELDS = 100
LONGEST_FIELD = 100  # characters of a field's name
LONGEST_VALUE = 20_000  # as a scenario, the longest column
_IMPOSSIBLE = re.compile("[\x00\ud800-\udfff]")  # no database keeps them


class Outcome(StrEnum):
    """What became of a recording. ``updated``: the run was there, and its action, log or notes were corrected."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Taken:
    """The run of a recording, new or as it was there."""

    run: Run
    outcome: Outcome
    notes: list[str] = field(default_factory=list)
    stored: dict[str, str] = field(default_factory=dict)  # column → name of its file in the storage


class RunRefusedError(ValueError):
    """A recording that cannot be a run; ``problems`` name the fields and the cures.

    ``conflict``: its run is there with another video.
    """

    def __init__(self, problems: list[Problem], *, conflict: bool = False) -> None:
        super().__init__("; ".join(f"{problem.field}: {problem.message}" for problem in problems))
        self.problems, self.conflict = problems, conflict


def row_of(fields: Mapping[str, Any]) -> ManifestRow:
    """Read fields by the names of the manifest's columns, as texts or as JSON has them; raises RunRefusedError.

    What is no column is kept with the run, as of a manifest.
    """
    if len(fields) > MOST_FIELDS:
        raise RunRefusedError([Problem(1, "line", f"has {len(fields)} fields: send {MOST_FIELDS} at most")])
    problems = [Problem(1, ascii(name[:40]), fault) for name in fields if (fault := _fault_of_field(name))]
    if problems:
        raise RunRefusedError(problems)
    cells: dict[str, str] = {}
    for name, value in fields.items():
        try:
            cells[name] = _cell(name, value)
        except ValueError as error:
            problems.append(Problem(1, name, str(error)))
    if problems:
        raise RunRefusedError(problems)
    row, problems = parse_row(Line(1, cells), TO_IMPORT)
    if row is None:
        raise RunRefusedError(problems)
    return row


def import_run(*, row: ManifestRow, files: Mapping[str, Path], source: str, queue: bool = True) -> Taken:
    """Make one run of a row and of files of this machine, by their columns (``video``, and ``log``, ``trace``).

    The same recording again is the same run, unchanged. ``source`` is what the audit log says that was imported;
    the import log counts it with the others of its day. Raises RunRefusedError, which is for the caller to have
    written down there (`keep_refused`), and StorageError if the storage refuses; nothing is stored then.
    """
    catalogue = Catalogue()
    catalogue.load([row])
    found = catalogue.conflict(row) or given_files(files, row)
    if not isinstance(found, Candidate):
        raise RunRefusedError([found])
    catalogue.add(row)
    notes = Notes()
    notes.look_at(found, catalogue)

    def count(plan: Plan) -> None:
        if not plan.problems:
            count_taken(outcome=_only(plan)[1], batch=row.batch, notes=notes.texts())

    plan = write_batch([found], catalogue, queue=queue, source=source, and_note=count)
    if plan.problems:
        raise RunRefusedError(plan.problems, conflict=plan.conflicts > 0)
    return Taken(*_only(plan), notes.texts(), {column: kept.print.name for column, kept in found.files})


def _only(plan: Plan) -> tuple[Run, Outcome]:
    """Return what became of a plan's one row."""
    if plan.made:
        return plan.made[0], Outcome.NEW
    if plan.updated:
        return plan.updated[0][0], Outcome.UPDATED
    return plan.unchanged[0][0], Outcome.UNCHANGED


def _fault_of_field(name: str) -> str:
    if not name or len(name) > LONGEST_FIELD or not name.isprintable():
        return f"is no name of a field: use 1 to {LONGEST_FIELD} printable characters"
    return ""


def _cell(name: str, value: Any) -> str:
    """Return a value as a cell of a manifest would have it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if value is None:
        return ""
    if not isinstance(value, str | int | float):
        raise ValueError("is a list or an object: send a text or a number")
    text = str(value).strip()
    if _IMPOSSIBLE.search(text):
        raise ValueError("holds a character that cannot be stored: remove it")
    if len(text) > LONGEST_VALUE:
        raise ValueError(f"has {len(text)} characters: shorten it to {LONGEST_VALUE}")
    column = COLUMNS.get(name)
    if column and not column.many_lines and ("\n" in text or "\r" in text):
        raise ValueError("goes on in a second line: write it in one")
    return text
