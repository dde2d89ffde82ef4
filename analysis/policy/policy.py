"""The policy: everything about a verdict that people may choose."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from analysis.metrics.benchmarks import may_be_negative
from analysis.policy.checks import (
    ALPHA,
    EFFECT,
    INTERACTIONS,
    RUNS,
    SAVED,
    SHARE,
    STEP,
    Bound,
    PolicyError,
    need_list,
    need_text,
    told,
)
from analysis.policy.thresholds import ANY_METRIC, Override, Threshold

MappingOf = Mapping[str, Threshold]
# Sources: the product's own defaults (docs/verdicts.md says why each).
DEFAULT_THRESHOLDS: MappingOf = MappingProxyType(
    {
        "response_time_ms": Threshold(50, 20, "touch latency is felt from about 50 ms on"),
        "finish_time_ms": Threshold(100, 10, "a wait is felt as longer from about 100 ms on"),
        "launch_time_ms": Threshold(150, 10, "people expect a launch to take a moment"),
        "dropped_frames": Threshold(3, 0, "one or two lost frames are not seen as a stutter"),
        "outcome": Threshold(10, 0, "one run in ten without an answer"),
        ANY_METRIC: Threshold(0, 10, "a tenth, for a metric without a threshold of its own"),
    }
)
# What stands in for a threshold where a part of the median means nothing: that of a metric without a natural zero.
_WITHOUT_ZERO = Threshold(4, 0, "half a refresh at 120 Hz; before or after its deadline, a part of it says nothing")
DEFAULT_LADDER = (("Minor", 1.0), ("Noticeable", 2.0), ("Severe", 4.0))
BOUNDS: Mapping[str, Bound] = {"alpha": ALPHA, "min_effect": EFFECT, "min_runs": RUNS, "version": SAVED}
GATE_BOUNDS: Mapping[str, Bound] = {
    "budget_pct": SHARE, "critical_budget": INTERACTIONS, "min_runs": RUNS, "min_coverage_pct": SHARE,
    "second_approver_from": STEP, "drift_budget_pct": SHARE, "drift_critical_budget": INTERACTIONS,
}  # fmt: skip
_MAY_BE_NONE = ("second_approver_from", "drift_budget_pct")
NAME_LENGTH, WORD_LENGTH = 80, 40  # as wide as a page's heading, and as a label of the ranking, can be
MOST_STEPS, MOST_METRICS, MOST_OVERRIDES = 12, 100, 300  # rows that a person can still survey in the editor


@dataclass(frozen=True)
class GateRules:
    """What the release gate tolerates."""

    budget_pct: float = 2.0  # share of the compared interactions that may regress
    critical_budget: int = 0  # interactions of critical apps that may regress
    min_runs: int = 5  # usable runs on each side below which an interaction counts as not covered
    min_coverage_pct: float = 90.0  # share of the baseline's interactions that must be decided
    second_approver_from: float | None = 4.0  # multiples of θ past which a waiver takes two people; None: never
    drift_budget_pct: float | None = None  # share that may regress against the pinned version; None: not asked
    drift_critical_budget: int = 0  # interactions of critical apps that may have, where it is asked

    def __post_init__(self) -> None:
        for name, bound in GATE_BOUNDS.items():
            value = getattr(self, name)
            if value is not None or name not in _MAY_BE_NONE:
                bound.check(f"gate.{name}", value)


COUNT, LEAVE_OUT = "count", "leave_out"
DOUBTFUL_CHOICES = (COUNT, LEAVE_OUT)


@dataclass(frozen=True)
class MeasuringRules:
    """What becomes of values that measuring itself doubts."""

    doubtful: str = COUNT  # a response or finish with another good candidate, until a person settles it

    def __post_init__(self) -> None:
        if self.doubtful not in DOUBTFUL_CHOICES:
            known = " or ".join(DOUBTFUL_CHOICES)
            raise PolicyError(f"measuring.doubtful: {told(self.doubtful)} is unknown; choose {known}")

    @property
    def leaves_out(self) -> bool:
        """Whether doubtful values do not count."""
        return self.doubtful == LEAVE_OUT


@dataclass(frozen=True)
class Policy:
    """All that decides a verdict besides the data. Frozen: a changed policy is another policy.

    ``min_effect`` is the least |Cliff's delta| that counts as a difference, ``ladder`` the severities with the
    multiple of θ above which each begins. ``version`` counts how often the policy of this name was saved; 0 is the
    built-in one.
    """

    name: str = "default"
    version: int = 0
    alpha: float = 0.05
    min_effect: float = 0.0
    min_runs: int = 3
    thresholds: MappingOf = field(default_factory=lambda: DEFAULT_THRESHOLDS)
    overrides: tuple[Override, ...] = ()
    ladder: tuple[tuple[str, float], ...] = DEFAULT_LADDER
    gate: GateRules = field(default_factory=GateRules)
    measuring: MeasuringRules = field(default_factory=MeasuringRules)

    def __post_init__(self) -> None:
        need_text("name", self.name, most=NAME_LENGTH, empty="give the policy a name")
        for name, bound in BOUNDS.items():
            bound.check(name, getattr(self, name))
        need_list("thresholds", list(self.thresholds), most=MOST_METRICS)
        for metric in self.thresholds:
            need_text("thresholds", metric, most=NAME_LENGTH, empty="name the metric of each, or * for all others")
        if ANY_METRIC not in self.thresholds:
            raise PolicyError("thresholds: * is missing; add the threshold for metrics that are not named")
        self._check_ladder()
        self._check_overrides()
        object.__setattr__(self, "thresholds", MappingProxyType(dict(self.thresholds)))

    def _check_ladder(self) -> None:
        need_list("ladder", self.ladder, most=MOST_STEPS)
        steps = [step for _, step in self.ladder]
        for place, (word, step) in enumerate(self.ladder):
            need_text(f"ladder.{place}.word", word, most=WORD_LENGTH)
            STEP.check(f"ladder.{place}.step", step)
        if not steps or steps[0] != 1.0:
            raise PolicyError("ladder: the first step must be 1: every regression needs a severity")
        if any(high <= low for low, high in pairwise(steps)):
            raise PolicyError(f"ladder: the steps {steps} must rise; put them in order without repeats")
        if len({word for word, _ in self.ladder}) < len(steps) or not all(word for word, _ in self.ladder):
            raise PolicyError("ladder: each step needs a word of its own")

    def _check_overrides(self) -> None:
        need_list("overrides", self.overrides, most=MOST_OVERRIDES)
        for place, times in Counter(override.place for override in self.overrides).items():
            if times > 1:
                where = ", ".join(part for part in place if part)
                raise PolicyError(f"overrides: two of them name {where}; keep one")

    def threshold(self, *, app: str, interaction_type: str, metric: str) -> Threshold:
        """Return the θ that applies: the most specific override, else the metric's own, else the one for all."""
        fitting = [
            override
            for override in self.overrides
            if override.fits(app=app, interaction_type=interaction_type, metric=metric)
        ]
        if fitting:
            return max(fitting, key=lambda override: override.precedence).threshold
        if metric not in self.thresholds and may_be_negative(metric):
            return _WITHOUT_ZERO
        return self.thresholds.get(metric, self.thresholds[ANY_METRIC])


DEFAULT_POLICY = Policy()
