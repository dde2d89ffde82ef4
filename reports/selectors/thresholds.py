"""Where a threshold comes from, in words."""

from typing import Any

from analysis.policy.checks import PolicyError
from analysis.policy.policyjson import policy_from_json
from analysis.verdicts.sentences import metric_unit
from analysis.verdicts.text import number_text
from reports.models import Comparison, Interaction


def threshold_origin(comparison: Comparison | None, interaction: Interaction, metric: str) -> str:
    """Say where θ comes from: ``the larger of 50 ms and 20 % of the baseline's median (reason)``."""
    rules: dict[str, Any] = comparison.policy if comparison else {}
    try:
        policy = policy_from_json(rules)
    except PolicyError:
        return "the policy that this comparison was computed with"
    threshold = policy.threshold(app=interaction.app.package, interaction_type=interaction.type, metric=metric)
    unit, decimals = metric_unit(metric)
    parts = [f"{number_text(threshold.absolute, decimals)} {unit}".strip()] if threshold.absolute else []
    parts += (
        [f"{number_text(threshold.relative_pct, 1)} % of the baseline's median"] if threshold.relative_pct else []
    )
    text = " and ".join(parts) if len(parts) < 2 else "the larger of " + " and ".join(parts)
    return f"{text} ({threshold.reason})" if threshold.reason else text
