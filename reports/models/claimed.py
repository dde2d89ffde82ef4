"""What one process at a time works on: its row carries the claim (reports.queue.leases says by which rules)."""

from django.db import models


class Claimed(models.Model):
    """A row that a worker holds while its status is ``running``; each kind of row names its other states."""

    claim = models.UUIDField(null=True, editable=False, help_text="Names one claim; a later one has another name")
    claimed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
