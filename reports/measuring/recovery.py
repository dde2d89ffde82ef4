"""Find what got lost between the queue and a worker, and queue it again."""

from django.utils import timezone
from django_q.models import OrmQ

from reports.comparing.plan import RULES
from reports.measuring.extraction import MAX_ATTEMPTS, fail, release, worker_lost
from reports.measuring.workers import is_dead
from reports.models import Comparison, ComparisonStatus, Run, RunStatus
from reports.queue.leases import AHEAD, FREE, is_over, lease_over, lease_time
from reports.queue.services import (
    COMPUTE,
    queue_comparisons,
    queue_complete_batches,
    queue_runs,
    queued_run_ids,
)


def recover_lost_runs(*, nobody_works: bool = False, some_died: bool = False) -> int:
    """Queue again the runs whose worker died and those whose task was lost; return how many.

    ``nobody_works`` tells that no worker is alive, so that no claim has to run out first. ``some_died`` tells that
    a worker was killed: what the broker has lent is handed out again, as nobody knows to whom it was lent. A task
    that a living worker has meets a run that is claimed, and ends at once.
    """
    given_back = give_back_lost_runs(nobody_works=nobody_works)
    if nobody_works or some_died:
        OrmQ.objects.filter(lock__gt=timezone.now()).update(lock=timezone.now())
    OrmQ.objects.filter(lock__gt=timezone.now() + lease_time() + AHEAD).update(
        lock=timezone.now()
    )  # a clock set back
    forgotten = _forgotten_run_ids()
    queue_runs(run_ids=sorted(forgotten | given_back))
    recover_lost_comparisons(nobody_works=nobody_works)
    queue_complete_batches()
    return len(forgotten | given_back)


def recover_from_dead_workers() -> int:
    """Queue again at once what a killed process of this host was measuring; one query while none was killed."""
    ids = give_back_lost_runs()
    queue_runs(run_ids=sorted(ids))
    return len(ids)


def give_back_lost_runs(*, nobody_works: bool = False) -> set[int]:
    """Make the runs of lost workers wait again and return their ids.

    A run that has had its attempts ends failed, with the reason.
    """
    given_back = set()
    for run in Run.objects.filter(status=RunStatus.RUNNING):
        if not (nobody_works or is_over(run) or is_dead(run.claimed_by)):
            continue
        if run.attempts >= MAX_ATTEMPTS:
            fail(run, worker_lost())
        elif release(run, attempts=run.attempts):
            given_back.add(run.pk)
    return given_back


def _forgotten_run_ids() -> set[int]:
    """Return the runs that wait without a task in the broker.

    Looking into each task is slow where there are many, and needless while there are as many as runs that wait: a
    task that is there twice may hide one that is lost, but only until it is worked off.
    """
    waiting = Run.objects.filter(status=RunStatus.PENDING)
    if OrmQ.objects.count() >= waiting.count():
        return set()
    return set(waiting.values_list("pk", flat=True)) - queued_run_ids()


def recover_lost_comparisons(*, nobody_works: bool = False) -> int:
    """Queue again the comparisons whose worker died and those whose task was lost; return how many.

    With them come those that an earlier release decided by other rules: an update leaves no page behind.
    """
    running = Comparison.objects.filter(status=ComparisonStatus.RUNNING)
    lost = running if nobody_works else running.filter(lease_over())
    lost.update(status=ComparisonStatus.PENDING, stale=True, **FREE)
    pending = Comparison.objects.filter(status=ComparisonStatus.PENDING).without_open_runs()
    waiting = set(pending.values_list("pk", flat=True))
    forgotten = waiting - _queued_comparison_ids() if waiting else set()
    forgotten |= set(Comparison.objects.of_other_rules(RULES).values_list("pk", flat=True))
    queue_comparisons(comparison_ids=sorted(forgotten))
    return len(forgotten)


def _queued_comparison_ids() -> set[int]:
    tasks = (entry.task for entry in OrmQ.objects.iterator())
    return {task["args"][0] for task in tasks if task.get("func") == COMPUTE and task.get("args")}
