"""Find what got lost between the queue and a worker, and queue it again."""

from functools import partial

from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule

from reports.models import Run, RunStatus
from reports.services.extraction import MAX_ATTEMPTS, lease, worker_lost
from reports.services.extraction_result import fail
from reports.services.queueing import queue_runs, queued_run_ids
from reports.services.runs import AGAIN

RECOVER = "reports.tasks.recover_lost_runs"
EVERY_MINUTES = 5


def recover_lost_runs(*, nobody_works: bool = False) -> int:
    """Queue again the runs whose worker died and those whose task was lost; return how many.

    ``nobody_works`` tells that no worker is alive, so that no claim has to run out first.
    """
    give_back_lost_runs(nobody_works=nobody_works)
    return _queue_forgotten()


def ensure_schedule() -> None:
    """Let the queue look for lost runs every few minutes; repeating changes nothing."""
    values = {"func": RECOVER, "schedule_type": Schedule.MINUTES, "minutes": EVERY_MINUTES, "repeats": -1}
    Schedule.objects.update_or_create(name="recover lost runs", defaults=values)


def give_back_lost_runs(*, nobody_works: bool = False) -> None:
    """Make the runs of lost workers wait again; one that has had its attempts ends failed, with the reason."""
    running = Run.objects.filter(status=RunStatus.RUNNING)
    lost = running if nobody_works else running.filter(claimed_at__lt=timezone.now() - lease())
    for run in lost.filter(attempts__gte=MAX_ATTEMPTS):
        fail(run, worker_lost())
    values = {name: value for name, value in AGAIN.items() if name != "attempts"}
    lost.filter(attempts__lt=MAX_ATTEMPTS).update(**values)


@transaction.atomic
def _queue_forgotten() -> int:
    pending = set(Run.objects.filter(status=RunStatus.PENDING).values_list("pk", flat=True))
    forgotten = sorted(pending - queued_run_ids()) if pending else []
    transaction.on_commit(partial(queue_runs, run_ids=forgotten))
    return len(forgotten)
