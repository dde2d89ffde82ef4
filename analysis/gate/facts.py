"""What the results of two versions say to the gate: how many interactions were decided, and which regressed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import pandas as pd

from analysis.gate.waivers import Regression, Waiver, is_serious, waived_by
from analysis.policy.policy import GateRules
from analysis.verdicts.risk import worst_first
from analysis.verdicts.words import MORE_RUNS_NEEDED, REGRESSION

INTERACTION = ["app", "interaction"]
Place = tuple[str, str]  # app, interaction


@dataclass(frozen=True)
class GateFacts:
    """What a decision takes from the results. Counts are of interactions; regressions come worst first."""

    regressions: tuple[Regression, ...] = ()
    decided: int = 0
    expected: int = 0  # interactions of the baseline, missing ones included
    missing: int = 0


def gate_facts(results: pd.DataFrame, rules: GateRules, *, missing: Collection[Place] = ()) -> GateFacts:
    """Count the interactions (decided: enough runs, or a regression all the same) and list the regressions."""
    regressed = results["verdict"] == REGRESSION
    enough = results[["n_base", "n_new"]].min(axis=1) >= rules.min_runs
    decided = regressed | (enough & (results["verdict"] != MORE_RUNS_NEEDED))
    by_interaction = results[INTERACTION].assign(decided=decided).groupby(INTERACTION)["decided"].any()
    gone = len(set(missing))
    return GateFacts(
        regressions=tuple(regression_rows(worst_first(results[regressed]), rules.second_approver_from)),
        decided=int(by_interaction.sum()),
        expected=len(by_interaction) + gone,
        missing=gone,
    )


def regression_rows(rows: pd.DataFrame, second_approver_from: float | None) -> Iterable[Regression]:
    """Return these result rows as waivers look at them; an app without a name goes by its key."""
    names = rows["app_name"] if "app_name" in rows else rows["app"]
    kinds = rows["interaction_type"] if "interaction_type" in rows else [""] * len(rows)
    serious = [is_serious(times, second_approver_from) for times in rows["times_threshold"].astype(float)]
    deltas = rows["delta"].astype(float)
    return map(Regression, rows["app"], names, rows["interaction"], kinds, rows["metric"], deltas, serious)


@dataclass(frozen=True)
class Tally:
    """Regressed interactions: whether any row of each is not waived, and the names of their apps."""

    still_open: Mapping[Place, bool] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def regressed(self) -> int:
        """How many are not waived."""
        return sum(self.still_open.values())

    @property
    def waived(self) -> int:
        """How many are waived."""
        return len(self.still_open) - self.regressed

    def open_places(self, critical: Collection[str]) -> list[Place]:
        """Return those of critical apps that are not waived."""
        return [place for place, is_open in self.still_open.items() if is_open and place[0] in critical]

    def open_apps(self, critical: Collection[str]) -> tuple[str, ...]:
        """Return the names of critical apps with one that is not waived."""
        return tuple(sorted({self.names[app] for app, _ in self.open_places(critical)}))

    def waived_apps(self, critical: Collection[str]) -> tuple[str, ...]:
        """Return the names of critical apps of which all are waived."""
        hit = {app for app, _ in self.still_open if app in critical}
        return tuple(sorted(self.names[app] for app in hit - {app for app, _ in self.open_places(critical)}))


def tally(facts: GateFacts, waivers: Sequence[Waiver], today: date) -> Tally:
    """Count the regressed interactions as waivers leave them on a day."""
    rows = facts.regressions
    found: dict[Place, bool] = {}
    for row, excuse in zip(rows, waived_by(rows, waivers, today=today), strict=True):
        place = row.app, row.interaction
        found[place] = found.get(place, False) or excuse < 0
    return Tally(found, {row.app: row.app_name for row in rows})


def percent(part: int, whole: int) -> float | None:
    """Return a share in percent, None of nothing."""
    return 100.0 * part / whole if whole else None
