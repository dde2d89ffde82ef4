from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reports", "0049_otherwise"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="interaction",
            name="interaction_type_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="measurement",
            name="measurement_is_finite",
        ),
        migrations.AlterField(
            model_name="bisection",
            name="metric",
            field=models.CharField(max_length=80),
        ),
        migrations.AlterField(
            model_name="course",
            name="metric",
            field=models.CharField(max_length=80),
        ),
        migrations.AlterField(
            model_name="interaction",
            name="type",
            field=models.CharField(
                choices=[
                    ("tap", "Tap"),
                    ("scroll", "Scroll"),
                    ("swipe", "Swipe"),
                    ("type", "Type"),
                    ("draw", "Draw"),
                    ("launch", "Launch"),
                    ("benchmark", "Benchmark"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="level",
            name="metric",
            field=models.CharField(max_length=80),
        ),
        migrations.AlterField(
            model_name="measurement",
            name="metric",
            field=models.CharField(max_length=80),
        ),
        migrations.AlterField(
            model_name="result",
            name="metric",
            field=models.CharField(max_length=80),
        ),
        migrations.AlterField(
            model_name="run",
            name="file_name",
            field=models.CharField(
                blank=True, help_text="Path in the default storage; empty: it was not filmed", max_length=255
            ),
        ),
        migrations.AddConstraint(
            model_name="interaction",
            constraint=models.CheckConstraint(
                condition=models.Q(("type__in", ["tap", "scroll", "swipe", "type", "draw", "launch", "benchmark"])),
                name="interaction_type_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="measurement",
            constraint=models.CheckConstraint(
                condition=models.Q(("value__gte", -1000000000000000.0), ("value__lte", 1000000000000000.0)),
                name="measurement_is_finite",
            ),
        ),
        migrations.AddConstraint(
            model_name="measurement",
            constraint=models.CheckConstraint(
                condition=models.Q(("value__gte", 0.0), ("metric__startswith", "frameOverrunMs"), _connector="OR"),
                name="measurement_is_not_negative",
            ),
        ),
    ]
