"""A whole comparison in counts of interactions."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.statistics.intervals import LEVEL_Z
from analysis.verdicts.risk import interaction_summary
from analysis.verdicts.words import IMPERCEPTIBLE, IMPROVEMENT, MORE_RUNS_NEEDED, NO_CHANGE, REGRESSION


@dataclass(frozen=True)
class Summary:
    """Counts of interactions (not of rows); ``decided`` are those with at least one verdict."""

    compared: int
    decided: int
    regressed: int
    improved: int
    imperceptible: int
    no_change: int
    more_runs_needed: int
    regressed_pct: float | None
    budget_pct: float
    critical_apps: tuple[str, ...]  # names of critical apps with a regression
    expected_false_alarms: float  # result rows that chance alone would flag, see analysis.verdicts.summary

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Summary":
        """Read a summary back from where it was stored, possibly among other things."""
        return cls(**{field.name: data[field.name] for field in fields(cls)})


def summarise(
    results: pd.DataFrame, policy: Policy = DEFAULT_POLICY, *, critical: Mapping[str, str] | None = None
) -> Summary:
    """Count the verdicts of a comparison; ``critical`` maps the key of each critical app to its name."""
    interactions = interaction_summary(results)
    count = interactions["verdict"].value_counts()
    regressed, decided = int(count.get(REGRESSION, 0)), len(interactions) - int(count.get(MORE_RUNS_NEEDED, 0))
    hit = set(interactions.loc[interactions["verdict"] == REGRESSION, "app"])
    return Summary(
        compared=len(interactions),
        decided=decided,
        regressed=regressed,
        improved=int(count.get(IMPROVEMENT, 0)),
        imperceptible=int(count.get(IMPERCEPTIBLE, 0)),
        no_change=int(count.get(NO_CHANGE, 0)),
        more_runs_needed=int(count.get(MORE_RUNS_NEEDED, 0)),
        regressed_pct=100.0 * regressed / decided if decided else None,
        budget_pct=policy.gate.budget_pct,
        critical_apps=tuple(sorted(name for app, name in (critical or {}).items() if app in hit)),
        expected_false_alarms=expected_false_alarms(results, policy) if len(results) else 0.0,
    )


def expected_false_alarms(results: pd.DataFrame, policy: Policy = DEFAULT_POLICY) -> float:
    """Return about how many rows would be called regressions if nothing had changed.

    A false alarm needs both a small p and a median past θ, so its chance is at most the smaller of α and
    P(Δ > θ); the latter from a normal Δ around 0 with the standard error that the confidence interval tells. Rows
    without an interval count with α. An upper estimate: the two conditions go together only in part.
    """
    decided = results[results["verdict"] != MORE_RUNS_NEEDED]
    error = ((decided["ci_high"] - decided["ci_low"]) / (2 * LEVEL_Z)).to_numpy(dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        past = ndtr(-decided["threshold"].to_numpy(dtype=float) / error)
    return float(np.fmin(past, policy.alpha).sum())
