"""Recordings that are handed over one by one, in the import log: one record a day for each asker and batch.

Several web hosts count in the same record at once. What is taken in is counted by the database itself, in the
transaction that stores the run; what is refused is added while the record is locked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from analysis.manifest.columns import COLUMNS, TO_IMPORT
from analysis.manifest.reader import Line
from analysis.manifest.rows import Problem
from reports.audit.origin import current_origin
from reports.importing.log import MOST_COLUMNS, WHO_LENGTH, lines_to_keep, told_refusals
from reports.importing.summary import BOUNDS, Refusals, storable
from reports.models import ImportRecord, ImportState, RefusedLine

MOST_NOTES = 20
LONGEST_COLUMN = 100  # of what may be a field's name; another was refused for it


def count_taken(*, outcome: str, batch: str, notes: Sequence[str]) -> None:
    """Count a recording as ``new``, ``updated`` or ``unchanged``; call it in the transaction that stores its run.

    One query, and some more for the first of a day and for a note.
    """
    records = _counted(batch, outcome)
    if notes:
        record = records.select_for_update().get()
        fresh = [note for note in map(storable, notes) if note not in record.notes]
        if fresh and len(record.notes) < MOST_NOTES:
            records.update(notes=[*record.notes, *fresh])


@transaction.atomic
def keep_refused(*, fields: Mapping[str, Any], problems: Sequence[Problem]) -> None:
    """Count a recording that was refused and keep its fields as they were sent, within the bounds of a manifest.

    The very same, refused for the same reason once more, is counted once.
    """
    cells = _cells(fields)
    records = _counted(_batch_of(cells), "")
    record = records.select_for_update().get()
    number = record.refused + 1
    told = [[problem.field, storable(problem.message)] for problem in problems]
    if RefusedLine.objects.filter(record=record, cells=cells, problems=told).exists():
        return
    refusals = Refusals.going_on(
        BOUNDS, record.causes, count=record.refused, kept=record.kept, characters=record.kept_characters
    )
    refusals.add(Line(number, cells), [problem._replace(line=number) for problem in problems])
    columns = list(dict.fromkeys([*record.columns, *cells]))[:MOST_COLUMNS]
    records.update(refused=number, columns=columns, **told_refusals(refusals))
    RefusedLine.objects.bulk_create(lines_to_keep(record, refusals))


def _counted(batch: str, outcome: str) -> QuerySet[ImportRecord]:
    """Count one in the record of today's recordings of whoever asks, and return it; it is made if need be."""
    origin, now = current_origin(), timezone.now()
    asker = origin.who if origin.user_id is None else origin.user_id
    key = f"{now:%Y-%m-%d} {asker} {origin.token or '-'} {batch}"
    records = ImportRecord.objects.filter(gathers=key)
    values: dict[str, Any] = {"seen_at": now} | ({outcome: F(outcome) + 1} if outcome else {})
    if not records.update(**values):
        said = {
            "source": f"Recordings of batch {batch}, one by one" if batch else "Recordings, one by one",
            "who": origin.asker[:WHO_LENGTH],
            "state": ImportState.DONE,
            "batch": batch,
            "columns": [name for name in COLUMNS if name in TO_IMPORT],  # a manifest to mend must have them
        }
        ImportRecord.objects.get_or_create(gathers=key, defaults=said)  # another host may be faster
        records.update(**values)
    return records


def _cells(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields as cells of a manifest; those whose names are none are left to what was said of them."""
    named = {name: value for name, value in fields.items() if name and len(name) <= LONGEST_COLUMN}
    cells = {storable(name): storable(_cell(value)) for name, value in named.items()}
    return {name: cells[name] for name in list(cells)[:MOST_COLUMNS] if cells[name]}


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value).strip()


def _batch_of(cells: Mapping[str, str]) -> str:
    try:
        return COLUMNS["batch"].parse(cells.get("batch", ""))
    except ValueError:
        return ""
