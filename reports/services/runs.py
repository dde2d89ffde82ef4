"""What a person does with runs: measure again, exclude, include. Pressing twice does no harm."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from reports.models import Run, RunStatus
from reports.queue.services import queue_runs, runs_changed

# What makes a run wait for its measurement, whatever it went through before.
AGAIN: dict[str, Any] = {
    "status": RunStatus.PENDING,
    "claimed_at": None,
    "claimed_by": "",
    "attempts": 0,
    "measured_at": None,
    "outcome": "",
    "error": "",
    "settles": None,
}
REASON_LENGTH = Run._meta.get_field("excluded_reason").max_length


@transaction.atomic
def retry_runs(*, run_ids: Iterable[int], queue: bool = True) -> int:
    """Measure runs again that have been judged or have failed; return how many. Waiting ones are left alone."""
    finished = Run.objects.select_for_update().filter(
        pk__in=list(run_ids), status__in=[RunStatus.DONE, RunStatus.FAILED]
    )
    found = dict(finished.values_list("pk", "os_version_id"))
    Run.objects.filter(pk__in=found).update(**AGAIN)
    runs_changed(version_ids=set(found.values()))
    if queue:
        transaction.on_commit(partial(queue_runs, run_ids=list(found)))
    return len(found)


@transaction.atomic
def exclude_runs(*, run_ids: Iterable[int], reason: str, user: AbstractBaseUser | None) -> int:
    """Keep runs out of every comparison; return how many. The first exclusion and its reason stand."""
    if not reason.strip():
        raise ValueError("an exclusion needs a reason: say what is wrong with the recording")
    values = {
        "excluded": True,
        "excluded_reason": reason.strip()[:REASON_LENGTH],
        "excluded_by": user,
        "excluded_at": timezone.now(),
    }
    return _set_excluded(run_ids, values, already=True)


@transaction.atomic
def include_runs(*, run_ids: Iterable[int]) -> int:
    """Let excluded runs take part in comparisons again; return how many."""
    values = {"excluded": False, "excluded_reason": "", "excluded_by": None, "excluded_at": None}
    return _set_excluded(run_ids, values, already=False)


def _set_excluded(run_ids: Iterable[int], values: dict[str, Any], *, already: bool) -> int:
    runs = Run.objects.select_for_update().filter(pk__in=list(run_ids), excluded=not already)
    found = dict(runs.values_list("pk", "os_version_id"))
    Run.objects.filter(pk__in=found).update(**values)
    runs_changed(version_ids=set(found.values()), at_once=True)
    return len(found)
