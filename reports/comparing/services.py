"""Ask for a comparison, and compute it. Both may be repeated: what did not change is not computed again."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_to_json
from analysis.verdicts.text import count_text
from reports.comparing.plan import Plan, changed_cells, make_plan
from reports.comparing.rows import compute_rows, refresh_q_values, store_rows, stored_fingerprints
from reports.comparing.summary import summary_json
from reports.models import Comparison, ComparisonStatus, Device, OsVersion
from reports.policies.selectors import policy_for
from reports.queue.services import queue_comparisons

logger = logging.getLogger(__name__)
ANOTHER = "another process got there first"
WORKER = "manage.py worker"
_LISTED = 8


class NothingToCompareError(Exception):
    """The two versions have no measured runs alike; the message says why and the cure."""


class WrongVersionsError(NothingToCompareError):
    """The versions named cannot be a pair at all, whatever is measured."""


@transaction.atomic
def open_comparison(
    *, base: OsVersion, new: OsVersion, device: Device | None = None, user: AbstractBaseUser | None = None
) -> Comparison:
    """Return the comparison of two versions, on all devices or one; make it if nobody asked for it before."""
    refuse_same(base, new)
    values = {"requested_by": user}
    return Comparison.objects.get_or_create(base=base, new=new, device=device, defaults=values)[0]


@transaction.atomic
def request_comparison(
    *, base: OsVersion, new: OsVersion, device: Device | None = None, user: AbstractBaseUser | None = None
) -> Comparison:
    """Return the comparison of two versions; queue its computation unless it is up to date."""
    comparison = open_comparison(base=base, new=new, device=device, user=user)
    up_to_date = comparison.status == ComparisonStatus.DONE and not comparison.stale
    if not up_to_date or comparison.policy != policy_to_json(policy_for(comparison)):
        queue_comparisons(comparison_ids=[comparison.pk])
    return comparison


def compute_comparison(*, comparison_id: int) -> Comparison | None:
    """Compute what changed since the last time and store it; None if another process is at it.

    Raises
    ------
    NothingToCompareError
        There are no measured runs alike; the comparison is left ``failed`` with the reason.

    """
    if not _claim(comparison_id):
        return None
    comparison = Comparison.objects.select_related("base", "new", "device").get(pk=comparison_id)
    try:
        _compute(comparison)
    except NothingToCompareError as error:
        _end(comparison, ComparisonStatus.FAILED, error=str(error), summary={}, fingerprint="")
        raise
    except Exception as error:
        logger.exception("comparison %s could not be computed", comparison_id)
        _end(comparison, ComparisonStatus.FAILED, error=f"{type(error).__name__}: {error}"[:1000])
        raise
    except BaseException:  # the queue's time limit, or a worker that is told to stop
        _end(comparison, ComparisonStatus.PENDING, stale=True)
        raise
    return comparison


def compute_in_queue(*, comparison_id: int) -> str:
    """Compute a comparison and say in a word how it ended; that there is nothing to compare is no failure here."""
    try:
        found = compute_comparison(comparison_id=comparison_id)
    except NothingToCompareError as error:
        return str(error)
    return found.status if found else ANOTHER


def _claim(comparison_id: int) -> bool:
    """Take the comparison by one conditional UPDATE. Runs that change from here on make it stale again."""
    now = timezone.now()
    free = Comparison.objects.filter(~Q(status=ComparisonStatus.RUNNING) | lost_claim(now), pk=comparison_id)
    return bool(free.update(status=ComparisonStatus.RUNNING, claimed_at=now, stale=False))


def lost_claim(now: datetime) -> Q:
    """Match claims that no living worker can hold: the queue lets no task run so long."""
    return Q(claimed_at=None) | Q(claimed_at__lt=now - timedelta(seconds=settings.TASK_TIMEOUT_S + 60))


def _compute(comparison: Comparison) -> None:
    policy = policy_for(comparison)
    plan = make_plan(comparison, policy)
    if plan.cells.empty:
        comparison.results.all().delete()
        raise NothingToCompareError(why_nothing(comparison, plan))
    written: dict[str, Any] = {"policy": policy_to_json(policy), "fingerprint": plan.fingerprint}
    if comparison.summary and all(getattr(comparison, name) == value for name, value in written.items()):
        _end(comparison, ComparisonStatus.DONE)
        return
    _write(comparison, plan, policy)
    summary = summary_json(comparison, plan, policy)
    _end(comparison, ComparisonStatus.DONE, computed_at=timezone.now(), summary=summary, **written)


def _write(comparison: Comparison, plan: Plan, policy: Policy) -> None:
    stored = stored_fingerprints(comparison)
    changed = changed_cells(plan, stored)
    rows = compute_rows(comparison, plan, changed, policy)
    current = set(zip(plan.cells["interaction"], plan.cells["device"], strict=True))
    recomputed = set(zip(changed["interaction"], changed["device"], strict=True))
    with transaction.atomic():
        store_rows(comparison, rows, vanished=(stored.keys() - current) | recomputed)
        refresh_q_values(comparison)


def _end(comparison: Comparison, status: ComparisonStatus, *, error: str = "", **values: Any) -> None:
    fields = {"status": status, "error": error, "claimed_at": None, **values}
    for name, value in fields.items():
        setattr(comparison, name, value)
    comparison.save(update_fields=list(fields))


def why_nothing(comparison: Comparison, plan: Plan) -> str:
    """Return the reason and the cure for a plan without cells."""
    pair = f"{comparison.base} and {comparison.new}"
    if not plan.shared:
        return f"{pair} share no interaction: import runs of the same interactions on both versions"
    if plan.waiting:
        waiting = count_text(plan.waiting, "run waits", "runs wait")
        return f"{pair}: nothing is measured on both sides yet, {waiting} in the queue. Start a worker: {WORKER}"
    if "not_alike" in plan.gaps.values():
        return f"{pair} were never recorded alike: no device, app version and capture has measured runs of both"
    failed = f": {count_text(plan.failed, 'run')} failed; see why on the Runs page" if plan.failed else ""
    return f"{pair} have no interaction with measured runs on both sides{failed}"


def refuse_same(base: OsVersion, new: OsVersion) -> None:
    """Refuse to compare a version with itself."""
    if base == new:
        raise WrongVersionsError(f"{base} cannot be compared with itself: name another version on one side")


def find_version(name: str) -> OsVersion:
    """Return the version called ``name``; the error lists those that are known."""
    found = OsVersion.objects.filter(name=name).first()
    if found is None:
        known = list(OsVersion.objects.with_runs().values_list("name", flat=True))
        listed = ", ".join(known[-_LISTED:]) + (" …" if len(known) > _LISTED else "") or "none, import runs first"
        raise WrongVersionsError(f"no OS version is called {name!r}; known are: {listed}")
    return found
