"""A test night, and what follows from it in the queue."""

from django.utils.module_loading import import_string
from django_q.models import OrmQ

from reports.batches.services import complete_batch, open_batch
from reports.models import RunStatus
from reports.queue.services import COMPARE_BATCH, COMPUTE
from tests import factories
from tests.reports.conftest import FAST, SLOW

COMPARING = (COMPARE_BATCH, COMPUTE)
BASE, NEW, NIGHT = "13.0.9", "13.0.13", "night-42"


def night(*, waiting=1, failed=0, name=NIGHT):
    """Open a batch of eight measured runs, and some that wait or failed; the baseline has the same interaction."""
    factories.runs(FAST, version=factories.os_version(BASE))
    batch, _ = open_batch(name=name, os_version=NEW)
    version = batch.os_version
    factories.runs(SLOW, version=version, batch=batch)
    for number in range(failed):
        outcome = ("unreadable", "too_short", "")[number % 3]
        factories.run(version=version, batch=batch, status=RunStatus.FAILED, outcome=outcome)
    for _ in range(waiting):
        factories.run(version=version, batch=batch, status=RunStatus.PENDING)
    return batch


def work_off(commit):
    """Compare batches and compute comparisons that are queued, and what that queues; return what, in its order."""
    done = []
    while entry := next(
        (row for row in OrmQ.objects.order_by("lock", "pk") if row.task["func"] in COMPARING), None
    ):
        task = entry.task
        entry.delete()
        done.append(task["func"].rpartition(".")[2])
        with commit(execute=True):
            import_string(task["func"])(*task["args"])
    return done


def say_complete(batch, commit):
    """Say that a batch is complete; return whether nobody had said so before."""
    with commit(execute=True):
        return complete_batch(batch=batch)
