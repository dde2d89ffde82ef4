"""Recordings that somebody has sent and not imported yet: they wait for a look at what would become of them."""

from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from reports.models.claimed import Claimed
from reports.models.imports import ImportRecord
from reports.models.runs import Run

KEPT = timedelta(days=2)


def _end() -> object:
    return timezone.now() + KEPT


class StagedStatus(models.TextChoices):
    """Where it is on its way: looked at by a person, asked for and waiting, being imported, imported."""

    OPEN = "open"
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


class StagedImport(Claimed):
    """What one person has sent at once. Its files lie in the default storage until they are imported or dropped.

    ``error`` says why it is open again, or what it waits for.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200, help_text="Of the zip or manifest, or how many files it is")
    status = models.CharField(max_length=8, choices=StagedStatus, default=StagedStatus.OPEN)
    asked_at = models.DateTimeField(null=True, blank=True, help_text="When Import was pressed")
    origin = models.JSONField(default=dict, help_text="Who pressed it and from where, as the audit log names them")
    claimed_by = models.CharField(max_length=200, blank=True, help_text="Process that imports it")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Begun since it last came any further")
    finished = models.PositiveIntegerField(default=0, help_text="Lines that were looked at in this attempt")
    total = models.PositiveIntegerField(default=0, help_text="Lines there are")
    error = models.TextField(blank=True)
    batch = models.CharField(max_length=120, blank=True, help_text="Of what names none itself")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(default=_end, help_text="When it is forgotten with its files")
    record = models.ForeignKey(ImportRecord, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["expires_at"], name="staged_for_sweeping")]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=StagedStatus.values), name="staged_status_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class StagedKind(models.TextChoices):
    """What a file is, by its first bytes and its name."""

    VIDEO = "video"
    MANIFEST = "manifest"
    OTHER = "other"


class StagedFile(models.Model):
    """One file of it. ``fault`` says why it cannot be a recording; one that was refused outright is not stored."""

    staged = models.ForeignKey(StagedImport, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=400, help_text="As it was sent, with its folders")
    kind = models.CharField(max_length=8, choices=StagedKind, default=StagedKind.OTHER)
    stored_name = models.CharField(max_length=255, blank=True, help_text="Path in the default storage")
    sha256 = models.CharField(max_length=64, blank=True)
    size_bytes = models.BigIntegerField(default=0)
    fault = models.TextField(blank=True)
    cells = models.JSONField(default=dict, help_text="What a person says of it, by column of the manifest")
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["staged", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=StagedKind.values), name="staged_kind_is_known"),
        ]

    def __str__(self) -> str:
        return self.path
