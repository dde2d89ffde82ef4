
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0008_corrections_triage'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='comparison',
            name='claim',
            field=models.UUIDField(editable=False, help_text='Names one claim; a later one has another name', null=True),
        ),
        migrations.AddField(
            model_name='proxy',
            name='claim',
            field=models.UUIDField(editable=False, help_text='Names one claim; a later one has another name', null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='claim',
            field=models.UUIDField(editable=False, help_text='Names one claim; a later one has another name', null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='revision',
            field=models.PositiveIntegerField(default=0, help_text='Of the measuring code that judged it; 0: not measured, or before revisions were kept'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['os_version', 'excluded', 'status', 'revision', 'device'], name='run_for_revisions'),
        ),
    ]
