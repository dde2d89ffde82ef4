"""What people changed by hand becomes part of the audit log: a log of everything, with the names in it."""

from django.db import migrations, models
import django.utils.timezone


def give_names(apps, schema_editor):
    """Write into each change who made it and what it was made to, as far as that is still known."""
    AuditEntry = apps.get_model("reports", "AuditEntry")
    User = apps.get_model("auth", "User")
    models_of = {"run": "Run", "interaction": "Interaction", "app": "App", "device": "Device", "version": "OsVersion"}
    names = dict(User.objects.values_list("pk", "username"))
    for entry in AuditEntry.objects.order_by("pk").iterator():
        entry.user_id = entry.made_by_id
        entry.who = names.get(entry.made_by_id, "somebody who has left")
        if entry.kind == "person":
            entry.subject = names.get(entry.object_id, "")
        else:
            row = apps.get_model("reports", models_of[entry.kind]).objects.filter(pk=entry.object_id).first()
            entry.subject = name_of(row)[:400] if row else ""
        if entry.field in ("added", "deleted"):
            entry.subject = (entry.subject or str(entry.before or entry.after or ""))[:400]
            entry.action, entry.field, entry.before, entry.after = entry.field, "", None, None
        entry.save()


def name_of(row):
    kind = row._meta.model_name
    if kind == "run":
        interaction = row.interaction
        return f"{interaction.app.name} · {interaction.name} · {row.os_version.name} · run {row.repetition}"
    if kind == "interaction":
        return f"{row.app.name} · {row.name}"
    return f"{row.name} ({row.refresh_hz:g} Hz)" if kind == "device" else row.name


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0014_roles'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='change', name='change_kind_is_known'),
        migrations.RemoveIndex(model_name='change', name='change_newest_first'),
        migrations.RenameModel(old_name='Change', new_name='AuditEntry'),
        migrations.AlterField(model_name='auditentry', name='made_at', field=models.DateTimeField(default=django.utils.timezone.now)),
        migrations.AddField(model_name='auditentry', name='action', field=models.CharField(max_length=24, default='changed'), preserve_default=False),
        migrations.AddField(model_name='auditentry', name='user_id', field=models.PositiveBigIntegerField(blank=True, help_text='None: nobody was logged in', null=True)),
        migrations.AddField(model_name='auditentry', name='who', field=models.CharField(default='', max_length=200), preserve_default=False),
        migrations.AddField(model_name='auditentry', name='address', field=models.CharField(blank=True, max_length=64, default=''), preserve_default=False),
        migrations.AddField(model_name='auditentry', name='request_id', field=models.CharField(blank=True, max_length=64, default=''), preserve_default=False),
        migrations.AddField(model_name='auditentry', name='subject', field=models.CharField(blank=True, max_length=400, default=''), preserve_default=False),
        migrations.AddField(model_name='auditentry', name='note', field=models.TextField(blank=True, default=''), preserve_default=False),
        migrations.AlterField(model_name='auditentry', name='object_id', field=models.PositiveBigIntegerField(blank=True, null=True)),
        migrations.AlterField(model_name='auditentry', name='field', field=models.CharField(blank=True, max_length=40)),
        migrations.RunPython(give_names, migrations.RunPython.noop),
    ]
