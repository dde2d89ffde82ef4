"""Ask for a comparison, and compute it. Both may be repeated: what did not change is not computed again."""

import logging
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from analysis.gate.drift import WAITS
from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_to_json
from analysis.verdicts.text import count_text
from reports.audit.services import record
from reports.comparing.pinned import pinned_pairs, waiting_for
from reports.comparing.plan import RULES, Plan, changed_cells, make_plan
from reports.comparing.rows import compute_rows, refresh_q_values, store_rows, stored_fingerprints
from reports.comparing.selectors import recent_comparisons
from reports.comparing.standing import rules_now, standing
from reports.comparing.summary import summary_json
from reports.models import Action, Comparison, ComparisonStatus, Device, OsVersion
from reports.outbox.services import comparison_computed, comparison_turned
from reports.policies.selectors import current_policies, policy_for
from reports.queue.leases import FREE, TAKEN, Lease
from reports.queue.services import queue_comparisons

logger = logging.getLogger(__name__)
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
    return _open(base, new, device, user)[0]


def request_comparison(
    *,
    base: OsVersion,
    new: OsVersion,
    device: Device | None = None,
    user: AbstractBaseUser | None = None,
    note: str = "",
) -> Comparison:
    """Return the comparison of two versions; queue its computation unless it is up to date.

    ``note`` is why, for the audit log.
    """
    return ask_for_comparison(base=base, new=new, device=device, user=user, note=note)[0]


@transaction.atomic
def ask_for_comparison(
    *,
    base: OsVersion,
    new: OsVersion,
    device: Device | None = None,
    user: AbstractBaseUser | None = None,
    note: str = "",
) -> tuple[Comparison, bool]:
    """Do the same, and tell as well whether nobody had asked for it before.

    Where the gate has a budget for drift, the version is compared with the pinned one of its line first.
    """
    comparison, created = _open(base, new, device, user)
    policy = policy_for(comparison)
    _ask_for_pinned(comparison, policy, user=user)
    up_to_date = comparison.status == ComparisonStatus.DONE and not comparison.stale
    if not up_to_date or comparison.policy != policy_to_json(policy):
        record(Action.COMPARED, of=comparison, user=user, note=note)
        queue_comparisons(comparison_ids=[comparison.pk])
    return comparison, created


def _ask_for_pinned(
    comparison: Comparison, policy: Policy, *, user: AbstractBaseUser | None = None, again: bool = True
) -> None:
    """Have its updated version compared with the pinned one of its line if the gate asks for drift.

    ``again``: also where that was compared before and is not up to date.
    """
    if policy.gate.drift_budget_pct is None:
        return
    pair = pinned_pairs([comparison])[comparison.pk]
    if pair.pinned and pair.askable and (again or pair.comparison is None):
        note = f"for the drift of {comparison}"
        ask_for_comparison(base=pair.pinned, new=comparison.new, device=comparison.device, user=user, note=note)


def compare_with_pinned() -> None:
    """Have the last versions compared with what is pinned by now, where the gate asks for drift."""
    policies = current_policies()
    for row in recent_comparisons():
        _ask_for_pinned(row, policy_for(row, policies), again=False)


def _open(
    base: OsVersion, new: OsVersion, device: Device | None, user: AbstractBaseUser | None
) -> tuple[Comparison, bool]:
    refuse_same(base, new)
    values = {"requested_by": user}
    return Comparison.objects.get_or_create(base=base, new=new, device=device, defaults=values)


def compute_comparison(*, comparison_id: int) -> Comparison | None:
    """Compute what changed since the last time and store it; None if another process is at it, or took it over.

    Runs that change from the claim on make it stale again.

    Raises
    ------
    NothingToCompareError
        There are no measured runs alike; the comparison is left ``failed`` with the reason.

    """
    lease = Lease.take(Comparison, comparison_id, free=~Q(status=ComparisonStatus.RUNNING), stale=False)
    if lease is None:
        return None
    comparison = Comparison.objects.select_related("base", "new", "device").get(pk=comparison_id)
    try:
        return comparison if _compute(comparison, lease) else None
    except NothingToCompareError as error:
        if not _clear(comparison, lease, str(error)):
            return None
        raise
    except Exception as error:
        logger.exception("comparison %s could not be computed", comparison_id)
        _end(comparison, lease, ComparisonStatus.FAILED, error=f"{type(error).__name__}: {error}"[:1000])
        raise
    except BaseException:  # the queue's time limit, or a worker that is told to stop
        _end(comparison, lease, ComparisonStatus.PENDING, stale=True)
        raise


def compute_in_queue(*, comparison_id: int) -> str:
    """Compute a comparison and say in a word how it ended; that there is nothing to compare is no failure here."""
    try:
        found = compute_comparison(comparison_id=comparison_id)
    except NothingToCompareError as error:
        return str(error)
    return found.status if found else TAKEN


def _compute(comparison: Comparison, lease: Lease) -> bool:
    policy = policy_for(comparison)
    _ask_for_pinned(comparison, policy, again=False)
    plan = make_plan(comparison, policy)
    if plan.cells.empty:
        raise NothingToCompareError(why_nothing(comparison, plan))
    written: dict[str, Any] = {"policy": policy_to_json(policy), "fingerprint": plan.fingerprint}
    counted = comparison.summary.get("rules") == RULES  # else by an earlier release, which may have said otherwise
    if counted and all(getattr(comparison, name) == value for name, value in written.items()):
        return _end_as_it_was(comparison, lease, policy)
    return _write(comparison, lease, plan, policy, written)


def _end_as_it_was(comparison: Comparison, lease: Lease, policy: Policy) -> bool:
    if policy.gate.drift_budget_pct is None:
        return _end(comparison, lease, ComparisonStatus.DONE)
    with transaction.atomic():
        ended = _end(comparison, lease, ComparisonStatus.DONE)
        if ended:
            _tell(*_waiting(comparison, policy))
        return ended


def _write(comparison: Comparison, lease: Lease, plan: Plan, policy: Policy, written: dict[str, Any]) -> bool:
    """Store rows, summary and status in one transaction that begins with the claim: all of them, or none."""
    stored = stored_fingerprints(comparison)
    changed = changed_cells(plan, stored)
    rows = compute_rows(comparison, plan, changed, policy)
    current = set(zip(plan.cells["interaction"], plan.cells["device"], strict=True))
    recomputed = set(zip(changed["interaction"], changed["device"], strict=True))
    with transaction.atomic():
        if not lease.held():
            return False
        store_rows(comparison, rows, vanished=(stored.keys() - current) | recomputed)
        refresh_q_values(comparison)
        written["summary"] = summary_json(comparison, plan, policy)
        ended = _end(comparison, lease, ComparisonStatus.DONE, computed_at=timezone.now(), **written)
        if ended:
            _tell(comparison, *_waiting(comparison, policy))
        return ended


def _waiting(comparison: Comparison, policy: Policy) -> list[Comparison]:
    """Return the comparisons that may have waited for this one to know their drift; call it in a transaction."""
    if policy.gate.drift_budget_pct is None:
        return []
    # of two that end at once, the second sees that the first has ended
    OsVersion.objects.select_for_update(no_key=True).get(pk=comparison.new_id)
    return list(waiting_for(comparison))


def _tell(*comparisons: Comparison) -> None:
    """Tell what comparisons have come to; one that waits to know its drift is told of with that."""
    for row in comparisons:
        decision = standing(row)
        if not (decision.drift and decision.drift.state == WAITS):
            comparison_computed(row, decision)


def notice_turned_gates() -> int:
    """Look whether the gate has turned on the last comparisons since they were computed; return how many have."""
    compare_with_pinned()
    rules = rules_now(recent_comparisons())
    turned = 0
    for row in recent_comparisons():
        with transaction.atomic():  # whoever computes it waits, or is waited for
            settled = Comparison.objects.select_for_update().filter(status=ComparisonStatus.DONE, stale=False)
            comparison = settled.filter(pk=row.pk).exclude(summary={}).first()
            if comparison is None:
                continue
            decision = standing(comparison, rules=rules)
            if not (decision.drift and decision.drift.state == WAITS):
                turned += comparison_turned(comparison, decision) is not None
    return turned


@transaction.atomic
def _clear(comparison: Comparison, lease: Lease, reason: str) -> bool:
    """End a comparison that has nothing to compare, without the results of earlier runs."""
    ended = _end(comparison, lease, ComparisonStatus.FAILED, error=reason, summary={}, fingerprint="")
    if ended:
        comparison.results.all().delete()
        _tell(*_waiting(comparison, policy_for(comparison)))
    return ended


def _end(comparison: Comparison, lease: Lease, status: ComparisonStatus, *, error: str = "", **values: Any) -> bool:
    """End the claim; False, and nothing is written, if another process has taken the comparison over since."""
    values |= {"error": error}
    if not lease.end(status=status, **values):
        return False
    for name, value in {**values, **FREE, "status": status}.items():
        setattr(comparison, name, value)
    return True


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
