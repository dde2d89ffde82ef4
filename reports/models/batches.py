"""A batch: the runs that came in together, as those of a test night."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from reports.models.catalogue import OsVersion, name_validator
from reports.models.comparisons import Comparison
from reports.models.querysets import BatchQuerySet


class Batch(models.Model):
    """Runs that came in together, most of them of the one OS version that the batch is about.

    ``completed_at`` is when somebody said that nothing more comes in; the batch is complete when nothing waits any
    more, either. ``comparison`` is the one with the baseline that was pinned then; it is set once, and stays where
    the batch is opened again.
    """

    name = models.CharField(max_length=120, unique=True, validators=[name_validator])
    os_version = models.ForeignKey(OsVersion, on_delete=models.PROTECT, related_name="batches")
    note = models.TextField(blank=True, max_length=2000)
    opened_at = models.DateTimeField(auto_now_add=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    opened_as = models.CharField(max_length=200, help_text="Who opened it, as the audit log names them")
    completed_at = models.DateTimeField(null=True, blank=True)
    completed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    completed_as = models.CharField(max_length=200, blank=True, help_text="Who said that nothing more comes in")
    comparison = models.ForeignKey(
        Comparison, on_delete=models.PROTECT, null=True, blank=True, related_name="batches"
    )

    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "batches"
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="batch_has_a_name")]

    def __str__(self) -> str:
        return self.name
