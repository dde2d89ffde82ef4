"""Put work into the queue. Doing the same work twice is harmless: whoever takes it must claim it first."""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

from reports.models import Batch, Bisection, Comparison, ComparisonStatus, OsVersion, Run, RunStatus, VersionHistory
from reports.queue.broker import BacklogBroker, LaterBroker, PausedBroker

EXTRACT = "reports.tasks.extract_run"
COMPUTE = "reports.tasks.compute_comparison"
COMPARE_BATCH = "reports.tasks.compare_batch"
RESET = "reports.tasks.send_reset_link"
TELL = "reports.tasks.tell_event"
DELIVER = "reports.tasks.deliver_notice"
ISSUE = "reports.tasks.send_issue"
IMPORT = "reports.tasks.import_staged"
HISTORY = "reports.tasks.compute_history"
HISTORIES = "reports.tasks.queue_histories"
BISECTION = "reports.tasks.look_at_bisection"


def queue_runs(*, run_ids: Iterable[int], later: bool = False) -> None:
    """Queue the extraction of runs behind what people wait for; in one transaction, so that thousands are quick.

    ``later`` lets some seconds pass before they are tried.
    """
    broker = LaterBroker() if later else BacklogBroker()
    with transaction.atomic():
        for run_id in run_ids:
            async_task(EXTRACT, run_id, task_name=f"run {run_id}", broker=broker)


def queue_reset_link(*, entry_id: int, base: str) -> None:
    """Queue the mail that a request for a new password asks for, once it is written down."""
    transaction.on_commit(partial(async_task, RESET, entry_id, base, task_name=f"password link {entry_id}"))


def queue_event(*, event_id: int) -> None:
    """Queue the telling of an event, once it is written down; a schedule finds what is lost on the way."""
    task = partial(async_task, TELL, event_id, task_name=f"event {event_id}")
    transaction.on_commit(task, robust=True)  # what it tells of is done, whether it can be queued or not


def queue_deliveries(*, delivery_ids: Iterable[int]) -> None:
    """Queue deliveries, each by itself: one that hangs costs its own task."""
    for pk in delivery_ids:
        task = partial(async_task, DELIVER, pk, task_name=f"delivery {pk}")
        transaction.on_commit(task, robust=True)


def queue_issues(*, issue_ids: Iterable[int]) -> None:
    """Queue the making of issues in their trackers; a schedule finds what is lost on the way."""
    for pk in issue_ids:
        task = partial(async_task, ISSUE, pk, task_name=f"issue {pk}")
        transaction.on_commit(task, robust=True)  # it is asked for, whether it can be queued or not


def queue_import(*, staged_id: UUID, later: bool = False) -> None:
    """Queue the import of what somebody has sent, once it is written down; ``later`` lets some seconds pass."""
    broker = LaterBroker() if later else None
    task = partial(async_task, IMPORT, str(staged_id), task_name=f"import {staged_id}", broker=broker)
    transaction.on_commit(task, robust=True)  # a schedule finds what is lost on the way


def queued_import_ids() -> set[UUID]:
    """Return the imports that wait in the broker or lie with a worker."""
    tasks = (entry.task for entry in OrmQ.objects.iterator())
    return {UUID(task["args"][0]) for task in tasks if task.get("func") == IMPORT and task.get("args")}


def queued_run_ids() -> set[int]:
    """Return the runs that wait in the broker or lie with a worker."""
    tasks = (entry.task for entry in OrmQ.objects.iterator())
    return {task["args"][0] for task in tasks if task.get("func") == EXTRACT and task.get("args")}


@transaction.atomic
def queue_comparisons(*, comparison_ids: Iterable[int]) -> None:
    """Queue the computation of comparisons. One that is being computed is queued as well: it may have changed."""
    ids = list(comparison_ids)
    finished = Comparison.objects.filter(pk__in=ids).exclude(status=ComparisonStatus.RUNNING)
    finished.update(status=ComparisonStatus.PENDING)
    for pk in ids:
        transaction.on_commit(partial(async_task, COMPUTE, pk, task_name=f"comparison {pk}"))


def queue_histories(*, version_ids: Iterable[int], later: bool = False) -> None:
    """Queue the levels and steps of versions, behind what people wait for; ``later`` lets a minute pass."""
    broker = PausedBroker() if later else BacklogBroker()
    for pk in version_ids:
        task = partial(async_task, HISTORY, pk, task_name=f"history {pk}", broker=broker)
        transaction.on_commit(task, robust=True)  # what is lost is found by the regular look


def queue_look_at_histories() -> None:
    """Queue a look for histories that are out of date: rules or lines changed."""
    task = partial(async_task, HISTORIES, task_name="histories that are out of date")
    transaction.on_commit(task, robust=True)


def queue_bisections(*, ids: Iterable[int]) -> None:
    """Queue a look at where bisections stand: somebody waits for what to record next."""
    for pk in ids:
        task = partial(async_task, BISECTION, pk, task_name=f"bisection {pk}")
        transaction.on_commit(task, robust=True)  # what is lost is found by the regular look


@transaction.atomic
def recount_comparisons() -> None:
    """Queue every comparison to count its results again, for scopes that changed; no statistics are computed."""
    counted = Comparison.objects.exclude(fingerprint="")
    ids = list(counted.values_list("pk", flat=True))
    counted.update(fingerprint="")
    queue_comparisons(comparison_ids=ids)


def runs_changed(*, version_ids: Iterable[int], at_once: bool = False) -> None:
    """Mark the comparisons and histories of these OS versions stale, and queue those that can be computed.

    They wait until no run of their versions is on its way, or every run of an import would compute it;
    ``at_once`` does not wait: a person who excludes a run wants to see what follows. Call it inside the transaction
    that changes the runs.
    """
    ids = sorted(set(version_ids))
    if not ids:
        return
    Comparison.objects.of_versions(*ids).filter(stale=False).update(stale=True)
    VersionHistory.objects.filter(version__in=ids, stale=False).update(stale=True)
    transaction.on_commit(partial(_queue_stale, ids, at_once))


def queue_complete_batches() -> int:
    """Queue the comparison of each complete batch with its baseline; return how many there are; one query.

    Whatever may complete one calls this on commit, so that the last of them finds it complete: a run that ends, the
    word that nothing more comes in, a version that is pinned; and the regular look for what was lost.
    """
    runs = Run.objects.filter(batch=OuterRef("pk"))
    waiting = runs.filter(status__in=[RunStatus.PENDING, RunStatus.RUNNING])
    said = Batch.objects.filter(completed_at__isnull=False, comparison=None)
    complete = said.filter(Exists(runs), ~Exists(waiting)).with_another_baseline()
    ids = list(complete.order_by("pk").values_list("pk", flat=True))
    for pk in ids:
        async_task(COMPARE_BATCH, pk, task_name=f"batch {pk}")
    return len(ids)


def _queue_stale(version_ids: list[int], at_once: bool) -> None:
    queue_complete_batches()
    stale = Comparison.objects.of_versions(*version_ids).filter(stale=True)
    if not at_once:
        stale = stale.without_open_runs()
    pinned_first = stale.order_by("-base__pinned", "pk")  # the gates of the others may ask what these say
    queue_comparisons(comparison_ids=list(pinned_first.values_list("pk", flat=True)))
    queue_bisections(ids=_bisections_with_news(version_ids, at_once))
    if at_once:
        queue_histories(version_ids=version_ids)
        return
    # Of runs that trickle in, the first is counted at once, and all that come within a minute together.
    ready = OsVersion.objects.filter(pk__in=version_ids).without_open_runs()
    recent = Q(history__computed_at__gt=timezone.now() - PausedBroker.wait)
    queue_histories(version_ids=list(ready.exclude(recent).values_list("pk", flat=True)))
    queue_histories(version_ids=list(ready.filter(recent).values_list("pk", flat=True)), later=True)


def _bisections_with_news(version_ids: list[int], at_once: bool) -> list[int]:
    """Return the bisections under way whose runs of these versions are all measured, some since the last look."""
    same = {"interaction": OuterRef("interaction"), "device": OuterRef("device"), "os_version__in": version_ids}
    runs = Run.objects.filter(**same)
    rows = Bisection.objects.filter(finished_at=None)
    if not at_once:
        new = runs.filter(measured_at__gt=Coalesce(OuterRef("computed_at"), OuterRef("started_at")))
        open_runs = runs.filter(status__in=[RunStatus.PENDING, RunStatus.RUNNING])
        rows = rows.filter(Exists(new), ~Exists(open_runs))
    return list(rows.values_list("pk", flat=True))
