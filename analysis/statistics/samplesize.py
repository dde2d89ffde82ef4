"""How many more runs a verdict would need."""

import math
from functools import lru_cache

from scipy.special import ndtri

from analysis.statistics.exact import LEAST_P, smallest_p

POWER = 0.8
MOST_RUNS = 200  # nobody records more runs than this for one interaction; beyond it the answer is "unknown"


@lru_cache(maxsize=4096)
def runs_to_be_able(n_base: int, n_new: int, *, alpha: float, min_runs: int) -> int:
    """Return how many more runs per side are needed before the test can say anything at all at ``alpha``.

    At least as many as ``min_runs`` asks for. Beyond that, a further run on each side halves the smallest p at
    least: log₂(1 / α) steps are enough.
    """
    more = max(0, max(min_runs, 1) - min(n_base, n_new))
    while LEAST_P < smallest_p(n_base + more, n_new + more) >= alpha:
        more += 1
    return more


def can_say(n_base: int, n_new: int, *, alpha: float, min_runs: int) -> bool:
    """Tell whether these sizes reach ``min_runs`` and can give a p below ``alpha``."""
    return min(n_base, n_new) >= max(min_runs, 1) and smallest_p(n_base, n_new) < alpha


def runs_to_be_sure(n_base: int, n_new: int, cliffs_delta: float, *, alpha: float) -> int | None:
    """Return how many more runs per side would show an effect of this size with 80 % power; None: too many.

    Noether (1987) for equal sides: n = 2 (z_α + z_power)² / (3 δ²), as P(new > base) − ½ = δ / 2.
    """
    if cliffs_delta == 0.0:
        return None
    z = float(ndtri(1.0 - alpha) + ndtri(POWER))
    wanted = math.ceil(2.0 * z * z / (3.0 * cliffs_delta**2))
    more = max(1, wanted - min(n_base, n_new))
    return more if more <= MOST_RUNS else None
