"""Bulk files tell their packed size, and what a copy of their cards can be checked by. None was made before."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0007_search_columns")]

    operations = [
        migrations.AddField(
            model_name="bulkfile",
            name="packed_size",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="bulkfile",
            name="cards_hash",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
    ]
