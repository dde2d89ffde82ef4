"""What was measured on a run: a few numbers for the statistics, the frame series for the drill-down alone."""

from django.db import models
from django.db.models import Q

from reports.models.runs import Run


class Measurement(models.Model):
    """One metric of one run. A metric that could not be measured has no row; it is never 0."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="measurements")
    metric = models.CharField(max_length=40)
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "metric"], name="measurement_is_unique"),
            models.CheckConstraint(condition=Q(value__gte=0.0, value__lte=1e9), name="measurement_is_finite"),
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
