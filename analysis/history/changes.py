"""What became of a course over many versions: regressions, digressions that went away, improvements, drift."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.history.steps import change_points
from analysis.policy.policy import Policy
from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.deciding import decide
from analysis.verdicts.words import IMPROVEMENT, REGRESSION

DIGRESSION, DRIFT = "digression", "drift"
KINDS = (REGRESSION, DRIFT, DIGRESSION, IMPROVEMENT)
NEAR = 5  # versions on either side of a step that it is judged by: levels further away may be others
AWAY = 5  # versions after which a level that comes back is no digression any more
Runs = Sequence[NDArray[np.float64]]


@dataclass(frozen=True)
class Subject:
    """What a course is about: what the thresholds of a policy go by. ``app`` is the package."""

    app: str
    interaction_type: str
    metric: str


@dataclass(frozen=True)
class Change:
    """A change that people feel. ``at`` is the place of the first version of the new level.

    ``back`` is that of the first version of the old level again, for a digression alone. ``delta`` is in the
    metric's unit, ``times`` in multiples of θ; both have the sign of the move.
    """

    kind: str
    at: int
    delta: float
    times: float
    severity: str | None = None
    back: int | None = None


def find_changes(runs: Runs, subject: Subject, policy: Policy) -> list[Change]:
    """Find the steps of a course and judge each by the rule of verdicts, on the runs of the versions around it.

    Parameters
    ----------
    runs
        The values of each version in its order, shapes (n,), each with one value at least.
    subject, policy
        What the course is about, and the policy that judges it.

    Returns
    -------
    list
        The changes that people feel, in their order. A regression whose level comes back to what it was, within θ
        and ``AWAY`` versions, is one digression, and its way back is no improvement.

    """
    places = change_points([np.median(values) for values in runs])
    if not places:
        return []
    judged = _judge(runs, places, subject, policy)
    found: list[Change] = []
    for place, row in judged:
        last = found[-1] if found else None
        if (
            row["verdict"] == IMPROVEMENT
            and last
            and last.kind == REGRESSION
            and _came_back(runs, last, place, row)
        ):
            found[-1] = Change(DIGRESSION, last.at, last.delta, last.times, last.severity, back=place)
        elif row["verdict"] in (REGRESSION, IMPROVEMENT):
            sign = 1.0 if row["delta"] > 0 else -1.0
            times = sign * row["times_threshold"]
            found.append(Change(row["verdict"], place, row["delta"], times, row["severity"]))
    return found


def drift_since(medians: Sequence[float], pin: int, subject: Subject, policy: Policy) -> tuple[float, float]:
    """Return how far the last level is from the pinned version's, in the metric's unit and in multiples of θ.

    Whether that is a drift depends on what happened since: it is one where no single change was felt.
    """
    rule = policy.threshold(app=subject.app, interaction_type=subject.interaction_type, metric=subject.metric)
    delta = medians[-1] - medians[pin]
    return delta, delta / float(rule.at(np.array([medians[pin]]))[0])


def _judge(runs: Runs, places: Sequence[int], subject: Subject, policy: Policy) -> list[tuple[int, dict[Any, Any]]]:
    """Return the verdict's row of each step: the versions near it, up to the steps beside it, pooled."""
    ends = [0, *places, len(runs)]
    tables = []
    for (first, place), (_, last) in pairwise(pairwise(ends)):
        base = np.concatenate(runs[max(first, place - NEAR) : place])
        new = np.concatenate(runs[place : min(last, place + NEAR)])
        side = [BASE] * len(base) + [NEW] * len(new)
        tables.append(pd.DataFrame({"place": place, "side": side, "value": np.concatenate([base, new])}))
    samples = pd.concat(tables, ignore_index=True)
    samples = samples.assign(app=subject.app, interaction_type=subject.interaction_type, metric=subject.metric)
    rows = decide(samples, policy, keys=("app", "interaction_type", "metric", "place"))
    return [(int(row["place"]), row) for row in rows.to_dict("records")]


def _came_back(runs: Runs, change: Change, place: int, row: dict[Any, Any]) -> bool:
    """Tell whether the level from ``place`` on is, within θ, what it was before a change."""
    old = np.median(np.concatenate(runs[max(0, change.at - NEAR) : change.at]))
    new = np.median(np.concatenate(runs[place : place + NEAR]))
    theta = change.delta / change.times
    return place - change.at <= AWAY and abs(float(new - old)) <= theta
