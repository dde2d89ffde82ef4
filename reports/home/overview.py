"""The recent comparisons with their verdicts; the last one at a glance: worst interactions, apps by risk."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from analysis.gate.reasons import Reason
from analysis.verdicts.words import REGRESSION
from reports.comparing.standing import rules_now
from reports.history.matrix import Line
from reports.history.releases import Release, days_ago, last_slower, load_releases
from reports.history.sparks import LEAST
from reports.models import Comparison, OsVersion
from reports.ranking.rows import RankingRow, load_rows
from reports.ranking.selectors import RankingFilter, filtered_results
from reports.ranking.summary import AppRow, VerdictSummary, ranked_apps, verdict_summary
from reports.triage.selectors import open_findings

WORST = 5
APPS = 8
EARLIER = 5


@dataclass(frozen=True)
class Compared:
    """A comparison and what it says; ``summary`` is None before its first computation."""

    comparison: Comparison
    summary: VerdictSummary | None


@dataclass(frozen=True)
class Glance:
    """What stands under the last verdict. ``worst`` are regressions alone, ``apps`` the riskiest."""

    worst: list[RankingRow]
    apps: list[AppRow]
    more_apps: int

    @property
    def has_courses(self) -> bool:
        """Tell whether the course of any of the worst is known."""
        return any(row.spark for row in self.worst)


@dataclass(frozen=True)
class Overview:
    """The last comparison that was computed, with its glance, and those before it or on their way."""

    last: Compared | None
    glance: Glance | None
    earlier: list[Compared]

    @property
    def waits(self) -> list[Reason]:
        """The waivers that wait for a second person in these comparisons, each once."""
        shown = [row.summary for row in (self.last, *self.earlier) if row and row.summary]
        return list({reason.waiver: reason for summary in shown for reason in summary.waits}.values())


def load_overview(comparisons: Sequence[Comparison]) -> Overview:
    """Sort recent comparisons, newest first, into the last computed one and the others; ten queries at most."""
    rules = rules_now(comparisons[: EARLIER + 1])
    rows = [Compared(row, verdict_summary(row, rules=rules)) for row in comparisons[: EARLIER + 1]]
    last = next((row for row in rows if row.summary), None)
    return Overview(
        last=last,
        glance=_glance(last.comparison) if last else None,
        earlier=[row for row in rows if row is not last][:EARLIER],
    )


@dataclass(frozen=True)
class OverVersions:
    """How the line of the newest version goes, in one line: what moved last, since when, what is open."""

    newest: Release
    slower: Release | None
    slower_ago: str
    open: int
    oldest: str


def load_over_versions(versions: Sequence[OsVersion], today: date) -> OverVersions | None:
    """Say how the line of the newest version goes; ``versions`` have runs, newest first.

    Four queries; none, and nothing to say, before the third version of the line.
    """
    line = [version for version in versions if version.channel == versions[0].channel]
    if len(line) < LEAST:
        return None
    releases = load_releases(Line(line[0].channel, tuple(reversed(line))))
    slower, found = last_slower(releases), open_findings()
    return OverVersions(
        newest=releases[0],
        slower=slower,
        slower_ago=days_ago(slower.day, today) if slower else "",
        open=len(found),
        oldest=days_ago(timezone.localdate(found[0].since), today) if found else "",
    )


def _glance(comparison: Comparison) -> Glance:
    regressed = filtered_results(comparison, RankingFilter(verdict=REGRESSION))
    apps = ranked_apps(comparison)
    return Glance(
        worst=load_rows(comparison, list(regressed.values_list("pk", flat=True)[:WORST])),
        apps=apps[:APPS],
        more_apps=len(apps[APPS:]),
    )
