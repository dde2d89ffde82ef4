"""The import log: every import that was begun, what it came to, and the lines that it refused, as they were."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

SILENT = timedelta(hours=1)  # a batch of large files on a slow storage takes minutes


class ImportState(models.TextChoices):
    """Where an import is on its way. ``stopped``: it did not reach its end; what came before is kept."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"


class ImportRecord(models.Model):
    """One import: from where, by whom, how many lines became what.

    Refused lines are all counted, in ``refused`` and by ``causes``; the first of each cause are kept.
    """

    source = models.CharField(max_length=400, help_text="Name of the manifest or of what was sent")
    who = models.CharField(max_length=200, help_text="Name of the user then, or of the command")
    state = models.CharField(max_length=8, choices=ImportState, default=ImportState.RUNNING)
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, help_text="When it was last known to go on")
    error = models.TextField(blank=True, help_text="What stopped it, and the cure")
    new = models.PositiveIntegerField(default=0)
    updated = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    notes = models.JSONField(default=list)
    causes = models.JSONField(
        default=list, help_text="Why lines were refused: field, message of the first, line, count"
    )
    columns = models.JSONField(default=list, help_text="The columns of the manifest, in their order")
    kept = models.PositiveIntegerField(default=0, help_text="How many of the refused lines are kept as they were")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ImportState.values), name="import_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=ImportState.STOPPED) | ~Q(error=""), name="import_that_stopped_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.source

    @property
    def is_lost(self) -> bool:
        """Whether it has shown no sign of life for so long that it was killed."""
        return self.state == ImportState.RUNNING and timezone.now() - self.seen_at > SILENT

    @property
    def left_out(self) -> int:
        """How many refused lines are counted and not kept."""
        return self.refused - self.kept


class RefusedLine(models.Model):
    """A line that was refused: what it said, and every problem of it."""

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField(help_text="In the manifest that was imported")
    cells = models.JSONField(default=dict, help_text="By column")
    text = models.TextField(blank=True, help_text="The line itself, where it could not be split into cells")
    problems = models.JSONField(help_text="Pairs of field and message, which tells the cure")

    class Meta:
        ordering = ["record", "number"]
        indexes = [models.Index(fields=["record", "number"], name="refused_line_by_number")]

    def __str__(self) -> str:
        return f"line {self.number}"
