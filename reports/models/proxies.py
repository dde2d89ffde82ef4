"""A proxy: the same frames at the same times as a screencast, in a file that steps quickly in any browser."""

from django.db import models
from django.db.models import Q

from reports.models.claimed import Claimed


class ProxyStatus(models.TextChoices):
    """Where a proxy is on its way."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Proxy(Claimed):
    """The proxy of one screencast file, by the file's sha256: runs that share a file share it.

    ``index`` says where in the proxy each frame lies (analysis.pictures.playindex). While it is pending,
    ``claimed_at`` is the instant at which it was queued: a task may get lost as well.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    source_name = models.CharField(max_length=255, help_text="The screencast's path in the default storage")
    file_name = models.CharField(max_length=255, blank=True, help_text="The proxy's path in the default storage")
    index = models.JSONField(default=dict)
    status = models.CharField(max_length=8, choices=ProxyStatus, default=ProxyStatus.PENDING)
    progress_pct = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "proxies"
        constraints = [
            models.CheckConstraint(condition=Q(status__in=ProxyStatus.values), name="proxy_status_is_known"),
            models.CheckConstraint(
                condition=~Q(status=ProxyStatus.FAILED) | ~Q(error=""), name="proxy_failure_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"proxy of {self.sha256[:12]}: {self.status}"
