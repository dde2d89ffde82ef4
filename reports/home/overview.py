"""The last comparison at a glance: its verdict, the worst interactions, the apps by risk."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.verdicts.words import REGRESSION
from reports.models import Comparison
from reports.ranking.rows import RankingRow, load_rows
from reports.ranking.selectors import RankingFilter, filtered_results
from reports.ranking.summary import AppRow, VerdictSummary, ranked_apps, verdict_summary

WORST = 5
APPS = 8


@dataclass(frozen=True)
class Overview:
    """A comparison as the first page shows it. ``worst`` are regressions alone, ``apps`` the riskiest."""

    comparison: Comparison
    summary: VerdictSummary
    worst: list[RankingRow]
    apps: list[AppRow]
    more_apps: int

    @property
    def more_regressions(self) -> int:
        """How many regressed interactions are not among the worst."""
        return max(self.summary.counts.regressed - len(self.worst), 0)


def last_overview(comparisons: Sequence[Comparison]) -> Overview | None:
    """Show the first of these that was computed; None if none was. Six queries at most, whatever there is."""
    for comparison in comparisons:
        summary = verdict_summary(comparison)
        if summary is not None:
            return _overview(comparison, summary)
    return None


def _overview(comparison: Comparison, summary: VerdictSummary) -> Overview:
    regressed = filtered_results(comparison, RankingFilter(verdict=REGRESSION))
    apps = ranked_apps(comparison)
    return Overview(
        comparison=comparison,
        summary=summary,
        worst=load_rows(comparison, list(regressed.values_list("pk", flat=True)[:WORST])),
        apps=apps[:APPS],
        more_apps=len(apps[APPS:]),
    )
