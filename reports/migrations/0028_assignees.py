import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def map_names(apps, schema_editor):
    """Find the person whom a text means: by the user name, else by the full name; two who fit are nobody."""
    entries = apps.get_model("reports", "TriageEntry").objects.exclude(assignee="")
    names = list(entries.order_by().values_list("assignee", flat=True).distinct())
    if not names:
        return
    people = {}
    fields = ("pk", "username", "first_name", "last_name")
    for pk, username, first, last in apps.get_model("auth", "User").objects.values_list(*fields):
        full = " ".join(f"{first} {last}".split()).casefold()
        for kind, name in (("exact", username), ("user", username.casefold()), ("full", full)):
            people.setdefault((kind, name), set()).add(pk)
    for name in names:
        folded = " ".join(name.split()).casefold()
        keys = (("exact", name), ("user", folded), ("full", folded))
        found = next((people[key] for key in keys if len(people.get(key, ())) == 1), None)
        if folded and found:
            entries.filter(assignee=name).update(assigned_to=next(iter(found)))


class Migration(migrations.Migration):

    dependencies = [
        ("reports", "0027_batches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="triageentry",
            name="assigned_to",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="triageentry",
            name="due",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.RunPython(map_names, migrations.RunPython.noop, elidable=True),
    ]
