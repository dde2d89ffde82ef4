"""Where somebody is logged in, beside Django's own table of sessions, which does not say whose they are."""

from django.conf import settings
from django.db import models


class LoginSession(models.Model):
    """One session: ``seen_at`` is a few minutes coarse. It goes when the session ends."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=40, db_index=True)
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    address = models.CharField(max_length=64, blank=True)
    browser = models.CharField(max_length=300, blank=True, help_text="The user agent")

    class Meta:
        ordering = ["-seen_at", "-id"]

    def __str__(self) -> str:
        return f"session {self.pk}"
