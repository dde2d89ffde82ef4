"""Release over release: what moved in each version of a line, and how long ago the last one got slower."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from analysis.history.changes import DRIFT
from analysis.verdicts.judging import severity_of
from analysis.verdicts.text import count_text
from analysis.verdicts.words import REGRESSION
from reports.history.matrix import Line, compared
from reports.models import App, AppLevel, Course, OsVersion
from reports.policies.selectors import current_policy

MOST_APPS = 8
COLUMNS = ("version", "before", "day", "interactions", "worse", "better", "apps_worse", "severity")


@dataclass(frozen=True)
class Release:
    """What moved in a version from the one before it; counted are interactions, as people feel it.

    ``apps`` have one that got slower; ``severity`` is the word for the largest step among them, empty without any;
    ``risk`` is that of the app at most risk, 0 to 100, None where nothing could be decided.
    """

    version: OsVersion
    before: OsVersion | None
    interactions: int = 0
    worse: int = 0
    better: int = 0
    apps: int = 0
    severity: str = ""
    risk: float | None = None
    compared: bool = False

    @property
    def share_pct(self) -> float | None:
        """The share that got slower, None where nothing was set against a version before."""
        return 100.0 * self.worse / self.interactions if self.interactions else None

    @property
    def day(self) -> date:
        """The day on which it came out; of a version that does not tell, the day on which it came in here."""
        return day_of(self.version)


@dataclass(frozen=True)
class WorseApp:
    """An app with interactions that are slower than they were: how many, how badly, the last of them since when."""

    app_id: int
    name: str
    slower: int
    severity: str
    since: OsVersion | None


def load_releases(line: Line, *, app: App | None = None) -> list[Release]:
    """Return what moved in each version of a line, or in one app of it, the newest first; three queries."""
    found = AppLevel.objects.filter(version__in=[version.pk for version in line.versions]).order_by()
    if app is not None:
        found = found.filter(app=app)
    counts = found.values_list("version").annotate(
        of=Sum("interactions"),
        slower=Sum("worse"),
        faster=Sum("better"),
        apps=Count("pk", filter=Q(worse__gt=0)),
        largest=Max("worst"),
        risk=Max("risk"),
    )
    by_version = {version: row for version, *row in counts}
    policy, pairs = current_policy(), compared(line)
    releases = []
    for before, version in zip((None, *line.versions), line.versions, strict=False):
        of, worse, better, apps, worst, risk = by_version.get(version.pk, (0, 0, 0, 0, 0.0, None))
        severity = severity_of(worst, policy) if worst else ""
        known = before is not None and (before.pk, version.pk) in pairs
        releases.append(Release(version, before, of, worse, better, apps, severity, risk, known))
    return releases[::-1]


def load_worse_apps(line: Line) -> list[WorseApp]:
    """Return the apps of a line that are slower than they were, the worst first, at most ``MOST_APPS``.

    Two queries.
    """
    lasting = Course.objects.filter(channel=line.channel, kind__in=(REGRESSION, DRIFT)).order_by()
    rows = lasting.values_list("interaction__app", "interaction__app__name").annotate(
        slower=Count("interaction", distinct=True), worst=Max("worst"), newest=Max("since__sort_key")
    )
    policy, by_key = current_policy(), {version.sort_key: version for version in line.versions}
    return [
        WorseApp(app, name, slower, severity_of(worst, policy), by_key.get(newest))
        for app, name, slower, worst, newest in rows.order_by("-worst", "interaction__app__name")[:MOST_APPS]
    ]


def last_slower(releases: Sequence[Release]) -> Release | None:
    """Return the newest in which people feel something to be slower."""
    return next((release for release in releases if release.worse), None)


def day_of(version: OsVersion) -> date:
    """Return when a version came out; without that, when it came in here."""
    return version.released_on or timezone.localdate(version.created_at)


def days_ago(day: date, today: date) -> str:
    """Say how long ago a day was: ``today``, ``3 days ago``."""
    days = (today - day).days
    return f"{count_text(days, 'day')} ago" if days > 0 else "today"


def release_lines(releases: Sequence[Release]) -> Iterator[tuple[object, ...]]:
    """Yield a table of releases for a file, its head first."""
    yield COLUMNS
    for row in releases:
        before = row.before.name if row.before else ""
        day = row.day.isoformat()
        yield row.version.name, before, day, row.interactions, row.worse, row.better, row.apps, row.severity
