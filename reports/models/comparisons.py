"""A comparison of two OS versions and its results, one per interaction, device and metric."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from analysis.metrics.benchmarks import LONGEST_KEY
from reports.models.catalogue import Device, Interaction, OsVersion
from reports.models.claimed import Claimed
from reports.models.querysets import ComparisonQuerySet


class ComparisonStatus(models.TextChoices):
    """Where a comparison is on its way."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Comparison(Claimed):
    """Two OS versions side by side, on all devices or on one.

    ``stale`` says that runs of either version changed since ``computed_at``; the old results stay visible, marked.
    ``policy`` and ``fingerprint`` say what the results were computed with and from; ``summary`` holds the counts
    that the pages show (written with the results, never by a request).
    """

    base = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    new = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    status = models.CharField(max_length=8, choices=ComparisonStatus, default=ComparisonStatus.PENDING)
    error = models.TextField(blank=True)
    stale = models.BooleanField(default=False)
    policy = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, blank=True)
    summary = models.JSONField(default=dict)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    requested_at = models.DateTimeField(auto_now_add=True)
    computed_at = models.DateTimeField(null=True, blank=True)

    objects = ComparisonQuerySet.as_manager()

    class Meta:
        ordering = ["-computed_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(base=F("new")), name="comparison_of_two_versions"),
            models.CheckConstraint(
                condition=Q(status__in=ComparisonStatus.values), name="comparison_status_is_known"
            ),
            models.UniqueConstraint(
                fields=["base", "new"], condition=Q(device=None), name="comparison_on_all_devices_is_unique"
            ),
            models.UniqueConstraint(
                fields=["base", "new", "device"],
                condition=Q(device__isnull=False),
                name="comparison_on_a_device_is_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.base} → {self.new}"


WORST_FIRST = ("place", "-times_threshold", "id")  # the order of results in every list


class Result(models.Model):
    """One metric of one interaction on one device, compared.

    ``points`` holds every run for the dot strip: {"base": [[run id, value], …], "new": […]};
    ``left_out`` counts the runs that were not pooled, and why. ``place`` and ``worst`` are written with the result
    so that the ranking sorts and pages by an index: place is the verdict's place in the ranking (0 = regression,
    unknown last), worst marks the one result that stands for its interaction on its device.
    """

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="results")
    interaction = models.ForeignKey(Interaction, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="+")
    metric = models.CharField(max_length=LONGEST_KEY)
    app_version = models.CharField(max_length=80, blank=True)
    capture = models.CharField(max_length=16, blank=True)
    n_base = models.PositiveIntegerField()
    n_new = models.PositiveIntegerField()
    doubtful_base = models.PositiveIntegerField(default=0, help_text="Runs alike whose value is doubtful")
    doubtful_new = models.PositiveIntegerField(default=0)
    otherwise = models.JSONField(default=dict, help_text="The statistics by the other rule about doubtful values")
    median_base = models.FloatField(null=True)
    median_new = models.FloatField(null=True)
    delta = models.FloatField(null=True)
    delta_pct = models.FloatField(null=True)
    ci_low = models.FloatField(null=True)
    ci_high = models.FloatField(null=True)
    p_value = models.FloatField(null=True)
    q_value = models.FloatField(null=True)
    cliffs_delta = models.FloatField(null=True)
    threshold = models.FloatField(null=True)
    verdict = models.CharField(max_length=24)
    severity = models.CharField(max_length=16, blank=True)
    place = models.PositiveSmallIntegerField(default=0, help_text="Place of the verdict in the ranking, 0 first")
    worst = models.BooleanField(default=False, help_text="The worst metric of its interaction on its device")
    times_threshold = models.FloatField(null=True, help_text="|delta| / threshold")
    runs_needed = models.PositiveIntegerField(null=True, help_text="More runs per side that a verdict would need")
    points = models.JSONField(default=dict)
    left_out = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)

    class Meta:
        ordering = ["-times_threshold", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["comparison", "interaction", "device", "metric"], name="result_is_unique"
            ),
        ]
        indexes = [
            models.Index(fields=["comparison", "verdict"], name="result_for_counts"),
            # The ranking page: the first fields are its order, the others let it filter without touching the rows,
            # which carry the points of all runs.
            models.Index(
                fields=[
                    *("comparison", "worst", "place", "-times_threshold", "id"),
                    *("interaction", "device", "verdict", "severity", "metric", "n_base", "n_new"),
                ],
                name="result_for_ranking",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.interaction} · {self.metric}: {self.verdict}"
