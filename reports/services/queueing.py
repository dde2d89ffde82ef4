"""Put work into the queue. Doing the same work twice is harmless: whoever takes it must claim it first."""

from collections.abc import Iterable

from django.db import transaction
from django_q.models import OrmQ
from django_q.tasks import async_task

from reports.services.queueing_broker import BacklogBroker

EXTRACT = "reports.tasks.extract_run"


def queue_runs(*, run_ids: Iterable[int]) -> None:
    """Queue the extraction of runs behind what people wait for; in one transaction, so that thousands are quick."""
    broker = BacklogBroker()
    with transaction.atomic():
        for run_id in run_ids:
            async_task(EXTRACT, run_id, task_name=f"run {run_id}", broker=broker)


def queued_run_ids() -> set[int]:
    """Return the runs that wait in the broker or lie with a worker."""
    tasks = (entry.task for entry in OrmQ.objects.iterator())
    return {task["args"][0] for task in tasks if task.get("func") == EXTRACT and task.get("args")}
