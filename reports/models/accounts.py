"""Where somebody is logged in, which Django's own sessions do not say, and whom single sign-on means."""

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


class SignOn(models.Model):
    """Whom a provider of single sign-on means: issuer and subject name somebody for ever, names and mail do not."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="sign_on_is_of_one_person")]

    def __str__(self) -> str:
        return f"{self.subject} of {self.issuer}"
