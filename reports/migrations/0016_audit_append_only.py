"""The audit log is only ever added to: the database refuses whatever would change or take away an entry."""

from django.db import migrations, models


TABLE = "reports_auditentry"
REFUSAL = "the audit log is only ever added to"
PROTECT = {
    "sqlite": [
        f"CREATE TRIGGER audit_keeps_values BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
        f"CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
        # INSERT OR REPLACE deletes without asking the trigger above
        f"CREATE TRIGGER audit_replaces_nothing BEFORE INSERT ON {TABLE}"
        f" WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    ],
    "postgresql": [
        "CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
        f"CREATE TRIGGER audit_keeps_rows BEFORE UPDATE OR DELETE ON {TABLE}"
        " FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
        f"CREATE TRIGGER audit_keeps_all BEFORE TRUNCATE ON {TABLE}"
        " FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
    ],
}
UNPROTECT = {
    "sqlite": [
        "DROP TRIGGER IF EXISTS audit_keeps_values",
        "DROP TRIGGER IF EXISTS audit_keeps_rows",
        "DROP TRIGGER IF EXISTS audit_replaces_nothing",
    ],
    "postgresql": [
        f"DROP TRIGGER IF EXISTS audit_keeps_rows ON {TABLE}",
        f"DROP TRIGGER IF EXISTS audit_keeps_all ON {TABLE}",
        "DROP FUNCTION IF EXISTS audit_refuse()",
    ],
}


def protect(apps, schema_editor):
    for statement in PROTECT[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unprotect(apps, schema_editor):
    for statement in UNPROTECT[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0015_audit_log'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='auditentry',
            options={'ordering': ['-id'], 'verbose_name_plural': 'audit entries'},
        ),
        migrations.RemoveField(
            model_name='auditentry',
            name='made_by',
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('logged_in', 'logged in'), ('logged_out', 'logged out'), ('login_failed', 'failed to log in'), ('changed', 'changed'), ('added', 'added'), ('deleted', 'deleted'), ('policy_saved', 'saved policy'), ('scope_saved', 'saved scope'), ('scope_deleted', 'deleted scope'), ('waiver_added', 'added a waiver for'), ('waiver_withdrawn', 'withdrew the waiver for'), ('gate_decided', 'recorded the gate of'), ('compared', 'compared'), ('triaged', 'triaged'), ('triage_undone', 'took back the triage of'), ('corrected', 'corrected'), ('correction_withdrawn', 'took back the correction of'), ('excluded', 'excluded'), ('included', 'included again'), ('measured_again', 'had measured again'), ('imported', 'imported'), ('exported', 'exported')], max_length=24),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='address',
            field=models.CharField(blank=True, help_text='From where; empty for a command', max_length=64),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='kind',
            field=models.CharField(choices=[('run', 'Run'), ('interaction', 'Interaction'), ('app', 'App'), ('device', 'Device'), ('version', 'Version'), ('person', 'Person'), ('policy', 'Policy'), ('scope', 'Scope'), ('waiver', 'Waiver'), ('comparison', 'Comparison'), ('file', 'File'), ('other', 'Other')], max_length=12),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='note',
            field=models.TextField(blank=True, help_text='A reason that was given, or what it came to, in words'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='runs',
            field=models.PositiveIntegerField(default=0, help_text='How many runs it concerned, or had measured again'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='subject',
            field=models.CharField(blank=True, help_text='Its name then', max_length=400),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='who',
            field=models.CharField(help_text='Name of the user then, or as it was typed; or of the command', max_length=200),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['kind', 'object_id', '-id'], name='audit_by_subject'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['who', '-id'], name='audit_by_person'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['action', '-id'], name='audit_by_action'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['made_at'], name='audit_by_time'),
        ),
        migrations.AddConstraint(
            model_name='auditentry',
            constraint=models.CheckConstraint(condition=models.Q(('who', ''), _negated=True), name='audit_names_somebody'),
        ),
        migrations.RunPython(protect, unprotect),
    ]
