from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reports", "0048_finding_the_action")]

    operations = [
        migrations.AddField(
            model_name="result",
            name="otherwise",
            field=models.JSONField(
                default=dict, help_text="The statistics by the other rule about doubtful values"
            ),
        ),
    ]
