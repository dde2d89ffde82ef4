"""What was sent is imported by a worker that claims it, as runs and comparisons are."""

from django.db import migrations, models
from django.db.models import F, Q


def open_again(apps, schema_editor):
    """What a request was importing goes back to who sent it: that request has ended with the old release."""
    staged = apps.get_model("reports", "StagedImport").objects
    staged.filter(status="importing").update(status="open")
    staged.update(asked_at=F("claimed_at"), claimed_at=None)


class Migration(migrations.Migration):
    dependencies = [("reports", "0034_notices_of_before")]

    operations = [
        migrations.RemoveConstraint(model_name="stagedimport", name="staged_state_is_known"),
        migrations.RenameField(model_name="stagedimport", old_name="state", new_name="status"),
        migrations.AlterField(
            model_name="stagedimport",
            name="claimed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="claim",
            field=models.UUIDField(
                editable=False, help_text="Names one claim; a later one has another name", null=True
            ),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="asked_at",
            field=models.DateTimeField(blank=True, help_text="When Import was pressed", null=True),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="origin",
            field=models.JSONField(
                default=dict, help_text="Who pressed it and from where, as the audit log names them"
            ),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="claimed_by",
            field=models.CharField(blank=True, help_text="Process that imports it", max_length=200),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="attempts",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Begun since it last came any further"
            ),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="finished",
            field=models.PositiveIntegerField(default=0, help_text="Lines that were looked at in this attempt"),
        ),
        migrations.AddField(
            model_name="stagedimport",
            name="total",
            field=models.PositiveIntegerField(default=0, help_text="Lines there are"),
        ),
        migrations.AddField(model_name="stagedimport", name="error", field=models.TextField(blank=True)),
        migrations.RunPython(open_again, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="stagedimport",
            name="status",
            field=models.CharField(
                choices=[("open", "Open"), ("pending", "Pending"), ("running", "Running"), ("done", "Done")],
                default="open",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="stagedimport",
            constraint=models.CheckConstraint(
                condition=Q(status__in=["open", "pending", "running", "done"]), name="staged_status_is_known"
            ),
        ),
    ]
