"""Import what was sent, in the queue: asked for once, done by one worker, gone on with where one was lost."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from uuid import UUID, uuid4

from django.db import DatabaseError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from analysis.manifest.reader import ManifestError
from analysis.verdicts.text import count_text, number_text
from reports.audit.origin import Origin, current_origin, on_behalf_of
from reports.importing.services import NEW, UPDATED, LineOutcome, import_manifest
from reports.importing.staged import lines_of, manifest_of, path_reader
from reports.importing.staging import drop_files
from reports.importing.summary import ImportSummary
from reports.measuring.workers import is_dead, my_name
from reports.media.screencasts import NotNowError, StorageError
from reports.models import StagedFile, StagedImport, StagedStatus
from reports.models.staged import KEPT
from reports.queue.leases import FREE, TAKEN, Lease, is_over
from reports.queue.patience import patiently
from reports.queue.selectors import workers_pace
from reports.queue.services import queue_import, queued_import_ids
from reports.web.trouble import trouble_words

logger = logging.getLogger(__name__)
MAX_ATTEMPTS = 3  # in which nothing came in
ROWS_AT_ONCE = 100  # after so many lines the page shows how far it is


@transaction.atomic
def ask_for_import(*, staged: StagedImport) -> bool:
    """Queue the import of what was sent, by whoever asks now; False if it was asked for before."""
    now = timezone.now()
    asked = {"origin": asdict(current_origin()), "asked_at": now, "expires_at": now + KEPT}
    afresh = {"attempts": 0, "finished": 0, "error": "", "claimed_by": "", **FREE}
    waits = StagedImport.objects.filter(pk=staged.pk, status=StagedStatus.OPEN)
    first = waits.update(status=StagedStatus.PENDING, **asked, **afresh)
    if first:
        queue_import(staged_id=staged.pk)
    return bool(first)


def import_staged(*, staged_id: UUID) -> str:
    """Import what can be of what was sent, say in words what became of it; safe to repeat, safe beside others."""
    attempt = {"claimed_by": my_name(), "attempts": F("attempts") + 1, "finished": 0}
    free = Q(status=StagedStatus.PENDING)
    lease = patiently(partial(Lease.take, StagedImport, staged_id, free=free, token=uuid4(), **attempt))
    if lease is None:
        return TAKEN
    staged = patiently(StagedImport.objects.filter(pk=staged_id, claim=lease.token).first)
    if staged is None:
        return TAKEN
    if staged.attempts > MAX_ATTEMPTS:
        return _stop(lease, f"the worker was lost {MAX_ATTEMPTS} times on the way: see the log of the worker")
    try:
        with on_behalf_of(Origin(**staged.origin)):
            return _import(staged, lease)
    except _TakenOverError:
        return TAKEN
    except NotNowError as error:
        return _wait(lease, staged_id, str(error))
    except (ManifestError, StorageError) as error:
        return _stop(lease, str(error))
    except (OperationalError, KeyboardInterrupt):  # that says nothing about what was sent
        with suppress(DatabaseError):
            patiently(partial(_give_back, lease, attempts=staged.attempts - 1))
        raise
    except Exception as error:
        words = trouble_words(error)
        if not words:
            logger.exception("import %s stopped", staged_id)
        return _stop(lease, words or "it failed by a mistake of the program, which the log of the worker tells")
    except BaseException:  # the queue's time limit ends this process: let another one go on
        if _give_back(lease):
            queue_import(staged_id=staged_id)
        raise


class _TakenOverError(Exception):
    """Another process imports this by now."""


def _import(staged: StagedImport, lease: Lease) -> str:
    runs: dict[str, int] = {}
    seen, news = 0, False

    def note(outcome: LineOutcome) -> None:
        nonlocal seen, news
        seen, news = seen + 1, news or outcome.state in (NEW, UPDATED)
        if outcome.run_id is not None:
            runs[outcome.line.cells["video"]] = outcome.run_id
        if seen % ROWS_AT_ONCE == 0:
            said = {"finished": seen} | ({"attempts": 0} if news else {})
            news = False
            if not patiently(partial(lease.note, **said)):
                raise _TakenOverError

    with manifest_of(staged, to_read=True) as given:
        lease.note(total=sum(1 for _ in lines_of(given)), error="")
        summary = import_manifest(
            **given._asdict(),
            on_outcome=note,
            source=staged.name,
            batch=staged.batch,
            batch_rows=ROWS_AT_ONCE,
        )
    return patiently(partial(_done, staged, lease, summary, runs))


@transaction.atomic
def _done(staged: StagedImport, lease: Lease, summary: ImportSummary, runs: Mapping[str, int]) -> str:
    if not lease.end(status=StagedStatus.DONE, record_id=summary.record_id, claimed_by=""):
        return TAKEN
    files, read = [file for file in staged.files.all() if file.stored_name], path_reader(staged)
    by_path = {path: run for written, run in runs.items() if (path := read(written))}
    for file in files:
        file.run_id, file.stored_name = by_path.get(file.path), ""
    StagedFile.objects.bulk_update(files, ["run", "stored_name"], batch_size=500)
    transaction.on_commit(partial(drop_files, staged), robust=True)
    done = count_text(summary.new + summary.updated, "run")
    return f"{done} imported, {count_text(summary.refused, 'line')} refused"


def _stop(lease: Lease, words: str) -> str:
    """Hand it back to the person, who reads why and may ask again: what came in is found unchanged then."""
    stopped = partial(lease.end, status=StagedStatus.OPEN, error=words, claimed_by="")
    return words if patiently(stopped) else TAKEN


def _wait(lease: Lease, staged_id: UUID, words: str) -> str:
    """Let it be tried again in a while, until what is away is back."""
    if not lease.end(status=StagedStatus.PENDING, error=words, claimed_by="", attempts=0):
        return TAKEN
    queue_import(staged_id=staged_id, later=True)
    logger.warning("import %s waits: %s", staged_id, words)
    return words


def _give_back(lease: Lease, **values: int) -> bool:
    return lease.end(status=StagedStatus.PENDING, claimed_by="", **values)


def give_back_lost_imports(*, nobody_works: bool = False) -> int:
    """Queue again what a killed worker was importing; return how many; one query while none was killed."""
    given_back = 0
    for staged in StagedImport.objects.filter(status=StagedStatus.RUNNING):
        if (nobody_works or is_over(staged) or is_dead(staged.claimed_by)) and _give_back(Lease.of(staged)):
            queue_import(staged_id=staged.pk)
            given_back += 1
    return given_back


def go_on_with_lost_imports(*, nobody_works: bool = False) -> int:
    """Queue again what a killed worker was importing and what lost its task; return how many."""
    given_back = give_back_lost_imports(nobody_works=nobody_works)
    waiting = set(StagedImport.objects.filter(status=StagedStatus.PENDING).values_list("pk", flat=True))
    forgotten = waiting - queued_import_ids() if waiting else set()
    for pk in forgotten:
        queue_import(staged_id=pk)
    return given_back + len(forgotten)


@dataclass(frozen=True)
class ImportUnderWay:
    """How far an import in the queue is, in lines, and what there is to say of it."""

    finished: int
    total: int
    sentence: str


def under_way(staged: StagedImport) -> ImportUnderWay | None:
    """Tell how far an import is that was asked for; None once it is over. Two queries while it waits."""
    if staged.status == StagedStatus.RUNNING:
        far = f"{number_text(staged.finished)} of {count_text(staged.total, 'line')} imported."
        return ImportUnderWay(staged.finished, staged.total, far if staged.total else "The import begins.")
    if staged.status != StagedStatus.PENDING:
        return None
    if staged.error:
        return ImportUnderWay(0, staged.total, f"It waits and is tried again by itself: {staged.error}.")
    why = workers_pace().obstacle_sentence
    return ImportUnderWay(0, staged.total, f"It waits. {why}" if why else "It waits for a worker.")
