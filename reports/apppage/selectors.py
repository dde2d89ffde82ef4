"""One app in a chosen comparison: interactions, risk, triage; and whatever is compared, its runs and waivers."""

from collections import Counter
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, QuerySet
from django.http import Http404

from reports.apppage.trend import AppTrend, load_app_trend
from reports.catalogue.versions import FailureKind, RunCounts, counts_by, most_frequent
from reports.history.matrix import Line, load_lines
from reports.history.releases import Release
from reports.measuring.evidence import outcome_words
from reports.models import App, Comparison, Interaction, OsVersion, Result, Run
from reports.policies.selectors import WaiverRow, waiver_rows
from reports.ranking.rows import RankingRow, load_rows
from reports.ranking.selectors import RankingFilter, filtered_results
from reports.ranking.summary import AppRow, ranked_apps

FOR_HISTORY = 3  # versions: with two there is a difference, no course
MOST_COMPARISONS = 200
MOST_ROWS = 200
MOST_RELEASES = 8


@dataclass(frozen=True)
class VersionRuns:
    """The runs of an app on one version; ``kinds`` are those without an answer."""

    version: str
    counts: RunCounts
    kinds: tuple[FailureKind, ...]


@dataclass(frozen=True)
class AppDetail:
    """An app as its page shows it.

    ``comparison`` is the one that is looked at, None before the first that includes the app; ``risk`` is what the
    ranking says of the app there, ``missing`` its interactions that have no result in it.
    """

    app: App
    comparison: Comparison | None
    comparisons: list[Comparison]
    risk: AppRow | None
    rows: list[RankingRow]
    missing: list[Interaction]
    states: tuple[tuple[str, int], ...]
    versions: list[VersionRuns]
    waivers: list[WaiverRow]
    trend: AppTrend
    releases: list[Release]

    @property
    def full(self) -> bool:
        """Tell whether there may be more rows than are shown."""
        return len(self.rows) == MOST_ROWS

    @property
    def enough_for_history(self) -> bool:
        """Tell whether there are versions enough for a course over time."""
        return len(self.versions) >= FOR_HISTORY


def load_app(package: str, *, comparison_id: int | None, today: date) -> AppDetail:
    """Load an app: twenty queries; answers 404 for an unknown one. ``None`` asks for the newest comparison."""
    app = App.objects.filter(package=package).first()
    if app is None:
        raise Http404(f"No app has the package {package}.")
    comparisons = _comparisons(app)
    chosen = next((one for one in comparisons if one.pk == comparison_id), comparisons[0] if comparisons else None)
    results = filtered_results(chosen, RankingFilter(app=app.package)) if chosen else Result.objects.none()
    rows = load_rows(chosen, list(results.values_list("pk", flat=True)[:MOST_ROWS])) if chosen else []
    states = Counter(row.state for row in rows if row.result.verdict == "regression")
    versions = _versions(app)
    trend = load_app_trend(app, _line(chosen, versions), today)
    return AppDetail(
        app=app,
        comparison=chosen,
        comparisons=comparisons,
        risk=_risk(chosen, app),
        rows=rows,
        missing=_missing(app, results),
        states=tuple(states.most_common()),
        versions=versions,
        waivers=[row for row in waiver_rows(today=today) if _concerns(row, app)],
        trend=trend,
        releases=trend.releases[:MOST_RELEASES],
    )


def _comparisons(app: App) -> list[Comparison]:
    """List the computed comparisons that have results of an app, of the newest versions first."""
    included = Result.objects.filter(interaction__app=app).order_by().values("comparison").distinct()
    found = Comparison.objects.filter(pk__in=included).exclude(computed_at=None)
    newest = found.select_related("base", "new", "device").order_by("-new__sort_key", "-base__sort_key", "device")
    return list(newest[:MOST_COMPARISONS])


def _line(chosen: Comparison | None, versions: list[VersionRuns]) -> Line:
    """Return the line of the comparison, or that of the newest version with runs; one query."""
    newest = chosen.new.name if chosen else versions[0].version if versions else ""
    found = (line for line in load_lines() if newest in {version.name for version in line.versions})
    return next(found, Line())


def _missing(app: App, results: QuerySet[Result]) -> list[Interaction]:
    compared = results.order_by().values("interaction")
    return list(Interaction.objects.filter(app=app).exclude(pk__in=compared).order_by("name"))


def _risk(comparison: Comparison | None, app: App) -> AppRow | None:
    apps = ranked_apps(comparison) if comparison else []
    return next((row for row in apps if row.package == app.package), None)


def _concerns(row: WaiverRow, app: App) -> bool:
    return row.state == "in_force" and row.waiver.app_id == app.pk


def _versions(app: App) -> list[VersionRuns]:
    """Count the runs of an app by version, newest first, and those without an answer by what became of them."""
    runs = Run.objects.filter(interaction__app=app).order_by()
    counts = counts_by(runs, "os_version")
    groups = runs.without_answer().values_list("os_version", "status", "outcome").annotate(Count("id"))
    kinds: dict[int, list[FailureKind]] = {}
    for version, status, outcome, count in groups:
        kinds.setdefault(version, []).append(FailureKind(outcome_words(outcome), count, status, outcome))
    versions = OsVersion.objects.filter(pk__in=counts).order_by("-sort_key", "-name")
    return [VersionRuns(row.name, counts[row.pk], most_frequent(kinds.get(row.pk, []))) for row in versions]
