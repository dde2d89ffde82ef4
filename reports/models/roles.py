"""What each person may do, as one word."""

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
