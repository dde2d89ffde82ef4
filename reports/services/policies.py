"""Which policy decides a comparison."""

from analysis.decide.policy import DEFAULT_POLICY, Policy
from reports.models import Comparison


def policy_for(comparison: Comparison) -> Policy:
    """Return the policy that a comparison is decided by."""
    return DEFAULT_POLICY
