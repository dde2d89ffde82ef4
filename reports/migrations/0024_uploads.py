import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0023_names_hide_nothing'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('token_id', models.PositiveBigIntegerField(blank=True, help_text='The token by which it was begun; None: a session. It outlives the token', null=True)),
                ('file_name', models.CharField(help_text='As the sender calls it, without folders', max_length=255)),
                ('length', models.BigIntegerField(help_text='Bytes of the whole file')),
                ('offset', models.BigIntegerField(default=0, help_text='Bytes that are stored')),
                ('sha256', models.CharField(blank=True, help_text='Of the whole, as announced; else once it is there', max_length=64)),
                ('stored_name', models.CharField(blank=True, help_text='Path of the whole in the default storage', max_length=255)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(help_text='When it is forgotten with all that is stored of it')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['created_at'],
                'indexes': [models.Index(fields=['expires_at'], name='upload_for_sweeping')],
                'constraints': [models.CheckConstraint(condition=models.Q(('offset__gte', 0), ('offset__lte', models.F('length'))), name='upload_offset_is_within'), models.CheckConstraint(condition=models.Q(('stored_name', ''), models.Q(('sha256', ''), _negated=True), _connector='OR'), name='upload_whole_has_its_sha256')],
            },
        ),
        migrations.CreateModel(
            name='UploadPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('offset', models.BigIntegerField()),
                ('size_bytes', models.BigIntegerField()),
                ('stored_name', models.CharField(help_text='Path in the default storage', max_length=255)),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='reports.upload')),
            ],
            options={
                'ordering': ['offset'],
                'constraints': [models.UniqueConstraint(fields=('upload', 'offset'), name='upload_part_is_stored_once')],
            },
        ),
    ]
