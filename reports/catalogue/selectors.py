"""The catalogue as its pages read it: OS versions in their order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, Max, Min, Q
from django.http import Http404

from reports.models import OsVersion, Run, RunStatus

_SAID = (
    "name",
    "sorts_as",
    "channel",
    "released_on",
    "note",
    "author",
    "change",
    "pinned",
    "pinned_at",
    "pinned_reason",
)


@dataclass(frozen=True)
class VersionRow:
    """One OS version. ``previous`` is that before it in its line that has runs, ``pinned_as`` who pinned it."""

    name: str
    sorts_as: str
    channel: str
    released_on: date | None
    note: str
    author: str
    change: str
    pinned: bool
    pinned_at: datetime | None
    pinned_as: str
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
    rows: list[VersionRow] = []
    previous: dict[str, str] = {}  # by line
    for version in OsVersion.objects.select_related("pinned_by").order_by("sort_key", "name"):
        facts = counts.get(version.pk, nothing | {"first": None, "last": None})
        said = {name: getattr(version, name) for name in _SAID}
        said["pinned_as"] = version.pinned_by.get_username() if version.pinned_by else ""
        rows.append(VersionRow(previous=previous.get(version.channel, ""), **said, **facts))
        if facts["runs"]:
            previous[version.channel] = version.name
    return rows[::-1]


def versions_with(words: str) -> list[VersionRow]:
    """List the versions whose name or note has every word, newest first: two queries."""
    wanted = words.lower().split()
    return [row for row in version_rows() if all(word in f"{row.name} {row.note}".lower() for word in wanted)]


def version_row(name: str) -> VersionRow:
    """Return one version as the list has it: two queries; answers 404 for an unknown one."""
    row = next((row for row in version_rows() if row.name == name), None)
    if row is None:
        raise no_version(name)
    return row


def no_version(name: str) -> Http404:
    """Return the answer for a version that is not there, with some that are known."""
    known = ", ".join(OsVersion.objects.order_by("-sort_key").values_list("name", flat=True)[:8])
    return Http404(f"No OS version is called {name}. " + (f"Known are: {known}." if known else "There is none."))


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
