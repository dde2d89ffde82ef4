"""One waiver takes several metrics, each with a ceiling of its own. A decision needs no fingerprint beside its contents."""

from django.db import migrations, models


def to_ceilings(apps, schema_editor):
    for waiver in apps.get_model("reports", "Waiver").objects.exclude(metric=""):
        waiver.ceilings = {waiver.metric: waiver.ceiling}
        waiver.save(update_fields=["ceilings"])


def to_one_metric(apps, schema_editor):
    for waiver in apps.get_model("reports", "Waiver").objects.exclude(ceilings={}):
        waiver.metric, waiver.ceiling = next(iter(waiver.ceilings.items()))
        waiver.save(update_fields=["metric", "ceiling"])


class Migration(migrations.Migration):
    dependencies = [("reports", "0010_pinned_fixed_in")]

    operations = [
        migrations.AddField(
            model_name="waiver",
            name="ceilings",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="{metric: largest accepted Δ in its unit, null for any}; empty: all of it",
            ),
        ),
        migrations.RunPython(to_ceilings, to_one_metric),
        migrations.RemoveConstraint(model_name="waiver", name="waiver_ceiling_is_positive"),
        migrations.RemoveField(model_name="waiver", name="metric"),
        migrations.RemoveField(model_name="waiver", name="ceiling"),
        migrations.AlterField(  # so that the way back has a value for old rows
            model_name="gaterecord", name="fingerprint", field=models.CharField(default="", max_length=64)
        ),
        migrations.RemoveField(model_name="gaterecord", name="fingerprint"),
    ]
