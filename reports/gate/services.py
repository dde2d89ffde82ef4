"""The release gate: one decision, kept with its inputs frozen, behind page, command and API; and its waivers."""

import hashlib
import json
from datetime import date
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from analysis.metrics import EVERY_METRIC
from analysis.policy.policy import Policy
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.words import REGRESSION
from reports.comparing.gate_inputs import GateInputs, load_gate_inputs
from reports.gate.selectors import gate_report
from reports.models import App, Comparison, ComparisonStatus, GateRecord, Interaction, Scope, Waiver
from reports.policies.selectors import EVERYTHING, Part, policy_for


@transaction.atomic
def decide_gate(
    *,
    comparison: Comparison,
    policy: Policy | None = None,
    part: Part = EVERYTHING,
    user: AbstractBaseUser | None = None,
) -> GateRecord:
    """Decide whether the new version may be released, from the stored results of a computed comparison.

    ``policy`` is the comparison's own unless another is given; ``part`` limits the decision to a scope. While
    nothing that the last decision was made from has changed, its record is returned as it is.
    """
    chosen = policy or policy_for(comparison)
    inputs = load_gate_inputs(comparison, chosen, part)
    decision = inputs.decide(timezone.localdate())
    report = gate_report(comparison, inputs, decision)
    fingerprint = _fingerprint(inputs, report)
    last = GateRecord.objects.filter(comparison=comparison, scope__name=part.name or None).first()
    if last and last.fingerprint == fingerprint:
        return last
    refresh_gate_mark(comparison_id=comparison.pk)
    values: dict[str, Any] = {
        "comparison": comparison,
        "scope": Scope.objects.get(name=part.name) if part.name else None,
        "decision": decision.decision,
        "report": report,
        "inputs": inputs.frozen(),
        "fingerprint": fingerprint,
        "decided_by": user,
    }
    return GateRecord.objects.create(**values)


def _fingerprint(inputs: GateInputs, report: dict[str, Any]) -> str:
    """Hash what the decision says and was made from; the day of today and of the computation do not count."""
    same = {key: value for key, value in report.items() if key != "computed_at"}
    text = json.dumps([same, inputs.frozen()], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def refresh_gate_marks(*, app_id: int) -> int:
    """Evaluate the gate again for the comparisons in which this app regressed; return how many."""
    affected = Comparison.objects.filter(
        status=ComparisonStatus.DONE, results__interaction__app=app_id, results__verdict=REGRESSION
    ).distinct()
    for comparison_id in affected.values_list("pk", flat=True):
        refresh_gate_mark(comparison_id=comparison_id)
    return len(affected)


@transaction.atomic
def refresh_gate_mark(*, comparison_id: int) -> str:
    """Write the gate's decision of today into the summary of a comparison; return it."""
    comparison = Comparison.objects.select_for_update().get(pk=comparison_id)
    decision = load_gate_inputs(comparison, policy_for(comparison)).decide(timezone.localdate()).decision
    comparison.summary["gate"] = decision
    comparison.save(update_fields=["summary"])
    return decision


class WaiverError(ValueError):
    """A waiver that cannot stand; the message names the field and the cure."""


@transaction.atomic
def add_waiver(
    *,
    app: App,
    expires: date,
    reason: str,
    approver: str,
    interaction: Interaction | None = None,
    metric: str = "",
    ceiling: float | None = None,
    issue_url: str = "",
    user: AbstractBaseUser | None = None,
) -> Waiver:
    """Save a waiver; the gate marks of the comparisons that it may change are refreshed.

    Raises
    ------
    WaiverError
        It names no reason or approver, is over already, or contradicts itself.

    """
    _check_waiver(app, interaction, metric, ceiling, expires, reason, approver)
    about: dict[str, Any] = {"app": app, "interaction": interaction, "metric": metric, "ceiling": ceiling}
    who: dict[str, Any] = {"reason": reason.strip(), "approver": approver.strip(), "created_by": user}
    waiver = Waiver.objects.create(**about, **who, expires=expires, issue_url=issue_url)
    transaction.on_commit(partial(refresh_gate_marks, app_id=app.pk))
    return waiver


@transaction.atomic
def withdraw_waiver(*, waiver_id: int, user: AbstractBaseUser | None = None) -> bool:
    """Take a waiver back; False if it was withdrawn before."""
    mine = Waiver.objects.filter(pk=waiver_id, withdrawn_at=None)
    app_id = mine.values_list("app_id", flat=True).first()
    if app_id is None or not mine.update(withdrawn_at=timezone.now(), withdrawn_by=user):
        return False
    transaction.on_commit(partial(refresh_gate_marks, app_id=app_id))
    return True


def _check_waiver(
    app: App,
    interaction: Interaction | None,
    metric: str,
    ceiling: float | None,
    expires: date,
    reason: str,
    approver: str,
) -> None:
    if interaction and interaction.app_id != app.pk:
        raise WaiverError(f"interaction: {interaction.name!r} belongs to another app; choose one of {app.name}")
    if metric and metric not in {*EVERY_METRIC, OUTCOME_METRIC}:
        raise WaiverError(f"metric: there is no {metric!r}; leave it empty for every metric")
    if ceiling is not None and not (metric and 0 < ceiling < float("inf")):
        raise WaiverError("ceiling: give a number above 0 together with the metric that it is measured in")
    if expires < timezone.localdate():
        raise WaiverError(f"expires: {expires.isoformat()} is over; choose today or a later day")
    if not reason.strip():
        raise WaiverError("reason: is empty; say why this regression is acceptable")
    if not approver.strip():
        raise WaiverError("approver: is empty; name who accepts it")
