"""Tokens by which scripts log in to the API."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class TokenScope(models.TextChoices):
    """What a token may do (reports/access/table.py says what that is), as far as the role of its owner may."""

    READ = "read"
    UPLOAD = "upload"
    TRIAGE = "triage"
    ADMIN = "admin"


class ApiToken(models.Model):
    """One token. Its secret is kept as a hash alone: it is 256 random bits, which nobody finds by trying.

    It is revoked, never deleted: the audit log and lists of imports still name it. ``window`` is the minute since
    1970 in which ``taken`` requests were handed out to the web processes (reports/tokens/services.py); those that
    bring recordings in are counted apart.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=8, unique=True, help_text="Stands in the token before its secret")
    secret_sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=80)
    scopes = models.JSONField(help_text="List of TokenScope")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="A minute coarse")
    last_used_from = models.CharField(max_length=64, blank=True)
    window = models.BigIntegerField(default=0)
    taken = models.PositiveIntegerField(default=0)
    uploads_window = models.BigIntegerField(default=0)
    uploads_taken = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-id"]
        verbose_name = "API token"
        indexes = [models.Index(fields=["user", "-id"], name="token_by_owner")]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="token_has_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """Its name with what tells it from another of the same name."""
        return f"{self.name} ({self.key})"
