"""A second person approves what is serious; the waivers that stand already were accepted by the rules of their time."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def keep_what_stands(apps, schema_editor):
    """Let the waivers that are there go on counting: ``approver`` names who accepted them."""
    apps.get_model("reports", "Waiver").objects.update(seconded_at=models.F("created_at"))


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0019_sessions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='waiver',
            name='refused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='waiver',
            name='refused_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='waiver',
            name='seconded_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='waiver',
            name='seconded_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('logged_in', 'logged in'), ('logged_out', 'logged out'), ('login_failed', 'failed to log in'), ('locked_out', 'must wait after failures'), ('lockout_lifted', 'lifted the wait of'), ('sessions_ended', 'ended sessions of'), ('link_made', 'made a link to set the password of'), ('changed', 'changed'), ('added', 'added'), ('deleted', 'deleted'), ('policy_saved', 'saved policy'), ('scope_saved', 'saved scope'), ('scope_deleted', 'deleted scope'), ('waiver_added', 'added a waiver for'), ('waiver_seconded', 'approved as the second the waiver for'), ('waiver_refused', 'refused the waiver for'), ('waiver_withdrawn', 'withdrew the waiver for'), ('gate_decided', 'recorded the gate of'), ('compared', 'compared'), ('triaged', 'triaged'), ('triage_undone', 'took back the triage of'), ('corrected', 'corrected'), ('correction_withdrawn', 'took back the correction of'), ('excluded', 'excluded'), ('included', 'included again'), ('measured_again', 'had measured again'), ('imported', 'imported'), ('exported', 'exported')], max_length=24),
        ),
        migrations.RunPython(keep_what_stands, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(('seconded_by', None), ('created_by', None), models.Q(('seconded_by', models.F('created_by')), _negated=True), _connector='OR'), name='waiver_is_seconded_by_another'),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(('seconded_at', None), ('refused_at', None), _connector='OR'), name='waiver_is_seconded_or_refused'),
        ),
    ]
