"""How many of the regressions chance alone would flag."""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis.decide.intervals import LEVEL_Z
from analysis.decide.policy import DEFAULT_POLICY, Policy
from analysis.decide.words import MORE_RUNS_NEEDED


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
