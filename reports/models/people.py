"""What a person may do, as one word; where somebody is logged in; whom single sign-on means."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Role(models.TextChoices):
    """Who somebody is to the product, least first: each role may do what those before it may."""

    VIEWER = "viewer", "viewer"
    TRIAGER = "triager", "triager"
    POLICY_OWNER = "policy_owner", "policy owner"
    ADMINISTRATOR = "administrator", "administrator"


GRANTED = (Role.VIEWER, Role.TRIAGER, Role.POLICY_OWNER)


class RoleGrant(models.Model):
    """The role of a person who is no administrator; who has none is a viewer.

    Administrators are Django's superusers, so that ``createsuperuser`` makes one and no second mark can disagree.
    A row of our own, not a group: nobody is in two at once, and no form of Django's admin changes it.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="grant"
    )
    role = models.CharField(max_length=16, choices=[(role.value, role.label) for role in GRANTED])

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=[role.value for role in GRANTED]), name="role_is_known")
        ]

    def __str__(self) -> str:
        return f"{self.user.get_username()}: {self.get_role_display()}"


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
