"""The catalogue as its pages read it: OS versions in their order, interactions found by words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Case, Count, IntegerField, Max, Min, Q, Value, When

from reports.models import Comparison, Interaction, OsVersion, Result, Run, RunStatus

MOST = 50


@dataclass(frozen=True)
class VersionRow:
    """One OS version. ``previous`` is the version before it that has runs."""

    name: str
    released_on: date | None
    note: str
    pinned: bool
    pinned_reason: str
    runs: int
    done: int
    failed: int
    excluded: int
    apps: int
    interactions: int
    first: datetime | None
    last: datetime | None
    previous: str

    @property
    def waiting(self) -> int:
        """Runs that are not judged yet."""
        return self.runs - self.done - self.failed


def version_rows() -> list[VersionRow]:
    """List all versions, newest first: two queries."""
    counts = {row.pop("os_version"): row for row in map(dict, _run_counts())}
    nothing = dict.fromkeys(("runs", "done", "failed", "excluded", "apps", "interactions"), 0)
    rows, previous = [], ""
    for version in OsVersion.objects.order_by("sort_key", "name"):
        facts = counts.get(version.pk, nothing | {"first": None, "last": None})
        said = {name: getattr(version, name) for name in ("name", "released_on", "note", "pinned", "pinned_reason")}
        rows.append(VersionRow(previous=previous, **said, **facts))
        previous = version.name if facts["runs"] else previous
    return rows[::-1]


def versions_with(words: str) -> list[VersionRow]:
    """List the versions whose name or note has every word, newest first: two queries."""
    wanted = words.lower().split()
    return [row for row in version_rows() if all(word in f"{row.name} {row.note}".lower() for word in wanted)]


def _run_counts() -> Iterable[Mapping[str, Any]]:
    return (
        Run.objects.order_by()
        .values("os_version")
        .annotate(
            runs=Count("id"),
            done=Count("id", filter=Q(status=RunStatus.DONE)),
            failed=Count("id", filter=Q(status=RunStatus.FAILED)),
            excluded=Count("id", filter=Q(excluded=True)),
            apps=Count("interaction__app", distinct=True),
            interactions=Count("interaction", distinct=True),
            first=Min("recorded_at"),
            last=Max("recorded_at"),
        )
    )


@dataclass(frozen=True)
class Found:
    """An interaction, with its worst result of the comparison that is shown."""

    interaction: Interaction
    result: Result | None


@dataclass(frozen=True)
class SearchResult:
    """What was found. ``comparison`` is the one of the newest version, None before the first."""

    found: list[Found]
    more: bool
    comparison: Comparison | None


def search_interactions(words: str) -> SearchResult:
    """Find interactions that have every word; names that begin with the text come first. Three queries."""
    rows = Interaction.objects.select_related("app").order_by(_nearness(words), "app__name", "name")
    for word in words.split():
        rows = rows.filter(Q(name__icontains=word) | Q(app__name__icontains=word) | Q(app__package__icontains=word))
    interactions = list(rows[: MOST + 1])
    comparison = _newest_comparison()
    worst = _worst_results(comparison, interactions[:MOST])
    found = [Found(interaction, worst.get(interaction.pk)) for interaction in interactions[:MOST]]
    return SearchResult(found, len(interactions) > MOST, comparison)


def _nearness(words: str) -> Case:
    begins = Q(name__istartswith=words.strip()) | Q(app__name__istartswith=words.strip())
    return Case(When(begins, then=Value(0)), default=Value(1), output_field=IntegerField())


def _newest_comparison() -> Comparison | None:
    computed = Comparison.objects.for_home().exclude(computed_at=None)
    return computed.order_by("-new__sort_key", "-base__sort_key", "device").first()


def _worst_results(comparison: Comparison | None, interactions: list[Interaction]) -> dict[int, Result]:
    rows = Result.objects.filter(comparison=comparison, worst=True, interaction__in=interactions).defer("points")
    return {row.interaction_id: row for row in rows.order_by("-place", "times_threshold")}
