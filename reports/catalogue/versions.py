"""One OS version: where it stands in the order, its runs by app, what failed, the comparisons it takes part in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from reports.audit.words import Told, changes_of
from reports.catalogue.selectors import no_version
from reports.measuring.evidence import outcome_words
from reports.models import App, Comparison, OsVersion, Run, RunStatus
from reports.models.querysets import RunQuerySet

FAILURES = 10
MOST_COMPARISONS = 50


@dataclass(frozen=True)
class RunCounts:
    """How many runs there are, and in which state. ``odd`` are measured ones without an answer."""

    runs: int = 0
    done: int = 0
    odd: int = 0
    failed: int = 0
    excluded: int = 0

    @property
    def waiting(self) -> int:
        """Runs that are not judged yet."""
        return self.runs - self.done - self.failed


_COUNTS: dict[str, Any] = {
    "runs": Count("id"),
    "done": Count("id", filter=Q(status=RunStatus.DONE)),
    "odd": Count("id", filter=Q(status=RunStatus.DONE) & ~Q(outcome="ok")),
    "failed": Count("id", filter=Q(status=RunStatus.FAILED)),
    "excluded": Count("id", filter=Q(excluded=True)),
}


def counts_of(runs: QuerySet[Run]) -> RunCounts:
    """Count runs by their state; one query."""
    return RunCounts(**runs.order_by().aggregate(**_COUNTS))


def counts_by(runs: QuerySet[Run], key: str) -> dict[int, RunCounts]:
    """Count runs by their state for each value of ``key``, the name of a relation; one query."""
    names = list(_COUNTS)
    groups = runs.order_by().values_list(key).annotate(**_COUNTS)
    return {row[0]: RunCounts(**dict(zip(names, row[1:], strict=True))) for row in groups}


@dataclass(frozen=True)
class AppRuns:
    """The runs of one app on a version."""

    app: App
    counts: RunCounts


@dataclass(frozen=True)
class FailureKind:
    """How many runs have no answer for the same reason. ``status`` and ``outcome`` filter the list of runs."""

    words: str
    count: int
    status: str
    outcome: str


@dataclass(frozen=True)
class VersionDetail:
    """A version as its page shows it; ``before`` and ``after`` are its neighbours in its line."""

    version: OsVersion
    before: OsVersion | None
    after: OsVersion | None
    counts: RunCounts
    failures: tuple[FailureKind, ...]
    failed: list[Run]
    comparisons: list[Comparison]
    changes: list[Told]


def load_version(name: str) -> VersionDetail:
    """Load a version: eight queries; answers 404 for an unknown one, with some that are known."""
    version = OsVersion.objects.select_related("pinned_by").filter(name=name).first()
    if version is None:
        raise no_version(name)
    runs = Run.objects.filter(os_version=version)
    others = OsVersion.objects.filter(channel=version.channel).exclude(pk=version.pk)
    comparisons = Comparison.objects.of_versions(version.pk).for_home()
    return VersionDetail(
        version=version,
        before=others.filter(_place(version, "lt")).order_by("-sort_key", "-name").first(),
        after=others.filter(_place(version, "gt")).order_by("sort_key", "name").first(),
        counts=counts_of(runs),
        failures=_failures(runs),
        failed=list(
            runs.filter(status=RunStatus.FAILED).select_related("interaction__app").order_by("-id")[:FAILURES]
        ),
        comparisons=list(comparisons[:MOST_COMPARISONS]),
        changes=changes_of(version),
    )


def _place(version: OsVersion, side: str) -> Q:
    """Match the versions on one side of this one; names part those of the same place."""
    same = Q(sort_key=version.sort_key, **{f"name__{side}": version.name})
    return same | Q(**{f"sort_key__{side}": version.sort_key})


def _failures(runs: RunQuerySet) -> tuple[FailureKind, ...]:
    """Count the runs without an answer by what became of them, the most frequent first."""
    groups = runs.without_answer().order_by().values_list("status", "outcome").annotate(count=Count("id"))
    rows = [FailureKind(outcome_words(outcome), count, status, outcome) for status, outcome, count in groups]
    return most_frequent(rows)


def most_frequent(kinds: Iterable[FailureKind]) -> tuple[FailureKind, ...]:
    """Return them with the most frequent first."""
    return tuple(sorted(kinds, key=lambda kind: (-kind.count, kind.words)))


def apps_with_runs(version: OsVersion, words: str = "") -> QuerySet[App]:
    """Return the apps that were filmed on a version, by name; ``words`` narrows them."""
    found = App.objects.filter(pk__in=Run.objects.filter(os_version=version).values("interaction__app"))
    for word in words.split():
        found = found.filter(Q(name__icontains=word) | Q(package__icontains=word))
    return found.order_by("name", "package")


def runs_by_app(version: OsVersion, apps: list[App]) -> list[AppRuns]:
    """Count the runs of these apps on a version; one query."""
    counted = counts_by(Run.objects.filter(os_version=version, interaction__app__in=apps), "interaction__app")
    return [AppRuns(app, counted.get(app.pk, RunCounts())) for app in apps]
