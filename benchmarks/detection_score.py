"""Judge samples by the product's rule and by a rank test alone, and score both against a known truth."""

import numpy as np
import pandas as pd

from analysis.policy.policy import DEFAULT_POLICY
from analysis.verdicts.deciding import decide
from analysis.verdicts.words import IMPROVEMENT, REGRESSION

KEYS = ("app", "interaction", "interaction_type", "metric", "n")
METHODS = ("verdict", "rank_only")


def judge_both(samples: pd.DataFrame) -> pd.DataFrame:
    """Return one row per pair with the columns of ``decide`` and, per method, whether it says "regression".

    ``rank_only`` is the paper's baseline: a one-sided rank test at α, without a perceptual threshold.
    """
    rows = decide(samples, keys=KEYS)
    slower = (rows["p_value"] < DEFAULT_POLICY.alpha) & (rows["cliffs_delta"] > 0)
    return rows.assign(is_verdict=rows["verdict"] == REGRESSION, is_rank_only=slower)


def scores(rows: pd.DataFrame, truth: pd.Series) -> dict[str, float]:
    """Return pairs, and per method precision, recall and F1 in 0 … 1; missing where nothing was to be found."""
    found: dict[str, float] = {"pairs": len(rows), "true": int(truth.sum())}
    for method in METHODS:
        said = rows[f"is_{method}"]
        right = int((said & truth).sum())
        precision = right / said.sum() if said.any() else np.nan
        recall = right / truth.sum() if truth.any() else np.nan
        f1 = 2 * precision * recall / (precision + recall) if right else np.nan
        found |= {f"{method} P": precision, f"{method} R": recall, f"{method} F1": f1}
    return found


def alarms(rows: pd.DataFrame) -> dict[str, float]:
    """Return per method the share of pairs without a change that were called a regression, in percent.

    The verdict's improvements count as half: either order of an A/A pair is as likely, so both tails are averaged.
    """
    slower = rows["p_value"] < DEFAULT_POLICY.alpha
    either = rows["verdict"].isin([REGRESSION, IMPROVEMENT])
    return {
        "pairs": len(rows),
        "verdict alarms %": 50.0 * either.mean(),
        "rank_only alarms %": 50.0 * slower.mean(),
        "Δ > θ alone %": 50.0 * (rows["times_threshold"] > 1).mean(),
    }
