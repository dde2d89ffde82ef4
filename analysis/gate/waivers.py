"""Waivers: regressions that someone has accepted, up to a ceiling and until a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd

from analysis.verdicts.words import REGRESSION


@dataclass(frozen=True)
class Waiver:
    """Accept a regression of one app, or of one of its interactions, and of one metric or all.

    ``ceiling`` is the largest accepted delta in the metric's unit; without one any delta is accepted.
    ``expires`` is the last day on which it holds.
    """

    app: str
    expires: date
    reason: str
    approver: str
    interaction: str | None = None
    metric: str | None = None
    ceiling: float | None = None
    issue_url: str = ""
    key: int | None = None

    def holds(self, today: date) -> bool:
        """Tell whether it has not expired."""
        return today <= self.expires

    def about(self, rows: pd.DataFrame) -> pd.Series:
        """Tell for each row whether this waiver speaks about it, whatever its delta."""
        fits = rows["app"] == self.app
        if self.interaction is not None:
            fits &= rows["interaction"] == self.interaction
        if self.metric is not None:
            fits &= rows["metric"] == self.metric
        return fits

    def covers(self, rows: pd.DataFrame) -> pd.Series:
        """Tell for each row whether this waiver accepts it."""
        fits = self.about(rows)
        return fits if self.ceiling is None else fits & (rows["delta"] <= self.ceiling)


def waived_by(results: pd.DataFrame, waivers: Sequence[Waiver], *, today: date) -> pd.Series:
    """Return for each row the position of the first waiver in force that accepts its regression, −1 for none."""
    found = pd.Series(-1, index=results.index)
    for place, waiver in enumerate(waivers):
        if waiver.holds(today):
            found[(found < 0) & (results["verdict"] == REGRESSION) & waiver.covers(results)] = place
    return found
