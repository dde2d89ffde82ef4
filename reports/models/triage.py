"""What people decided about an interaction of a pair of versions. It outlives results, which are computed anew."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from reports.models.catalogue import Interaction, OsVersion


class TriageState(models.TextChoices):
    """How far a finding has come. ``infra``: the bench is to blame; ``invalid``: the finding is wrong."""

    UNTRIAGED = "untriaged"
    INVESTIGATING = "investigating"
    ACKNOWLEDGED = "acknowledged"
    INVALID = "invalid"
    INFRA = "infra"
    FIXED = "fixed"
    WONTFIX = "wontfix"


OPEN_STATES = (TriageState.UNTRIAGED, TriageState.INVESTIGATING, TriageState.ACKNOWLEDGED)


class TriageEntry(models.Model):
    """One decision. The newest entry of an interaction and pair of versions is its state; the others are history.

    ``batch`` names decisions taken together, so that they can be taken back together. ``assignee`` is the name as
    it was then, which stays when the person leaves; without ``assigned_to`` it is a text of before assignees were
    people.
    """

    base = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    new = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    interaction = models.ForeignKey(Interaction, on_delete=models.PROTECT, related_name="triage")
    state = models.CharField(max_length=16, choices=TriageState)
    assignee = models.CharField(max_length=150, blank=True)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    due = models.DateField(null=True, blank=True)
    note = models.TextField(blank=True, max_length=2000)
    bug_url = models.URLField(blank=True, max_length=500)
    fixed_in = models.CharField(
        max_length=80, blank=True, help_text="The version that brings the fix; may yet come"
    )
    batch = models.UUIDField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "triage entries"
        indexes = [models.Index(fields=["base", "new", "interaction", "-id"], name="triage_newest_first")]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=TriageState.values), name="triage_state_is_known")
        ]

    def __str__(self) -> str:
        return f"{self.interaction}: {self.state}"

    @property
    def is_overdue(self) -> bool:
        """Tell whether it should have been closed before today and is not."""
        return self.due is not None and self.state in OPEN_STATES and self.due < timezone.localdate()

    @property
    def is_of_nobody(self) -> bool:
        """Tell whether its assignee is a text that names no account."""
        return bool(self.assignee) and self.assigned_to_id is None
