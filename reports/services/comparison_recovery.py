"""Find comparisons that got lost between the queue and a worker, and queue them again."""

from django.utils import timezone
from django_q.models import OrmQ

from reports.comparing.services import lost_claim
from reports.models import Comparison, ComparisonStatus
from reports.queue.services import COMPUTE, queue_comparisons


def recover_lost_comparisons(*, nobody_works: bool = False) -> int:
    """Queue again the comparisons whose worker died and those whose task was lost; return how many."""
    running = Comparison.objects.filter(status=ComparisonStatus.RUNNING)
    lost = running if nobody_works else running.filter(lost_claim(timezone.now()))
    lost.update(status=ComparisonStatus.PENDING, claimed_at=None, stale=True)
    pending = Comparison.objects.filter(status=ComparisonStatus.PENDING).without_open_runs()
    waiting = set(pending.values_list("pk", flat=True))
    forgotten = waiting - _queued_ids() if waiting else set()
    queue_comparisons(comparison_ids=sorted(forgotten))
    return len(forgotten)


def _queued_ids() -> set[int]:
    tasks = (entry.task for entry in OrmQ.objects.iterator())
    return {task["args"][0] for task in tasks if task.get("func") == COMPUTE and task.get("args")}
