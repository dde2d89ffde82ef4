"""The release gate: a decision, recorded with its inputs frozen, behind page, command and API; and its waivers."""

import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from analysis.gate.waivers import EVERYTHING as EVERY_METRIC_AT_ALL
from analysis.gate.waivers import Ceilings, ceilings_text
from analysis.metrics import EVERY_METRIC, is_judged
from analysis.policy.policy import Policy
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.sentences import metric_label
from reports.audit.services import record
from reports.gate.changes import recorded_beside
from reports.gate.selectors import load_stand
from reports.models import Action, App, Comparison, GateRecord, Interaction, Scope, Waiver
from reports.policies.selectors import EVERYTHING, Part, policy_for


@transaction.atomic
def decide_gate(
    *,
    comparison: Comparison,
    policy: Policy | None = None,
    part: Part = EVERYTHING,
    user: AbstractBaseUser | None = None,
) -> GateRecord:
    """Record how the gate stands, from the stored results of a computed comparison.

    ``policy`` is the comparison's own unless another is given; ``part`` limits the decision to a scope. While
    nothing that the last decision was made from has changed, its record is returned as it is.
    """
    stand = load_stand(comparison, policy or policy_for(comparison), part)
    last = GateRecord.objects.filter(comparison=comparison, scope__name=part.name or None).first()
    if last and last.decision == stand.report["decision"] and not recorded_beside(last, stand, comparison).changes:
        return last
    note = f"{stand.report['decision']}, {part.name}" if part.name else stand.report["decision"]
    record(Action.GATE_DECIDED, of=comparison, user=user, note=note)
    return GateRecord.objects.create(
        comparison=comparison,
        scope=Scope.objects.get(name=part.name) if part.name else None,
        decision=stand.report["decision"],
        report=stand.report,
        inputs=stand.inputs,
        decided_by_id=user.pk if user else None,
    )


class WaiverError(ValueError):
    """A waiver that cannot stand; ``field`` names what is wrong, the message tells the cure."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(f"{field}: {words}")
        self.field, self.words = field, words


@transaction.atomic
def add_waiver(
    *,
    app: App,
    expires: date,
    reason: str,
    approver: str = "",
    interaction: Interaction | None = None,
    ceilings: Ceilings = EVERY_METRIC_AT_ALL,
    issue_url: str = "",
    user: AbstractBaseUser | None = None,
) -> Waiver:
    """Save a waiver. ``ceilings`` names the accepted metrics, each with the largest accepted delta; none is all.

    ``user`` accepts it; ``approver`` names who does where nobody is logged in.

    Raises
    ------
    WaiverError
        It names no reason or approver, is over already, or contradicts itself.

    """
    approver = user.get_username() if user else approver
    _check_waiver(app, interaction, ceilings, expires, reason, approver)
    about: dict[str, Any] = {"app": app, "interaction": interaction, "ceilings": dict(ceilings)}
    who: dict[str, Any] = {"reason": reason.strip(), "approver": approver.strip(), "created_by": user}
    waiver = Waiver.objects.create(**about, **who, expires=expires, issue_url=issue_url)
    limits = f"{ceilings_text(waiver.ceilings)}, until {expires.isoformat()}"
    note = f"{limits}; {waiver.reason}; approved by {waiver.approver}"
    record(Action.WAIVER_ADDED, of=waiver, user=user, note=note)
    return waiver


@transaction.atomic
def second_waiver(*, waiver_id: int, user: AbstractBaseUser) -> bool:
    """Approve a waiver as the second person; False if somebody else was faster. Raises as ``refuse_waiver``."""
    waiver = _waiting(waiver_id, user)
    if not waiver:
        return False
    Waiver.objects.filter(pk=waiver_id).update(seconded_at=timezone.now(), seconded_by=user)
    record(Action.WAIVER_SECONDED, of=waiver, user=user, note=f"after {waiver.approver}")
    return True


@transaction.atomic
def refuse_waiver(*, waiver_id: int, user: AbstractBaseUser) -> bool:
    """Refuse to be the second person: the waiver counts nowhere any more; False if it is approved already.

    Raises
    ------
    WaiverError
        ``user`` proposed it, nobody is kept as who did, or it was withdrawn or refused.

    """
    waiver = _waiting(waiver_id, user)
    if not waiver:
        return False
    Waiver.objects.filter(pk=waiver_id).update(refused_at=timezone.now(), refused_by=user)
    record(Action.WAIVER_REFUSED, of=waiver, user=user, note=f"proposed by {waiver.approver}")
    return True


def _waiting(waiver_id: int, user: AbstractBaseUser) -> Waiver | None:
    """Lock a waiver that nobody has seconded yet, for somebody who may; None if somebody has."""
    waiver = Waiver.objects.select_for_update(of=("self",)).select_related("app").get(pk=waiver_id)
    if waiver.withdrawn_at or waiver.refused_at:
        how = "withdrawn" if waiver.withdrawn_at else "refused"
        raise WaiverError("approver", f"it was {how} meanwhile; propose another if it is needed")
    if waiver.created_by_id is None:
        raise WaiverError("approver", "nobody is kept as who proposed it; withdraw it and propose another")
    if waiver.created_by_id == user.pk:
        raise WaiverError("approver", "you proposed it; another policy owner has to approve it")
    return None if waiver.seconded_at else waiver


@transaction.atomic
def withdraw_waiver(*, waiver_id: int, user: AbstractBaseUser | None = None) -> bool:
    """Take a waiver back; False if it was withdrawn before."""
    mine = Waiver.objects.filter(pk=waiver_id, withdrawn_at=None)
    if not mine.update(withdrawn_at=timezone.now(), withdrawn_by=user):
        return False
    record(Action.WAIVER_WITHDRAWN, of=Waiver.objects.select_related("app").get(pk=waiver_id), user=user)
    return True


def _check_waiver(
    app: App,
    interaction: Interaction | None,
    ceilings: Mapping[str, float | None],
    expires: date,
    reason: str,
    approver: str,
) -> None:
    if interaction and interaction.app_id != app.pk:
        raise WaiverError("interaction", f"{interaction.name!r} belongs to another app; choose one of {app.name}")
    for metric, ceiling in ceilings.items():
        if metric not in {*EVERY_METRIC, OUTCOME_METRIC} and not is_judged(metric):
            raise WaiverError("ceilings", f"there is no metric {metric!r}; leave all empty for every metric")
        if ceiling is not None and not (ceiling > 0 and math.isfinite(ceiling)):
            raise WaiverError("ceilings", f"{metric_label(metric)}: give a number above 0")
    if expires < timezone.localdate():
        raise WaiverError("expires", f"{expires.isoformat()} is over; choose today or a later day")
    if not reason.strip():
        raise WaiverError("reason", "is empty; say why this regression is acceptable")
    if not approver.strip():
        raise WaiverError("approver", "is empty; name who accepts it")
