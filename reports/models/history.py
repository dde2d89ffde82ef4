"""What was measured on each version, for many versions at once: levels, and the step from the version before."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from analysis.metrics.benchmarks import LONGEST_KEY
from reports.models.catalogue import App, Device, Interaction, OsVersion
from reports.models.claimed import Claimed


class HistoryStatus(models.TextChoices):
    """Where the history of a version is on its way."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


class VersionHistory(Claimed):
    """Whether the levels of a version, and its steps from the version before, are up to date.

    ``stale``: its runs changed since. ``basis`` names what they were computed from besides: the version before it
    in its line and the rules, so that another order or another policy is noticed.
    """

    version = models.OneToOneField(OsVersion, on_delete=models.CASCADE, primary_key=True, related_name="history")
    status = models.CharField(max_length=8, choices=HistoryStatus, default=HistoryStatus.PENDING)
    stale = models.BooleanField(default=True)
    basis = models.CharField(max_length=120, blank=True)
    levels_at = models.DateTimeField(
        null=True, blank=True, help_text="When levels were written; courses may follow"
    )
    computed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=HistoryStatus.values), name="history_status_is_known"),
        ]
        verbose_name_plural = "version histories"

    def __str__(self) -> str:
        return f"history of {self.version_id}"


class Level(models.Model):
    """One metric of one interaction on one device and version, and how it moved since the version before.

    ``before`` is the version before in its line on which the interaction was recorded alike; the fields from
    ``mark`` on are missing without one. ``times`` is the move in multiples of θ, with its sign.
    """

    version = models.ForeignKey(OsVersion, on_delete=models.CASCADE, related_name="levels")
    interaction = models.ForeignKey(Interaction, on_delete=models.CASCADE, related_name="+")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="+")
    metric = models.CharField(max_length=LONGEST_KEY)
    app_version = models.CharField(max_length=80, blank=True)
    capture = models.CharField(max_length=16, blank=True)
    n = models.PositiveIntegerField()
    p50 = models.FloatField()
    p90 = models.FloatField()
    p99 = models.FloatField()
    low = models.FloatField(null=True, help_text="95 % around the median after Olive (2005)")
    high = models.FloatField(null=True)
    low_exact = models.FloatField(null=True, help_text="95 %, as verdicts use it (Hettmansperger & Sheather 1986)")
    high_exact = models.FloatField(null=True)
    before = models.ForeignKey(OsVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    mark = models.CharField(max_length=8, blank=True)
    delta = models.FloatField(null=True)
    moved_low = models.FloatField(null=True, help_text="95 % of delta after Price and Bonett (2002)")
    moved_high = models.FloatField(null=True)
    gap = models.FloatField(null=True, help_text="Between the intervals of the two medians, if they do not overlap")
    threshold = models.FloatField(null=True)
    times = models.FloatField(null=True)
    felt = models.BooleanField(default=False)
    verdict = models.CharField(max_length=24, blank=True)
    severity = models.CharField(max_length=16, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["interaction", "device", "metric", "version"], name="level_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.interaction_id} on {self.version_id}: {self.p50:g}"


class Course(models.Model):
    """One metric of one interaction on one device over a line of versions: what lists are sorted by.

    ``worst`` is the largest regression or drift that people feel, in multiples of θ, ``latest`` the step of the
    newest version; 0 where there is none. ``kind`` is the last thing that happened to its level: ``since`` which
    version, for a digression until it came ``back``, by how much in the metric's unit (``delta``) and in
    multiples of θ.
    """

    channel = models.CharField(max_length=40, blank=True)
    interaction = models.ForeignKey(Interaction, on_delete=models.CASCADE, related_name="+")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="+")
    metric = models.CharField(max_length=LONGEST_KEY)
    worst = models.FloatField(default=0.0)
    latest = models.FloatField(default=0.0)
    medians = models.JSONField(default=list, help_text="Medians of the last versions, oldest first")
    kind = models.CharField(
        max_length=12, blank=True, help_text="What became of it; empty: nothing that people feel"
    )
    since = models.ForeignKey(OsVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    back = models.ForeignKey(OsVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    delta = models.FloatField(null=True)
    times = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["channel", "interaction", "device", "metric"], name="course_is_unique"),
        ]
        indexes = [
            models.Index(fields=["channel", "-worst", "id"], name="course_by_worst"),
            models.Index(fields=["channel", "-latest", "id"], name="course_by_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.interaction_id} in {self.channel or 'the line'}"


class AppLevel(models.Model):
    """What moved in an app from the version before: how many of its interactions got worse or better.

    Counted are deviations that people feel; ``worst`` is the largest of them in multiples of θ.
    """

    version = models.ForeignKey(OsVersion, on_delete=models.CASCADE, related_name="+")
    app = models.ForeignKey(App, on_delete=models.CASCADE, related_name="+")
    interactions = models.PositiveIntegerField(help_text="With a step from the version before")
    worse = models.PositiveIntegerField()
    better = models.PositiveIntegerField()
    worst = models.FloatField()
    risk = models.FloatField(null=True, help_text="0 to 100, as in a ranking; empty: nothing could be decided")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["app", "version"], name="app_level_is_unique")]

    def __str__(self) -> str:
        return f"{self.app_id} on {self.version_id}: {self.worse} worse"


class Annotation(models.Model):
    """A note of a person on a version, for the chart of one interaction or of all. It is hidden, never deleted."""

    version = models.ForeignKey(OsVersion, on_delete=models.CASCADE, related_name="annotations")
    interaction = models.ForeignKey(Interaction, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    text = models.CharField(max_length=200)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="annotation_says_something")]

    def __str__(self) -> str:
        return f"note on {self.version}"
