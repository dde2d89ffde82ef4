"""Roles: nobody may do less after the upgrade than before."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

# With one of these a member of the staff could change the catalogue or accounts, as only administrators can now.
RIGHTS = [
    *("change_osversion", "change_app", "change_device", "change_interaction"),
    *("add_user", "change_user", "delete_user"),
]


def give_roles(apps, schema_editor):
    """Make administrators of the staff who had rights, policy owners of everybody else: they did all but that."""
    User = apps.get_model(settings.AUTH_USER_MODEL)
    RoleGrant = apps.get_model("reports", "RoleGrant")
    had_rights = Q(user_permissions__codename__in=RIGHTS) | Q(groups__permissions__codename__in=RIGHTS)
    keepers = list(User.objects.filter(had_rights, is_staff=True).distinct().values_list("pk", flat=True))
    User.objects.filter(pk__in=keepers).update(is_superuser=True)
    User.objects.filter(is_superuser=True).update(is_staff=True)
    User.objects.filter(is_superuser=False).update(is_staff=False)
    others = User.objects.filter(is_superuser=False).values_list("pk", flat=True)
    RoleGrant.objects.bulk_create([RoleGrant(user_id=pk, role="policy_owner") for pk in others])


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("reports", "0013_changes"),
    ]

    operations = [
        migrations.CreateModel(
            name="RoleGrant",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="grant",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "viewer"),
                            ("triager", "triager"),
                            ("policy_owner", "policy owner"),
                        ],
                        max_length=16,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["viewer", "triager", "policy_owner"])), name="role_is_known"
                    )
                ],
            },
        ),
        migrations.RunPython(give_roles, migrations.RunPython.noop),
    ]
