"""The release gate: one decision, kept with its inputs frozen, behind page, command and API."""

import hashlib
import json
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from analysis.policy.policy import Policy
from reports.comparing.gate_inputs import GateInputs, load_gate_inputs
from reports.models import Comparison, GateRecord, Scope
from reports.policies.selectors import EVERYTHING, Part, policy_for
from reports.selectors.gate_report import gate_report
from reports.services.gate_marks import refresh_gate_mark


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
