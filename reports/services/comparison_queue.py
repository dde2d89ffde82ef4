"""Put comparisons into the queue. Doing it twice is harmless: whoever takes one must claim it first."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django_q.tasks import async_task

from reports.models import Comparison, ComparisonStatus

COMPUTE = "reports.tasks.compute_comparison"


@transaction.atomic
def queue_comparisons(*, comparison_ids: Iterable[int]) -> None:
    """Queue the computation of comparisons. One that is being computed is queued as well: it may have changed."""
    ids = list(comparison_ids)
    finished = Comparison.objects.filter(pk__in=ids).exclude(status=ComparisonStatus.RUNNING)
    finished.update(status=ComparisonStatus.PENDING)
    for pk in ids:
        transaction.on_commit(partial(async_task, COMPUTE, pk, task_name=f"comparison {pk}"))


@transaction.atomic
def recount_comparisons() -> None:
    """Queue every comparison to count its results again, for scopes that changed; no statistics are computed."""
    counted = Comparison.objects.exclude(fingerprint="")
    ids = list(counted.values_list("pk", flat=True))
    counted.update(fingerprint="")
    queue_comparisons(comparison_ids=ids)
