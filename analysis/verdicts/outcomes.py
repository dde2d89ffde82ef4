"""Tell whether runs without an answer became more frequent."""

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.verdicts.judging import judge
from analysis.verdicts.words import NO_CHANGE

OUTCOME_METRIC = "outcome"  # values are percent of the runs
CENSORED = ("no_response", "never_settles")  # judged, but without a time: not to be dropped in silence


def decide_outcomes(counts: pd.DataFrame, policy: Policy = DEFAULT_POLICY) -> pd.DataFrame:
    """Compare how many runs had no answer, and return the rows in which that share changed significantly.

    ``counts`` has the key columns, n_base, n_new (judged runs) and censored_base, censored_new (those of them
    without an answer). The rows returned look like those of ``decide``: metric is "outcome", median_base and
    median_new are the shares in percent, delta their difference in percentage points, p_value Fisher's exact
    one-sided p; there is no interval, and no q as most pairs have no such row.
    """
    rows = counts.assign(
        metric=OUTCOME_METRIC,
        median_base=_share(counts["censored_base"], counts["n_base"]),
        median_new=_share(counts["censored_new"], counts["n_new"]),
        ci_low=np.nan,
        ci_high=np.nan,
        p_value=fisher_p(counts),
    )
    rows["cliffs_delta"] = (rows["median_new"] - rows["median_base"]) / 100.0  # Cliff's delta of a 0/1 outcome
    judged = judge(rows, policy).assign(delta_pct=np.nan, q_value=np.nan, runs_needed=0)
    changed = (judged["p_value"] < policy.alpha) & (judged["verdict"] != NO_CHANGE)
    return judged[changed].drop(columns=["censored_base", "censored_new"]).reset_index(drop=True)


def fisher_p(counts: pd.DataFrame) -> NDArray[np.float64]:
    """Return Fisher's exact one-sided p towards the side with the larger share, shape (rows,)."""
    n_base, n_new = counts["n_base"].to_numpy(), counts["n_new"].to_numpy()
    on_base, on_new = counts["censored_base"].to_numpy(), counts["censored_new"].to_numpy()
    law = n_base + n_new, on_base + on_new, n_new  # to freeze a distribution takes longer than to ask it
    hypergeom = scipy.stats.hypergeom
    more, fewer = hypergeom.sf(on_new - 1, *law), hypergeom.cdf(on_new, *law)
    p: NDArray[np.float64] = np.where(on_new * n_base >= on_base * n_new, more, fewer)
    return p


def _share(part: pd.Series, whole: pd.Series) -> pd.Series:
    return 100.0 * part / whole.where(whole > 0)
