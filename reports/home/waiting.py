"""What waits for the person who looks: findings assigned to them, regressions nobody looked at, ending waivers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from reports.media.files import rotten_screencasts
from reports.models import OPEN_STATES, Comparison, Result, TriageEntry, TriageState
from reports.policies.selectors import WaiverRow, waiver_rows
from reports.triage.selectors import triage_counts

MOST_ASSIGNED = 20
LATEST = 3  # so many comparisons are asked for regressions that nobody looked at
SOON_DAYS = 7


@dataclass(frozen=True)
class Untriaged:
    """How many regressed interactions of a comparison nobody decided about."""

    comparison: Comparison
    count: int


@dataclass(frozen=True)
class Waiting:
    """Everything that waits; any part may be empty. ``assigned`` carry the ``severity`` of their finding.

    ``assigned`` are the first of ``assigned_count``.
    """

    assigned: list[TriageEntry]
    assigned_count: int
    untriaged: list[Untriaged]
    compared: bool  # whether there is any comparison that could have something untriaged
    waivers: list[WaiverRow]
    rotten: int  # recordings that are damaged or missing


def waiting_for(user: AbstractBaseUser, comparisons: Sequence[Comparison]) -> Waiting:
    """Collect what waits for a user; ``comparisons`` newest first. Seven queries at most, whatever there is."""
    computed = [comparison for comparison in comparisons if comparison.summary][:LATEST]
    mine = assigned_to(user)
    assigned = list(mine[: MOST_ASSIGNED + 1])
    return Waiting(
        assigned=assigned[:MOST_ASSIGNED],
        assigned_count=len(assigned) if len(assigned) <= MOST_ASSIGNED else mine.count(),
        untriaged=[row for row in map(_untriaged, computed) if row.count],
        compared=bool(computed),
        waivers=[row for row in waiver_rows(today=timezone.localdate()) if _ends_soon(row)],
        rotten=rotten_screencasts(),
    )


def assigned_to(user: AbstractBaseUser) -> QuerySet[TriageEntry]:
    """Return the newest decision of each finding that is this person's and open: the first due, then the latest."""
    same = {name: OuterRef(name) for name in ("base", "new", "interaction")}
    later = TriageEntry.objects.filter(**same, pk__gt=OuterRef("pk"))
    findings = Result.objects.filter(
        comparison__base=OuterRef("base"),
        comparison__new=OuterRef("new"),
        interaction=OuterRef("interaction"),
        worst=True,
    )
    severity = findings.order_by("place", "-times_threshold").values("severity")[:1]
    mine = TriageEntry.objects.filter(assigned_to=user.pk, state__in=OPEN_STATES)
    newest = mine.exclude(Exists(later)).annotate(severity=Subquery(severity))
    return newest.select_related("base", "new", "interaction__app", "made_by").order_by(
        F("due").asc(nulls_last=True), "-pk"
    )


def _untriaged(comparison: Comparison) -> Untriaged:
    return Untriaged(comparison, dict(triage_counts(comparison)).get(TriageState.UNTRIAGED.value, 0))


def _ends_soon(row: WaiverRow) -> bool:
    return row.state == "in_force" and row.days_left is not None and row.days_left <= SOON_DAYS
