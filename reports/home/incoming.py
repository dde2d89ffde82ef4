"""What came in lately, and which runs have no answer."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.http import urlencode

from reports.measuring.evidence import outcome_words
from reports.models import Run, RunStatus

WINDOW = timedelta(hours=24)
_ON_ITS_WAY = Q(status__in=[RunStatus.PENDING, RunStatus.RUNNING])
# What a person may want to know before opening the runs; an outcome that is not here is named alone.
_MEANINGS = {
    "no_response": "nothing changed on the screen after the action",
    "never_settles": "the screen kept moving to the end",
    "no_action": "nobody said when the user acts: confirm what was found, or name the frame",
    "unreadable": "the file could not be read as a video",
    "too_short": "the recording ends too early to tell",
    "too_noisy": "the picture's noise would hide what changes",
    "moving_camera": "a camera filmed the screen, and moved or flickered",
    "": "measuring stopped; each run says why",
}


@dataclass(frozen=True)
class CameIn:
    """The runs of one OS version that were measured lately or are on their way."""

    os_version: str
    runs: int
    judged: int
    failed: int  # of the judged ones


def came_in() -> list[CameIn]:
    """Count by OS version what was measured within the window or still waits, newest version first; one query.

    A run that was imported within the window is one or the other: no index on the import is needed.
    """
    rows = (
        Run.objects.filter(Q(measured_at__gte=timezone.now() - WINDOW) | _ON_ITS_WAY)
        .order_by("-os_version__sort_key", "os_version__name")
        .values_list("os_version__name")
        .annotate(
            runs=Count("id"),
            judged=Count("id", filter=~_ON_ITS_WAY),
            failed=Count("id", filter=Q(status=RunStatus.FAILED)),
        )
        .values_list("os_version__name", "runs", "judged", "failed")
    )
    return [CameIn(*row) for row in rows]


@dataclass(frozen=True)
class FailureKind:
    """How many runs ended this way, and how many of them lately. ``outcome`` is empty where measuring stopped."""

    outcome: str
    failed: bool
    count: int
    lately: int

    @property
    def words(self) -> str:
        """Name the outcome as a person reads it."""
        return outcome_words(self.outcome)

    @property
    def meaning(self) -> str:
        """Say what that is; empty where the name says it."""
        return _MEANINGS.get(self.outcome, "")

    @property
    def query(self) -> str:
        """Return the query by which the list of runs shows these; they count only while nobody excluded them."""
        wanted = {"status": "failed" if self.failed else "", "outcome": self.outcome, "excluded": "no"}
        return urlencode({key: value for key, value in wanted.items() if value})


def failure_kinds() -> list[FailureKind]:
    """Count failed and unanswered runs that still count, by outcome, most frequent first; one query."""
    lately = Count("id", filter=Q(measured_at__gte=timezone.now() - WINDOW))
    rows = (
        Run.objects.without_answer()
        .filter(excluded=False)
        .order_by()
        .values_list("outcome", "status")
        .annotate(count=Count("id"), lately=lately)
    )
    kinds = [FailureKind(outcome, status == RunStatus.FAILED, *counts) for outcome, status, *counts in rows]
    return sorted(kinds, key=lambda kind: (-kind.count, kind.outcome))
