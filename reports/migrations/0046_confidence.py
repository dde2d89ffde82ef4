from django.db import migrations, models


def settle_corrected(apps, schema_editor):
    """Mark the values that people have corrected so far."""
    correction, measurement = (apps.get_model("reports", name) for name in ("Correction", "Measurement"))
    metrics = {"response": ("response_time_ms",), "finish": ("finish_time_ms", "launch_time_ms")}
    for moment, keys in metrics.items():
        said = correction.objects.filter(moment=moment, withdrawn_at=None).values("run")
        measurement.objects.filter(run__in=said, metric__in=keys).update(confidence="settled")


class Migration(migrations.Migration):
    dependencies = [("reports", "0045_authors_of_versions")]

    operations = [
        migrations.AddField(
            model_name="measurement",
            name="confidence",
            field=models.CharField(
                blank=True,
                choices=[
                    ("certain", "Certain"),
                    ("likely", "Likely"),
                    ("doubtful", "Doubtful"),
                    ("settled", "Settled"),
                ],
                default="",
                max_length=8,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(settle_corrected, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="measurement",
            index=models.Index(
                condition=models.Q(("confidence", "doubtful")), fields=["-id"], name="measurement_doubtful"
            ),
        ),
        migrations.AddConstraint(
            model_name="measurement",
            constraint=models.CheckConstraint(
                condition=models.Q(("confidence__in", ["", "certain", "likely", "doubtful", "settled"])),
                name="measurement_confidence_is_known",
            ),
        ),
    ]
