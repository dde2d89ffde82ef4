"""Slow, obvious twins of the statistics: pairs counted one by one, permutations listed one by one."""

from itertools import combinations
from statistics import median


def cliffs_delta(base, new):
    above = sum(b > a for a in base for b in new)
    below = sum(b < a for a in base for b in new)
    return (above - below) / (len(base) * len(new))


def u_statistic(base, new):
    return sum((b > a) + 0.5 * (b == a) for a in base for b in new)


def permutation_p(base, new):
    """One-sided p (new larger): the share of all splits of the pooled values with a U at least as large."""
    pooled = [*base, *new]
    observed = u_statistic(base, new)
    splits = [set(chosen) for chosen in combinations(range(len(pooled)), len(new))]
    extreme = 0
    for chosen in splits:
        left = [value for at, value in enumerate(pooled) if at not in chosen]
        right = [pooled[at] for at in chosen]
        extreme += u_statistic(left, right) >= observed
    return extreme / len(splits)


def q_values(p_values):
    """Benjamini–Hochberg by its definition: the least level at which each hypothesis is rejected."""
    m = len(p_values)
    ordered = sorted(p_values)
    return [min(min(1.0, ordered[k] * m / (k + 1)) for k in range(m) if ordered[k] >= p) for p in p_values]


def verdict(base, new, p_greater, p_less, *, alpha, absolute, relative_pct, smallest):
    """DESIGN's rule, read aloud."""
    theta = max(absolute, relative_pct / 100 * median(base))
    delta = median(new) - median(base)
    if smallest >= alpha:
        return "more_runs_needed"
    if p_greater < alpha and delta > theta:
        return "regression"
    if p_less < alpha and -delta > theta:
        return "improvement"
    if p_greater < alpha or p_less < alpha:
        return "imperceptible"
    return "no_change"


def rank_sum_ways(few, many):
    """Count, for every U, in how many ways `few` can be chosen so; whole numbers, by Gauss's binomial."""
    ways = [1] + [0] * (few * many)
    for i in range(1, few + 1):
        for u in range(few * many, many + i - 1, -1):
            ways[u] -= ways[u - many - i]
        for u in range(i, few * many + 1):
            ways[u] += ways[u - i]
    return ways
