"""The words of a verdict: keys as stored, and how a person reads them."""

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
