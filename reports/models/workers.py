"""Signs of life of the workers, which live in other processes and perhaps on other hosts."""

from django.db import models

from reports.querysets import WorkerHeartbeatQuerySet


class WorkerHeartbeat(models.Model):
    """One running worker. It renews ``seen_at`` every few seconds and takes the row away when it ends."""

    name = models.CharField(max_length=200, unique=True, help_text="Host and process id")
    processes = models.PositiveSmallIntegerField(help_text="How many runs it measures at once")
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()

    objects = WorkerHeartbeatQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
