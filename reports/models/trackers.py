"""Issue trackers that findings go to, and the issues that were made there."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from reports.models.catalogue import Interaction, OsVersion
from reports.models.claimed import Claimed


class TrackerKind(models.TextChoices):
    """Whose protocol a tracker speaks."""

    GITHUB = "github", "GitHub"
    GITLAB = "gitlab", "GitLab"
    JIRA = "jira", "Jira"


class Tracker(models.Model):
    """One project of an issue tracker. A removed one stays for the issues that were made there, without token."""

    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=8, choices=TrackerKind)
    address = models.URLField(max_length=300, help_text="Where its API begins")
    project = models.CharField(max_length=200)
    account = models.CharField(max_length=200, blank=True, help_text="Jira Cloud: the mail address of the token")
    issue_type = models.CharField(max_length=80, blank=True, help_text="Jira: what kind of issue is made")
    token = models.TextField(blank=True, help_text="Sealed, see reports.web.sealed")
    active = models.BooleanField(default=True)
    error = models.CharField(max_length=300, blank=True, help_text="Why the last request failed; empty: it did not")
    error_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["name"], condition=Q(active=True), name="tracker_name_is_one"),
            models.CheckConstraint(condition=Q(kind__in=TrackerKind.values), name="tracker_kind_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class IssueStatus(models.TextChoices):
    """Whether an issue is in the tracker yet."""

    WAITING = "waiting", "on its way"
    RUNNING = "running", "on its way"
    MADE = "made"
    FAILED = "failed", "could not be made"


class IssueState(models.TextChoices):
    """How an issue stood when its tracker was asked the last time."""

    OPEN = "open"
    CLOSED = "closed"
    GONE = "gone", "no longer there"


class Issue(Claimed):
    """The issue of one finding in one tracker: there is never a second.

    ``marker`` stands in the issue itself, so that it is found again if the tracker made it and its answer was lost.
    """

    tracker = models.ForeignKey(Tracker, on_delete=models.PROTECT, related_name="issues")
    base = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    new = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    interaction = models.ForeignKey(Interaction, on_delete=models.PROTECT, related_name="issues")
    marker = models.CharField(max_length=40, unique=True)
    title = models.CharField(max_length=250)
    body = models.TextField(max_length=30_000)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=8, choices=IssueStatus, default=IssueStatus.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(help_text="When it is tried the next time")
    error = models.CharField(max_length=300, blank=True)
    number = models.CharField(max_length=60, blank=True, help_text="What the tracker calls it")
    url = models.URLField(max_length=500, blank=True)
    state = models.CharField(max_length=8, choices=IssueState, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(status__in=["waiting", "running"]), name="issue_not_made"),
            models.Index(fields=["checked_at"], condition=Q(status="made"), name="issue_to_look_at"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["interaction", "base", "new", "tracker"], name="finding_has_one_issue_in_a_tracker"
            ),
            models.CheckConstraint(condition=Q(status__in=IssueStatus.values), name="issue_status_is_known"),
            models.CheckConstraint(condition=~Q(status="made") | ~Q(number=""), name="made_issue_has_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.tracker} {self.number}".strip()
