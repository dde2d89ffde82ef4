"""Tell comparisons that runs of their OS versions have changed, and have them computed once those are complete."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from reports.models import Comparison
from reports.services.comparison_queue import queue_comparisons


def runs_changed(*, version_ids: Iterable[int], at_once: bool = False) -> None:
    """Mark the comparisons of these OS versions stale (one UPDATE), and queue those that can be computed.

    A comparison waits until no run of either version is on its way, or every run of an import would compute it;
    ``at_once`` does not wait: a person who excludes a run wants to see what follows. Call it inside the transaction
    that changes the runs.
    """
    ids = sorted(set(version_ids))
    if not ids:
        return
    Comparison.objects.of_versions(*ids).filter(stale=False).update(stale=True)
    transaction.on_commit(partial(_queue_stale, ids, at_once))


def _queue_stale(version_ids: list[int], at_once: bool) -> None:
    stale = Comparison.objects.of_versions(*version_ids).filter(stale=True)
    if not at_once:
        stale = stale.without_open_runs()
    queue_comparisons(comparison_ids=list(stale.values_list("pk", flat=True)))
