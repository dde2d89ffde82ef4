"""What was measured on a run: a few numbers for the statistics, the frame series for the drill-down alone.

Beside it a person's word on when the response or the finish was; it replaces what was measured.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from analysis.metrics.benchmarks import FROM_DEADLINE, LONGEST_KEY
from reports.models.runs import Run

# metric → the moment that decides it
MOMENT_OF = {"response_time_ms": "response", "finish_time_ms": "finish", "launch_time_ms": "finish"}
LARGEST = 1e15  # of any unit: nanoseconds of a week, and what NaN and infinity are not
SAME_FRAME_MS = 0.05  # pages write three decimals; no two frames are that near


class Confidence(models.TextChoices):
    """How sure a value is: what measuring says of its moment, or that a person said when it was."""

    CERTAIN = "certain"
    LIKELY = "likely"
    DOUBTFUL = "doubtful"
    SETTLED = "settled"


class Measurement(models.Model):
    """One metric of one run. A metric that could not be measured has no row; it is never 0.

    ``confidence`` is empty where the metric has none (dropped frames), or was measured before there were any.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="measurements")
    metric = models.CharField(max_length=LONGEST_KEY)
    value = models.FloatField()
    confidence = models.CharField(max_length=8, choices=Confidence, blank=True)

    class Meta:
        indexes = [  # the list of doubtful ones, newest first, and how many a comparison has
            models.Index(fields=["-id"], condition=Q(confidence="doubtful"), name="measurement_doubtful"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(confidence__in=["", *Confidence.values]), name="measurement_confidence_is_known"
            ),
            models.UniqueConstraint(fields=["run", "metric"], name="measurement_is_unique"),
            models.CheckConstraint(
                condition=Q(value__gte=-LARGEST, value__lte=LARGEST), name="measurement_is_finite"
            ),
            models.CheckConstraint(  # a frame may be ready before its deadline
                condition=Q(value__gte=0.0) | Q(metric__startswith=FROM_DEADLINE),
                name="measurement_is_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} = {self.value:g}"


class FrameSeriesRecord(models.Model):
    """The frame series of a run as analysis.series packs it, with the evidence for its numbers.

    A table of its own, so that lists of runs never carry the blobs.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="frame_series")
    data = models.BinaryField()
    evidence = models.JSONField(default=dict)

    class Meta:
        verbose_name = "frame series"
        verbose_name_plural = "frame series"

    def __str__(self) -> str:
        return f"frame series of run {self.pk}"


class Moment(models.TextChoices):
    """What can be corrected."""

    RESPONSE = "response"
    FINISH = "finish"


class Correction(models.Model):
    """One correction. Nothing is overwritten: a newer one or an undo withdraws it, and it stays as history.

    ``value_ms`` counts from the action; ``automatic_ms`` is what was measured (missing: nothing was), so that
    withdrawing brings it back.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="corrections")
    moment = models.CharField(max_length=8, choices=Moment)
    value_ms = models.FloatField()
    automatic_ms = models.FloatField(null=True)
    note = models.CharField(max_length=300, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "moment"], condition=Q(withdrawn_at=None), name="correction_in_force_is_one"
            ),
            models.CheckConstraint(condition=Q(moment__in=Moment.values), name="correction_moment_is_known"),
            models.CheckConstraint(
                condition=Q(value_ms__gte=0.0, value_ms__lte=1e7), name="correction_value_is_sane"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.moment} of run {self.run_id}: {self.value_ms:g} ms"

    @property
    def word(self) -> str:
        """Whether the person said another time, or that the measured one is right."""
        same = self.automatic_ms is not None and abs(self.value_ms - self.automatic_ms) <= SAME_FRAME_MS
        return "confirmed" if same else "corrected"
