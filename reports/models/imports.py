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


class ImportRecordQuerySet(models.QuerySet):
    """Imports as lists show them."""

    def for_list(self) -> "ImportRecordQuerySet":
        """Leave out what only the page of one shows."""
        return self.defer("causes", "columns", "notes")


class ImportRecord(models.Model):
    """One import: from where, by whom, how many lines became what.

    Refused lines are all counted, in ``refused`` and by ``causes``; the first of each cause are kept.

    Recordings that are handed over one by one are gathered in one record a day (UTC) for each asker and batch,
    which ``gathers`` names. It is done at any time, as nobody says that no other comes; ``seen_at`` is when the
    last came.
    """

    source = models.CharField(max_length=400, help_text="Name of the manifest or of what was sent")
    who = models.CharField(max_length=300, help_text="Name of the user then, with their token, or of the command")
    gathers = models.CharField(
        max_length=450, blank=True, help_text="Day, asker and batch of what came one by one; empty for a manifest"
    )
    batch = models.CharField(max_length=120, blank=True, help_text="The one batch that all of it is of")
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
    kept_characters = models.PositiveIntegerField(default=0, help_text="How long those lines are, together")

    objects = ImportRecordQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["batch"], condition=~Q(batch=""), name="import_by_batch")]  # for its page
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ImportState.values), name="import_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=ImportState.STOPPED) | ~Q(error=""), name="import_that_stopped_has_a_reason"
            ),
            models.UniqueConstraint(fields=["gathers"], condition=~Q(gathers=""), name="import_is_gathered_once"),
        ]

    def __str__(self) -> str:
        return self.source

    @property
    def is_lost(self) -> bool:
        """Whether it has shown no sign of life for so long that it was killed."""
        return self.state == ImportState.RUNNING and timezone.now() - self.seen_at > SILENT

    @property
    def unit(self) -> str:
        """What it counts, in a word."""
        return "recording" if self.gathers else "line"

    @property
    def left_out(self) -> int:
        """How many refused lines are counted and not kept."""
        return self.refused - self.kept


class RefusedLine(models.Model):
    """A line that was refused: what it said, and every problem of it."""

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField(help_text="In the manifest that was imported; else counted from 1 on")
    cells = models.JSONField(default=dict, help_text="By column")
    text = models.TextField(blank=True, help_text="The line itself, where it could not be split into cells")
    problems = models.JSONField(help_text="Pairs of field and message, which tells the cure")

    class Meta:
        ordering = ["record", "number"]
        indexes = [models.Index(fields=["record", "number"], name="refused_line_by_number")]

    def __str__(self) -> str:
        return f"line {self.number}"
