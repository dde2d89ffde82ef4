"""Waivers: regressions that someone has accepted, up to ceilings and until a day."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import signed_text

Ceilings = Mapping[str, float | None]
EVERYTHING: Ceilings = MappingProxyType({})


class Regression(NamedTuple):
    """One regressed result, as far as the gate and its waivers look at it. ``delta`` in the metric's unit.

    ``serious`` says that it is so far past θ that a waiver takes it out only when a second person has approved it.
    """

    app: str
    app_name: str
    interaction: str
    interaction_type: str
    metric: str
    delta: float
    serious: bool = False


def is_serious(times_threshold: float | None, second_approver_from: float | None) -> bool:
    """Tell whether a regression of so many θ asks for a second approver; None asks for none, whatever it is."""
    if second_approver_from is None or times_threshold is None:
        return False
    return times_threshold >= second_approver_from


@dataclass(frozen=True)
class Waiver:
    """Accept a regression of one app, or of one of its interactions.

    ``ceilings`` names the accepted metrics, each with the largest accepted delta in its unit (None: any delta);
    without any, every metric and any delta is accepted. ``expires`` is the last day on which it holds. ``seconded``
    says that another person than the first approver agrees, ``second`` who, where that is known.
    """

    app: str
    expires: date
    reason: str
    approver: str
    interaction: str | None = None
    ceilings: Ceilings = field(default_factory=lambda: EVERYTHING)
    issue_url: str = ""
    key: int | None = None
    seconded: bool = False
    second: str = ""

    @property
    def approvers(self) -> str:
        """Who accepts it: one person or two."""
        return f"{self.approver} and {self.second}" if self.second else self.approver

    def holds(self, today: date) -> bool:
        """Tell whether it has not expired."""
        return today <= self.expires

    def about(self, row: Regression) -> bool:
        """Tell whether this waiver speaks about a regression, whatever its delta."""
        return (
            row.app == self.app
            and self.interaction in (None, row.interaction)
            and (not self.ceilings or row.metric in self.ceilings)
        )

    def within(self, row: Regression) -> bool:
        """Tell whether a regression is one that this waiver speaks about, and no larger than it accepts."""
        if not self.about(row):
            return False
        ceiling = self.ceilings.get(row.metric)
        return ceiling is None or row.delta <= ceiling

    def waits_for(self, row: Regression) -> bool:
        """Tell whether a regression counts only because no second person has approved this waiver."""
        return row.serious and not self.seconded and self.within(row)

    def covers(self, row: Regression) -> bool:
        """Tell whether this waiver accepts a regression, and enough people this waiver."""
        return self.within(row) and not self.waits_for(row)


def waived_by(rows: Sequence[Regression], waivers: Sequence[Waiver], *, today: date) -> list[int]:
    """Return for each regression the position of the first waiver in force that accepts it, −1 for none."""
    by_app: dict[str, list[tuple[int, Waiver]]] = {}
    for place, waiver in enumerate(waivers):
        if waiver.holds(today):
            by_app.setdefault(waiver.app, []).append((place, waiver))
    return [next((place for place, waiver in by_app.get(row.app, ()) if waiver.covers(row)), -1) for row in rows]


def ceiling_for(delta: float, metric: str) -> float:
    """Return the ceiling to offer for a regression: its delta, rounded up to the unit in which it is shown."""
    scale = 10.0 ** metric_unit(metric)[1]
    return math.ceil(delta * scale) / scale


def ceilings_text(ceilings: Ceilings) -> str:
    """Say what is accepted: ``Response time up to +777 ms, Finish time``; ``every metric`` where none is named."""
    return ", ".join(_ceiling_text(*item) for item in ceilings.items()) or "every metric"


def _ceiling_text(metric: str, ceiling: float | None) -> str:
    if ceiling is None:
        return metric_label(metric)
    unit, decimals = metric_unit(metric)
    return f"{metric_label(metric)} up to {signed_text(ceiling, max(decimals, 1))} {unit}".strip()
