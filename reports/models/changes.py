"""What people changed by hand in the catalogue and on runs: who, when, from what to what."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Changed(models.TextChoices):
    """What was changed."""

    RUN = "run"
    INTERACTION = "interaction"
    APP = "app"
    DEVICE = "device"
    VERSION = "version"
    PERSON = "person"


class Change(models.Model):
    """One field of one row, changed by a person. Only ever added to.

    ``runs`` is how many runs were measured again because of it. The row is named by its kind and id, not by a
    foreign key for each kind: a history outlives what it speaks of.
    """

    kind = models.CharField(max_length=12, choices=Changed)
    object_id = models.PositiveBigIntegerField()
    field = models.CharField(max_length=40)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    runs = models.PositiveIntegerField(default=0)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["kind", "object_id", "-id"], name="change_newest_first")]
        constraints = [models.CheckConstraint(condition=Q(kind__in=Changed.values), name="change_kind_is_known")]

    def __str__(self) -> str:
        return f"{self.field} of {self.kind} {self.object_id}"
