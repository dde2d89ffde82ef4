"""Batches: open one, say that it is complete or not, compare it with its baseline, measure failures again.

Who does it is whoever asks, by the audit log's own account of that: a person, a token, a command.
"""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from analysis.manifest.columns import COLUMNS
from reports.audit.origin import current_origin
from reports.audit.services import keep_change, record
from reports.audit.words import refuse_if_changed
from reports.batches.selectors import baseline_of
from reports.comparing.services import open_comparison, request_comparison
from reports.measuring.services import retry_runs
from reports.models import Action, Batch, OsVersion, Run, RunStatus
from reports.queue.leases import TAKEN
from reports.queue.services import queue_complete_batches

WHO_LENGTH: int = Batch._meta.get_field("opened_as").max_length or 0
NAME_LENGTH: int = Batch._meta.get_field("name").max_length or 0
VERSION_LENGTH: int = OsVersion._meta.get_field("name").max_length or 0
NOTE_LENGTH: int = Batch._meta.get_field("note").max_length or 0


class BatchError(ValueError):
    """A batch that cannot be opened so; ``field`` names what is wrong, the message tells the cure."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(f"{field}: {words}")
        self.field, self.words = field, words


class OtherBatchError(BatchError):
    """The name belongs to a batch of another OS version."""


@transaction.atomic
def open_batch(*, name: str, os_version: str, note: str = "") -> tuple[Batch, bool]:
    """Return the batch of that name and whether it was opened just now; its OS version is stored if it is new.

    Raises
    ------
    BatchError
        A name that a manifest would refuse, or a note that is too long.
    OtherBatchError
        The batch is there, about another OS version.

    """
    name, os_version = _read("batch", name, "name"), _read("os_version", os_version, "os_version")
    if len(note) > NOTE_LENGTH:
        raise BatchError("note", f"has {len(note)} characters: shorten it to {NOTE_LENGTH}")
    batch, made = _opened(name, os_version, note.strip())
    if batch.os_version.name != os_version:
        message = f"{name} is about {batch.os_version}: give the runs of {os_version} a batch of another name"
        raise OtherBatchError("os_version", message)
    return batch, made


@transaction.atomic
def batch_called(*, name: str, os_version: str) -> Batch:
    """Return the batch of that name, whatever it is about; open it about ``os_version`` if there is none.

    Both names are those of a row of a manifest, which has read them.
    """
    return _opened(name, os_version, "")[0]


def _opened(name: str, os_version: str, note: str) -> tuple[Batch, bool]:
    found = Batch.objects.select_related("os_version").filter(name=name).first()
    if found:
        return found, False
    version = OsVersion(name=os_version)
    version = OsVersion.objects.get_or_create(name=os_version, defaults={"sort_key": version.own_sort_key()})[0]
    origin = current_origin()
    said: dict[str, Any] = {"os_version": version, "note": note}
    said |= {"opened_by_id": origin.user_id, "opened_as": origin.asker[:WHO_LENGTH]}
    batch, made = Batch.objects.get_or_create(name=name, defaults=said)
    if made:
        record(Action.ADDED, of=batch, note=f"about {version}")
    return batch, made


def _read(column: str, text: str, field: str) -> str:
    try:
        found = COLUMNS[column].parse(text.strip())
    except ValueError as error:
        raise BatchError(field, str(error)) from error
    if not found:
        raise BatchError(field, "is empty: fill it")
    return found


@transaction.atomic
def complete_batch(*, batch: Batch) -> bool:
    """Say that nothing more comes in; False if somebody has said so before.

    It is compared once nothing of it waits any more. Runs that come in all the same belong to it.
    """
    origin = current_origin()
    said: dict[str, Any] = {
        "completed_at": timezone.now(),
        "completed_by_id": origin.user_id,
        "completed_as": origin.asker[:WHO_LENGTH],
    }
    first = Batch.objects.filter(pk=batch.pk, completed_at=None).update(**said)
    if first:
        record(Action.BATCH_COMPLETED, of=batch, runs=Run.objects.filter(batch=batch).count())
    transaction.on_commit(queue_complete_batches)
    return bool(first)


@transaction.atomic
def reopen_batch(*, batch: Batch) -> bool:
    """Take back that nothing more comes in; False if nobody had said so.

    A comparison that was made stays: runs that come in make it stale, and it is computed again as any other. A
    batch that was not compared yet waits until somebody says again that it is complete.
    """
    said: dict[str, Any] = {"completed_at": None, "completed_by": None, "completed_as": ""}
    reopened = Batch.objects.filter(pk=batch.pk, completed_at__isnull=False).update(**said)
    if reopened:
        record(Action.BATCH_REOPENED, of=batch)
    return bool(reopened)


@transaction.atomic
def note_batch(*, batch: Batch, note: str, user: AbstractBaseUser, seen: int | None = None) -> bool:
    """Save what is to be known of a batch; False if it is what was there. ``seen``: see refuse_if_changed."""
    locked = Batch.objects.select_for_update().get(pk=batch.pk)
    refuse_if_changed(locked, seen=seen, user=user)
    before, after = locked.note, note.strip()
    if before == after:
        return False
    Batch.objects.filter(pk=batch.pk).update(note=after)
    keep_change(of=locked, field="note", before=before, after=after, user=user)
    return True


@transaction.atomic
def compare_batch(*, batch_id: int) -> str:
    """Open the comparison of a complete batch with its baseline and queue it; tell in words what happened.

    Once for each batch, however often this is asked: whoever notes the comparison first is the one who queues it.
    Runs that are measured again afterwards make it stale, and it is computed again as any other.
    """
    batch = Batch.objects.select_related("os_version", "completed_by").get(pk=batch_id)
    baseline = baseline_of(batch)
    if baseline is None or baseline.pk == batch.os_version_id:
        return "there is no pinned version to compare it with"
    waiting = Run.objects.filter(batch=batch, status__in=[RunStatus.PENDING, RunStatus.RUNNING])
    if batch.completed_at is None or waiting.exists():
        return "it is not complete any more"
    user, note = batch.completed_by, f"as batch {batch} is complete"
    comparison = open_comparison(base=baseline, new=batch.os_version, user=user)
    still = Batch.objects.filter(pk=batch_id, comparison=None, completed_at__isnull=False)
    if not still.update(comparison=comparison):
        return TAKEN
    request_comparison(base=baseline, new=batch.os_version, user=user, note=note)
    return f"{comparison} is asked for"


def retry_batch(*, batch: Batch, outcome: str | None = None) -> int:
    """Measure the failed runs of a batch again, or those that failed for one cause; return how many."""
    failed = Run.objects.filter(batch=batch, status=RunStatus.FAILED)
    if outcome is not None:
        failed = failed.filter(outcome=outcome)
    return retry_runs(run_ids=failed.values_list("pk", flat=True))
