"""Leave those in peace who were there before notices came: they get no mail until they choose what they want.

The usual of those who said nothing has the gate's failures, critical apps, assignments and the digest switched on. That
is for people who come to an installation that has notices; whoever was there before never asked for them.
"""

from django.conf import settings
from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

CAME_WITH = "0026_notices"
KINDS = ("complete", "gate_failed", "critical", "assigned", "digest")


def leave_in_peace(apps, schema_editor):
    people = apps.get_model(settings.AUTH_USER_MODEL)._default_manager
    preferences = apps.get_model("reports", "Preference")._default_manager
    before = people.filter(date_joined__lt=_came(schema_editor.connection))
    silent = before.exclude(pk__in=preferences.values("user")).values_list("pk", flat=True)
    rows = [preferences.model(user_id=pk, kind=kind, wanted=False) for pk in silent for kind in KINDS]
    preferences.bulk_create(rows, batch_size=500)


def _came(connection):
    """Return when this installation learned to tell anybody anything: a moment ago, or with an earlier update."""
    applied = MigrationRecorder(connection).migration_qs.filter(app="reports", name=CAME_WITH)
    return applied.values_list("applied", flat=True).first() or timezone.now()


class Migration(migrations.Migration):

    dependencies = [
        ("reports", "0033_uploads_per_minute"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(leave_in_peace, migrations.RunPython.noop)]
