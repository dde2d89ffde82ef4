"""The gate's word on lists and on top of a ranking: kept with each comparison, refreshed when waivers change."""

from django.db import transaction
from django.utils import timezone

from analysis.verdicts.words import REGRESSION
from reports.comparing.gate_inputs import load_gate_inputs
from reports.models import Comparison, ComparisonStatus
from reports.policies.selectors import policy_for


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
