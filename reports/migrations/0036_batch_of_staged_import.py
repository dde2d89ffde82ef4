from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reports", "0035_import_in_the_queue")]

    operations = [
        migrations.AddField(
            model_name="stagedimport",
            name="batch",
            field=models.CharField(blank=True, help_text="Of what names none itself", max_length=120),
        ),
    ]
