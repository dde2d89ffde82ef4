from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reports", "0046_confidence")]

    operations = [
        migrations.AddField(
            model_name="result",
            name="doubtful_base",
            field=models.PositiveIntegerField(default=0, help_text="Runs alike whose value is doubtful"),
        ),
        migrations.AddField(
            model_name="result", name="doubtful_new", field=models.PositiveIntegerField(default=0)
        ),
    ]
