"""The words of a verdict: keys as stored, and how a person reads them."""

from analysis.policy.policy import DEFAULT_LADDER

REGRESSION = "regression"
IMPROVEMENT = "improvement"
IMPERCEPTIBLE = "imperceptible"
NO_CHANGE = "no_change"
MORE_RUNS_NEEDED = "more_runs_needed"

# Regressions first, then what else changed, unknown last: the order of every ranking.
VERDICTS = (REGRESSION, IMPROVEMENT, IMPERCEPTIBLE, NO_CHANGE, MORE_RUNS_NEEDED)
VERDICT_WORDS = {
    REGRESSION: "Regression",
    IMPERCEPTIBLE: "Imperceptible",
    IMPROVEMENT: "Improvement",
    NO_CHANGE: "No change",
    MORE_RUNS_NEEDED: "More runs needed",
}


def severity_kind(severity: str) -> str:
    """Return what a severity is drawn as: its word in small letters, ``other`` for one of a custom ladder."""
    return severity.lower() if severity in dict(DEFAULT_LADDER) else "other"
