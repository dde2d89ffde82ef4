"""The import log: write down what each import came to, read it back, and hand out what it refused to be mended."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.macrobenchmark.reader import BenchmarkFileError
from analysis.manifest.columns import OF_REFUSAL
from analysis.manifest.reader import ManifestError
from analysis.spreadsheet import csv_line
from reports.audit.origin import current_origin
from reports.importing.summary import ImportSummary, Refusals, storable
from reports.media.screencasts import StorageError
from reports.models import Batch, ImportRecord, ImportState, RefusedLine
from reports.web.trouble import trouble_words

LINES_KEPT = timedelta(days=90)  # counts, causes and notes are kept for good
MOST_COLUMNS = 200
WHO_LENGTH: int = ImportRecord._meta.get_field("who").max_length or 0
_BATCH = 500


@contextmanager
def logged(
    summary: ImportSummary, *, source: str, columns: Iterable[str], unless_nothing: bool
) -> Iterator[Callable[[], None]]:
    """Write down an import from its beginning to its end, also where an error ends it; a dry run leaves no trace.

    Yields what is to be called after each batch. ``unless_nothing``: one that brings nothing new and refuses
    nothing leaves no trace.
    """
    if summary.dry_run:
        yield lambda: None
        return
    record = ImportRecord.objects.create(
        source=storable(source)[:400],
        who=current_origin().asker[:WHO_LENGTH],
        columns=[storable(name) for name in columns][:MOST_COLUMNS],
    )
    summary.record_id = record.pk
    try:
        yield lambda: _note(record, summary)
    except BaseException as error:
        with suppress(DatabaseError):  # the very thing that ended it may be the database
            _end(record, summary, ImportState.STOPPED, _reason(error))
        raise
    if unless_nothing and not (summary.new or summary.updated or summary.refused):
        record.delete()
        summary.record_id = None
    else:
        _end(record, summary, ImportState.DONE, "")


def _note(record: ImportRecord, summary: ImportSummary) -> None:
    ImportRecord.objects.filter(pk=record.pk).update(**_counts(summary))


def _counts(summary: ImportSummary) -> dict[str, object]:
    names = ("new", "updated", "unchanged", "refused")
    return {"seen_at": timezone.now(), "batch": summary.batch, **{name: getattr(summary, name) for name in names}}


@transaction.atomic
def _end(record: ImportRecord, summary: ImportSummary, state: ImportState, error: str) -> None:
    refusals = summary.refusals
    ImportRecord.objects.filter(pk=record.pk).update(
        state=state,
        error=storable(error),
        notes=[storable(note) for note in summary.notes],
        **told_refusals(refusals),
        **_counts(summary),
    )
    RefusedLine.objects.bulk_create(lines_to_keep(record, refusals), batch_size=_BATCH)


def told_refusals(refusals: Refusals) -> dict[str, Any]:
    """Return what a record says of the lines that were refused, but their number."""
    causes = [cause.as_stored() for cause in refusals.causes]
    return {"causes": causes, "kept": refusals.all_kept, "kept_characters": refusals.characters}


def lines_to_keep(record: ImportRecord, refusals: Refusals) -> Iterator[RefusedLine]:
    """Yield the lines that refusals have kept, as rows in their order."""
    for line, problems in sorted(
        ((each.line, each.problems) for each in refusals.kept), key=lambda row: row[0].number
    ):
        yield RefusedLine(
            record=record,
            number=line.number,
            cells={storable(name): storable(cell) for name, cell in line.cells.items() if cell},
            text=storable(line.text),
            problems=[[problem.field, storable(problem.message)] for problem in problems],
        )


def _reason(error: BaseException) -> str:
    if isinstance(error, ManifestError | BenchmarkFileError | StorageError):
        return str(error)
    if isinstance(error, KeyboardInterrupt | SystemExit):
        return "It was interrupted. Import it again: it goes on where it stopped."
    return (
        trouble_words(error)
        or "It failed by a mistake of the program, which the server's log tells. Import it again."
    )


def import_records() -> QuerySet[ImportRecord]:
    """Return all imports, the newest first, without what only the page of one shows."""
    return ImportRecord.objects.for_list()


def batch_of(record: ImportRecord) -> str:
    """Return the name of the batch that all of an import is of, if there is such a batch; at most one query."""
    return record.batch if record.batch and Batch.objects.filter(name=record.batch).exists() else ""


def refused_lines(record: ImportRecord) -> QuerySet[RefusedLine]:
    """Return the lines of an import that were refused and are kept, in their order."""
    return RefusedLine.objects.filter(record=record)


def manifest_to_mend(record: ImportRecord) -> Iterator[str]:
    """Yield the refused lines as a manifest: as they were, with what is wrong with each. Constant memory.

    Columns that say so come last, and are left out when it is imported again.
    """
    columns = [name for name in record.columns if name and name not in OF_REFUSAL]
    yield csv_line([*columns, *OF_REFUSAL])
    for line in refused_lines(record).iterator(chunk_size=_BATCH):
        why = "; ".join(f"{name}: {message}" for name, message in line.problems)
        yield csv_line([*(line.cells.get(name, "") for name in columns), line.number, why, line.text])


def forget_old_lines() -> int:
    """Delete the refused lines of imports that are long over; return how many. What they came to is kept."""
    old = ImportRecord.objects.filter(started_at__lt=timezone.now() - LINES_KEPT, kept__gt=0)
    with transaction.atomic():
        deleted, _ = RefusedLine.objects.filter(record__in=old).delete()
        old.update(kept=0)
    return deleted
