"""Runs without an answer, by kind."""

from dataclasses import dataclass

from django.db.models import Count, Q

from reports.models import Run, RunStatus


@dataclass(frozen=True)
class FailureKind:
    """How many runs ended this way. ``outcome`` is empty where the worker itself failed."""

    outcome: str
    failed: bool
    count: int


def failure_kinds() -> list[FailureKind]:
    """Count failed and unanswered runs that still count, by outcome, most frequent first; one query."""
    without_answer = Q(status=RunStatus.FAILED) | Q(status=RunStatus.DONE) & ~Q(outcome="ok")
    rows = (
        Run.objects.filter(without_answer, excluded=False)
        .order_by()
        .values_list("outcome", "status")
        .annotate(count=Count("id"))
    )
    kinds = [FailureKind(outcome, status == RunStatus.FAILED, count) for outcome, status, count in rows]
    return sorted(kinds, key=lambda kind: (-kind.count, kind.outcome))
