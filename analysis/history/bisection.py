"""Find the build that made an interaction slower: what to test next, how often, and what is known so far.

Nothing is remembered between two calls: where a bisection stands follows from the runs and the skipped builds
alone. So runs may come in any order and number, of any build, and a build is seen as all of its runs show it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.history.changes import Subject
from analysis.policy.policy import Policy
from analysis.statistics.samplesize import MOST_RUNS, runs_to_be_able, runs_to_be_sure
from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.deciding import decide
from analysis.verdicts.words import MORE_RUNS_NEEDED, REGRESSION

GOOD, BAD, DOUBTFUL, UNDECIDABLE = "good", "bad", "doubtful", "undecidable"
REFUSED, OPEN, FOUND, RANGE = "refused", "open", "found", "range"
END, FIRST, DOUBT, CONFIRM = "end", "first", "doubt", "confirm"

LEAST = 5  # runs of a build: a median of fewer says little
LOOKS = 4  # times the runs of one look that a doubtful build is given at most
MOST_AT_ENDS = 80  # runs; a regression that so many do not show is none to search for
SURE = 2  # times the runs of one look that the ends are given, and the two builds that the answer rests on
Values = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Step:
    """How one build compares with a later one: as ``decide`` says it, in the metric's unit."""

    n_base: int
    n_new: int
    median_base: float
    median_new: float
    delta: float
    threshold: float
    verdict: str
    p_value: float
    cliffs_delta: float
    ci_low: float  # 95 % of delta
    ci_high: float

    @property
    def felt(self) -> bool:
        """Whether people feel the later one to be slower."""
        return self.verdict == REGRESSION

    def rises(self, alpha: float) -> bool:
        """Tell whether the later one is slower beyond doubt, felt or not."""
        return self.cliffs_delta > 0 and self.p_value < alpha


@dataclass(frozen=True)
class Asked:
    """What to measure next: how many more runs of which build, and why (END, FIRST, DOUBT or CONFIRM)."""

    build: str
    runs: int
    why: str


@dataclass(frozen=True)
class Standing:
    """Where a bisection stands.

    ``whole`` compares the good with the bad build. ``judged`` holds what is known of the builds between them,
    ``last_good`` and ``first_bad`` are places in ``builds``. ``state`` is REFUSED where the two do not differ by
    what people feel, OPEN while something is ``asked``, FOUND where ``first_bad`` is the answer, RANGE where
    ``suspects`` is all that can be said. ``step`` compares good with the first bad build, ``own`` the build before
    it with it, ``rest`` it with the bad one: a step of its own that is felt as well is one more culprit.
    """

    builds: tuple[str, ...]
    state: str
    whole: Step
    runs_each: int = 0
    judged: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()
    last_good: int = 0
    first_bad: int = 0
    step: Step | None = None
    own: Step | None = None
    rest: Step | None = None

    @property
    def suspects(self) -> tuple[str, ...]:
        """The builds of which one is the first bad one."""
        return self.builds[self.last_good + 1 : self.first_bad + 1]

    @property
    def good_again(self) -> tuple[str, ...]:
        """Builds after the first bad one that are like the good one."""
        return tuple(name for name in self.builds[self.first_bad + 1 :] if self.judged.get(name) == GOOD)


def standing(
    builds: Sequence[str],
    runs: Mapping[str, ArrayLike],
    subject: Subject,
    policy: Policy,
    *,
    skipped: Collection[str] = (),
) -> Standing:
    """Return where a bisection stands.

    A build is like the bad one if people feel it to be slower than the good one and do not feel the bad one to be
    slower than it, like the good one the other way round, and its median is nearer to that one's. Where both are
    felt it lies between two steps; where neither is, what is significant decides. A build that is doubtful even
    with all the runs that it gets is bad if it is surely past θ of the good one, as searched is the first build
    that is felt against it, good if it is surely within θ, and else undecidable. Where the first bad build is not
    slower beyond doubt than the one before it, the answer is a range: the climb may be spread over several.

    Parameters
    ----------
    builds
        All builds in their order, the good one first and the bad one last.
    runs
        The values of each build that was measured, shape (n,), in the metric's unit.
    subject, policy
        What is measured, and the policy that judges it.
    skipped
        Builds that cannot be tested, or are not to be.

    Raises
    ------
    ValueError
        There is no line: fewer than two builds, or one of them twice; or an end is skipped.

    """
    names = tuple(builds)
    _check(names, skipped)
    values = {name: np.asarray(runs.get(name, ()), dtype=float) for name in names}
    good, bad = values[names[0]], values[names[-1]]
    known = [name for name in names[1:-1] if len(values[name]) and name not in skipped]
    pairs = [(good, bad), *((good, values[name]) for name in known), *((values[name], bad) for name in known)]
    whole, *steps = _steps(pairs, subject, policy)  # in one call: a table costs the same for one pair as for many
    each = _runs_each(whole, policy) if whole.felt else 0
    found = Standing(names, OPEN, whole, runs_each=each, first_bad=len(names) - 1)
    ends = _runs_at_ends(whole, each, min(len(good), len(bad)))
    if ends is None:
        return replace(found, state=REFUSED)
    two = (names[0], names[-1])
    short = tuple(Asked(name, ends - len(values[name]), END) for name in two if len(values[name]) < ends)
    if short:
        return replace(found, asked=short)
    sides = zip(known, steps[: len(known)], steps[len(known) :], strict=True)
    judged = {
        name: _word(from_good, to_bad, policy.alpha, last=from_good.n_new >= LOOKS * each)
        for name, from_good, to_bad in sides
        if from_good.n_new >= each
    }
    return _search(replace(found, judged=judged), values, frozenset(skipped), subject, policy)


def _check(names: Sequence[str], skipped: Collection[str]) -> None:
    if len(names) < 2:
        raise ValueError("a bisection takes a good build and a later bad one")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]} stands in the line twice; give each build one place")
    for name in (names[0], names[-1]):
        if name in skipped:
            raise ValueError(f"{name} is an end of the bisection and cannot be skipped; begin one with another end")


def _runs_at_ends(whole: Step, each: int, fewer: int) -> int | None:
    """Return how many runs of either end are wanted; None where the two do not differ by what people feel."""
    if whole.felt:
        return SURE * max(LEAST, each)
    if fewer < SURE * LEAST:
        return SURE * LEAST
    if not whole.ci_high < whole.threshold and fewer < MOST_AT_ENDS:
        return min(2 * fewer, MOST_AT_ENDS)
    return None


def _runs_each(whole: Step, policy: Policy) -> int:
    """Return how many runs tell the good build from the bad one with 80 % power: those of one look at a build."""
    able = runs_to_be_able(0, 0, alpha=policy.alpha, min_runs=policy.min_runs)
    wanted = runs_to_be_sure(0, 0, whole.cliffs_delta, alpha=policy.alpha)
    return max(LEAST, able, wanted or MOST_RUNS)


def _search(found: Standing, values: Values, skipped: frozenset[str], subject: Subject, policy: Policy) -> Standing:
    names, each, judged = found.builds, found.runs_each, found.judged
    first_bad = next((at for at, name in enumerate(names) if judged.get(name) == BAD), len(names) - 1)
    last_good = max((at for at in range(first_bad) if judged.get(names[at]) == GOOD), default=0)
    found = replace(found, last_good=last_good, first_bad=first_bad)
    closed = skipped.union(name for name, word in judged.items() if word == UNDECIDABLE)
    left = [at for at in range(last_good + 1, first_bad) if names[at] not in closed]
    if left:
        build = names[min(left, key=lambda at: abs(2 * at - last_good - first_bad))]
        have = len(values[build])
        return replace(found, asked=(_top_up(build, have, each, DOUBT if have >= each else FIRST),))
    good, before, first, bad = (values[names[at]] for at in (0, last_good, first_bad, -1))
    step, own, rest = _steps([(good, first), (before, first), (first, bad)], subject, policy)
    looks = SURE if own.rises(policy.alpha) or first_bad > last_good + 1 else LOOKS
    rests_on = [names[at] for at in (last_good, first_bad) if 0 < at < len(names) - 1]
    thin = [
        _top_up(name, len(values[name]), each, CONFIRM) for name in rests_on if len(values[name]) < looks * each
    ]
    if thin:
        return replace(found, asked=tuple(thin))
    found = replace(found, step=step, own=own, rest=None if first_bad == len(names) - 1 else rest)
    if first_bad > last_good + 1:
        return replace(found, state=RANGE, own=None)
    return replace(found, state=FOUND) if own.rises(policy.alpha) else _widened(found, values, subject, policy)


def _top_up(name: str, have: int, each: int, why: str) -> Asked:
    """Ask for the runs up to the next look: whole multiples of one look."""
    return Asked(name, each - have % each, why)


def _widened(found: Standing, values: Values, subject: Subject, policy: Policy) -> Standing:
    """Return the range around a first bad build that is not slower than the build before it beyond doubt.

    It begins after the nearest good build that people feel it to be slower than, and ends with the nearest bad one
    that they feel to be slower than the last good one.
    """
    names, last = found.builds, len(found.builds) - 1
    good = [at for at in range(found.last_good, 0, -1) if found.judged.get(names[at]) == GOOD]
    bad = [at for at in range(found.first_bad, last) if found.judged.get(names[at]) == BAD]
    low, high = values[names[found.last_good]], values[names[found.first_bad]]
    before = _steps([(values[names[at]], high) for at in good], subject, policy)
    after = _steps([(low, values[names[at]]) for at in bad], subject, policy)
    last_good = next((at for at, step in zip(good, before, strict=True) if step.felt), 0)
    first_bad = next((at for at, step in zip(bad, after, strict=True) if step.felt), last)
    return replace(found, state=RANGE, last_good=last_good, first_bad=first_bad)


def _word(from_good: Step, to_bad: Step, alpha: float, *, last: bool) -> str:
    """Judge a build; ``last``: it has had all the looks that it gets."""
    nearer = BAD if from_good.delta > to_bad.delta else GOOD
    for from_it, to_it in ((from_good.felt, to_bad.felt), (from_good.rises(alpha), to_bad.rises(alpha))):
        if from_it != to_it:
            word = BAD if from_it else GOOD
            if word == nearer:
                return word
            break
    if not last:
        return DOUBTFUL
    if from_good.ci_low > from_good.threshold:
        return BAD
    return GOOD if from_good.ci_high < from_good.threshold else UNDECIDABLE


def _steps(
    pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], subject: Subject, policy: Policy
) -> list[Step]:
    """Return how the two sides of each pair compare."""
    if not pairs:
        return []
    places, sides, samples = [], [], []
    for place, (base, new) in enumerate(pairs):
        places.append(np.full(len(base) + len(new), place))
        sides += [BASE] * len(base) + [NEW] * len(new)
        samples += [base, new]
    table = pd.DataFrame({"place": np.concatenate(places), "side": sides, "value": np.concatenate(samples)})
    table = table.assign(app=subject.app, interaction_type=subject.interaction_type, metric=subject.metric)
    rows = decide(table, policy, keys=("app", "interaction_type", "metric", "place")).to_dict("records")
    by_place = {row["place"]: _step(row) for row in rows}
    return [by_place.get(place, _NOTHING) for place in range(len(pairs))]


def _step(row: Mapping[Any, Any]) -> Step:
    names = ("n_base", "n_new", "median_base", "median_new", "delta", "threshold", "verdict")
    return Step(*(row[name] for name in (*names, "p_value", "cliffs_delta", "ci_low", "ci_high")))


_NAN = float("nan")
_NOTHING = Step(0, 0, _NAN, _NAN, _NAN, _NAN, MORE_RUNS_NEEDED, _NAN, _NAN, _NAN, _NAN)
